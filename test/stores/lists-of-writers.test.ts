import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
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
