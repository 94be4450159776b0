import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { onlyOnSqlite } from '../support/test-database.js'
import { aRow, columns, randomTransaction, servers, type Session } from './list-changes.js'
import { openedServer, type OpenedServer } from './opened-server.js'

for (const server of servers)
  describe(
    `lists and numbers of ${server.name} while other programs write`,
    { skip: skipWithoutServer(server.kind) || onlyOnSqlite },
    () => {
      let program: Session
      let opened: OpenedServer
      before(async () => {
        opened = await openedServer(server)
        program = opened.program
      })
      after(() => opened.close())

      const assertRight = async () => assert.deepEqual(await opened.faultsOf(/_counts|_listed/), [])

      it('are right when several change the same records, at any isolation', async () => {
        for (let id = 1; id <= 30; id += 1)
          await program.run(`INSERT INTO wp_posts (${columns}) VALUES (${aRow('draft')})`)
        const end = performance.now() + 3000
        let count = 0
        await Promise.all(
          Array.from({ length: 10 }, async () => {
            const session = await opened.connect()
            try {
              for (; performance.now() < end || count < 60; count += 1) await randomTransaction(server, session)
            } finally {
              await session.end()
            }
          }),
        )
        await assertRight()
      })

      if (server.kind === 'mariadb') {
        /** Steps of two transactions, one after another. A step may wait for the other transaction. */
        async function inTwo(level: string, steps: readonly (readonly [session: 0 | 1, sql: string])[]): Promise<void> {
          const sessions = [await opened.connect(), await opened.connect()] as const
          try {
            for (const session of sessions) for (const statement of server.begin(level)) await session.run(statement)
            const ends = [Promise.resolve<unknown>(null), Promise.resolve<unknown>(null)]
            for (const [number, sql] of [...steps, [0, 'COMMIT'] as const, [1, 'COMMIT'] as const]) {
              ends[number] = (ends[number] ?? Promise.resolve()).then(() => sessions[number].run(sql))
              await Promise.race([ends[number], sleep(100)])
            }
            await Promise.all(ends)
          } finally {
            await Promise.all(sessions.map((session) => session.end()))
          }
        }
        const insert = `INSERT INTO wp_posts (${columns}) VALUES (${aRow('publish')})`
        const relate = 'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (LAST_INSERT_ID(), 1)'

        for (const level of ['READ COMMITTED', 'REPEATABLE READ'])
          it(`two transactions that each store a record with a term do not refuse each other, ${level}`, async () => {
            await inTwo(level, [
              [0, insert],
              [1, insert],
              [0, relate],
              [1, relate],
            ])
            await assertRight()
          })

        for (const level of ['READ COMMITTED', 'REPEATABLE READ'])
          it(`are right when an id gets a term while another transaction stores its record, ${level}`, async () => {
            for (const [id, first, second] of [
              [2001, 'relate', 'insert'],
              [2002, 'insert', 'relate'],
            ] as const) {
              const sql = {
                relate: `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, 1)`,
                insert: `INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`,
              }
              await program.run(`DELETE FROM wp_posts WHERE ID = ${id}`)
              await program.run(`DELETE FROM wp_term_relationships WHERE object_id = ${id}`)
              await inTwo(level, [
                [0, sql[first]],
                [1, sql[second]],
              ])
              await assertRight()
            }
          })

        it('are right when UPDATE IGNORE leaves a row that was stored since the statement started', async () => {
          const store = (id: number): readonly string[] => [
            `INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`,
            `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, 1)`,
          ]
          for (const statement of store(3002)) await program.run(statement)
          // The subquery is read first. The row that it names is waited for, and cannot have the id that is taken.
          const renumber =
            'UPDATE IGNORE wp_posts SET ID = 3002 WHERE ID = (SELECT 3001 + COUNT(*) * 0 FROM wp_options)'
          await inTwo('READ COMMITTED', [...store(3001).map((sql) => [0, sql] as const), [1, renumber]])
          await assertRight()
        })
      }

      it('are right after statements that give many records other ids, types and statuses, or other terms', async () => {
        for (const id of [1201, 1202, 1203, 1204]) {
          await program.run(`INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`)
          await program.run(
            `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, 1), (${id}, 2), (${id + 100}, 3)`,
          )
        }
        for (const change of [
          `wp_posts SET post_status = CASE ID % 2 WHEN 0 THEN 'trash' ELSE 'draft' END, post_type = 'page' WHERE ID > 1200`,
          'wp_posts SET ID = ID + 100 WHERE ID > 1200',
          `wp_posts SET ID = ID - 100, post_status = 'publish', post_type = 'product' WHERE ID > 1300`,
          'wp_term_relationships SET term_taxonomy_id = term_taxonomy_id + 10 WHERE object_id > 1200',
          `wp_term_relationships SET object_id = object_id + 100, term_taxonomy_id = term_taxonomy_id + 10 * (object_id % 2)
            WHERE object_id BETWEEN 1201 AND 1204`,
          'wp_posts SET ID = ID + 100 WHERE ID > 1200',
        ]) {
          await program.run(`UPDATE ${change}`)
          await assertRight()
        }
      })

      if (server.kind === 'postgres')
        it('are right after TRUNCATE, which a transaction with an older snapshot is refused', async () => {
          const other = await opened.connect()
          await opened.storage.indexMeta?.([{ type: 'product', key: 'price' }], () => undefined)
          try {
            for (const table of ['wp_postmeta', 'wp_term_relationships', 'wp_posts'])
              for (const level of ['REPEATABLE READ', 'SERIALIZABLE', 'READ COMMITTED']) {
                for (const statement of server.begin(level)) await other.run(statement)
                await other.run('SELECT COUNT(*) FROM wp_options')
                for (const statement of [
                  `INSERT INTO wp_posts (ID, ${columns}) VALUES (4001, ${aRow('publish')})`,
                  'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (4001, 1)',
                  `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (4001, 'price', '7')`,
                ])
                  await program.run(statement)
                const truncated = other.run(`TRUNCATE ${table}`)
                if (level === 'READ COMMITTED') await truncated
                else await assert.rejects(truncated, { code: '0A000', message: /Use DELETE, or READ COMMITTED\.$/ })
                await other.run('COMMIT')
                assert.deepEqual(await opened.faultsOf(/_counts|_listed|_indexed/), [], `${table} ${level}`)
                for (const left of ['wp_postmeta', 'wp_term_relationships', 'wp_posts'])
                  await program.run(`DELETE FROM ${left}`)
              }
          } finally {
            await other.end()
          }
        })

      it('are right after statements that store records again, or give them other ids', async () => {
        const relate = (id: number): string =>
          `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, 1), (${id}, 2)`
        const insert = (id: number): string =>
          `INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`
        for (const id of [1001, 1002, 1003])
          for (const statement of [insert(id), relate(id)]) await program.run(statement)
        await program.run('DELETE FROM wp_posts WHERE ID = 1001')
        await program.run(insert(1001))
        await assertRight()
        await program.run('UPDATE wp_posts SET ID = 1004 WHERE ID = 1002')
        await assertRight()
        await program.run("UPDATE wp_posts SET ID = 1002, post_status = 'draft' WHERE ID = 1004")
        await assertRight()
        // The terms are there before their record is.
        await program.run(relate(1005))
        await program.run(insert(1005))
        await assertRight()
        await program.run(
          'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ID, 7 FROM wp_posts WHERE ID > 1000',
        )
        await assertRight()
        // Under 0, the numbers of all records are kept. It is the default of the column.
        await program.run('INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1003, 0)')
        await assertRight()
        if (server.kind !== 'mariadb') return
        await program.run(`REPLACE INTO wp_posts (ID, ${columns}) VALUES (1003, ${aRow('draft', 2)})`)
        await assertRight()
        // TRUNCATE starts no trigger there. Records get terms all the same, and are not counted again.
        const sum = async () => JSON.stringify(await program.run('SELECT SUM(n) FROM wp_as_rest_route_counts'))
        const before = await sum()
        await program.run('TRUNCATE wp_term_relationships')
        await program.run(relate(1003))
        assert.equal(await sum(), before)
      })
    },
  )
