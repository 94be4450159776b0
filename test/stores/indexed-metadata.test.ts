import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { MetaKeyOfType } from '../../src/database/storage.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { onlyOnSqlite } from '../support/test-database.js'
import { until } from '../support/until.js'
import { aRow, columns, randomMetadataChange, randomTransaction, servers, type Session } from './list-changes.js'
import { openedServer, type OpenedServer } from './opened-server.js'

for (const server of servers)
  describe(
    `indexed metadata of ${server.name}`,
    { skip: skipWithoutServer(server.kind) || onlyOnSqlite, timeout: 300_000 },
    () => {
      let storage: OpenedStorage
      let program: Session
      let opened: OpenedServer
      before(async () => {
        opened = await openedServer(server)
        storage = opened.storage
        program = opened.program
      })
      after(() => opened.close())

      async function index(...keys: readonly MetaKeyOfType[]): Promise<number> {
        let fills = 0
        assert.deepEqual(await storage.indexMeta?.(keys, () => (fills += 1)), [])
        return fills
      }
      const price = { type: 'product', key: 'price' }
      const others = [
        { type: 'product', key: 'stock' },
        { type: 'page', key: 'price' },
      ]

      const assertRight = async () => assert.deepEqual(await opened.faultsOf(/_indexed/), [])

      /** What the database would answer if it kept no order. */
      async function assertOrder(type: string, key: string): Promise<void> {
        await program.run(`INSERT INTO wp_posts (${columns}) VALUES (${aRow('publish')})`)
        for (const direction of ['asc', 'desc'] as const) {
          const query = {
            types: [type],
            statuses: ['publish'],
            order: [{ by: { meta: key, as: 'number' }, direction }],
            limit: 100,
            offset: 0,
          } as const
          const ids = async (order: OpenedStorage) =>
            (await order.posts.list(query, { columns: [] })).rows.map(({ post }) => post.ID)
          // A further condition that all records meet.
          const sorted = await storage.posts.list({ ...query, withoutPassword: true }, { columns: [] })
          const sortedIds = sorted.rows.map(({ post }) => post.ID)
          assert.ok(sortedIds.length > 0)
          assert.deepEqual(await ids(storage), sortedIds)
        }
      }

      it('are right when several programs change the same records, at any isolation, while keys are added', async () => {
        for (let id = 1; id <= 30; id += 1)
          await program.run(`INSERT INTO wp_posts (${columns}) VALUES (${aRow('publish')})`)
        const end = performance.now() + 6000
        let count = 0
        const writers = Array.from({ length: 10 }, async () => {
          const session = await opened.connect()
          try {
            for (; performance.now() < end || count < 60; count += 1)
              await randomTransaction(server, session, randomMetadataChange)
          } finally {
            await session.end()
          }
        })
        await index(price)
        await index(price, ...others)
        await Promise.all(writers)
        await assertRight()
        await assertOrder('product', 'price')
      })

      it('are read once for a new key when two services start together', async () => {
        assert.equal(await index(price, ...others), 0)
        const other = await opened.open()
        let fills = 0
        const onFill = () => (fills += 1)
        const weight = [{ type: 'product', key: 'weight' }]
        await Promise.all([storage.indexMeta?.(weight, onFill), other.indexMeta?.(weight, onFill)])
        assert.ok(fills === 1 || fills === 2)
        await other.close()
        await assertRight()
      })

      it('are told to be out of order where another program holds up the start, and are read by the next start', async () => {
        const late = { type: 'product', key: 'late' }
        const other = await opened.connect()
        for (const statement of server.begin('READ COMMITTED')) await other.run(statement)
        await other.run(`INSERT INTO wp_posts (${columns}) VALUES (${aRow('publish')})`)
        const left = await storage.indexMeta?.([price, late], () => undefined)
        await other.run('COMMIT')
        await other.end()
        assert.deepEqual(left, [late])
        await assertOrder('product', 'price')
        await index(price, late)
        await assertOrder('product', 'late')
        await assertRight()
      })

      it('let other programs store records with their metadata at once', async () => {
        const levels = ['READ COMMITTED', 'REPEATABLE READ', ...(server.kind === 'mariadb' ? ['SERIALIZABLE'] : [])]
        for (const [index, level] of levels.entries()) {
          const writers = await Promise.all(
            [2, 1, 0].map(async (n) => [await opened.connect(), 9000 + 10 * index + n] as const),
          )
          for (const [session, id] of writers) {
            for (const statement of server.begin(level)) await session.run(statement)
            await session.run(`INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`)
          }
          for (const [session, id] of writers)
            for (const key of ['price', 'stock', 'note'])
              await session.run(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '${key}', '5')`)
          for (const [session] of writers) {
            await session.run('COMMIT')
            await session.end()
          }
        }
        await assertRight()
      })

      it('are right for a record that is stored after its metadata, or removed and stored again', async () => {
        const metadata = (id: number) =>
          `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, 'price', '7')`
        const record = (id: number) => `INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`
        await program.run(metadata(9100))
        await program.run(record(9100))
        await assertRight()
        const other = await opened.connect()
        for (const [index, level] of ['READ COMMITTED', 'REPEATABLE READ'].entries()) {
          const id = 9101 + index
          await program.run(record(id))
          for (const statement of server.begin(level)) await other.run(statement)
          await other.run('SELECT COUNT(*) FROM wp_posts')
          await program.run(metadata(id))
          const replaced = (async () => {
            await other.run(`DELETE FROM wp_posts WHERE ID = ${id}`)
            await other.run(record(id))
            await other.run('COMMIT')
          })()
          await replaced.catch(() => other.run('ROLLBACK'))
          await assertRight()
        }
        await other.end()
        await program.run('DELETE FROM wp_posts WHERE ID >= 9100')
        await program.run('DELETE FROM wp_postmeta WHERE post_id >= 9100')
        await assertRight()
      })

      if (server.kind === 'postgres')
        it('are right when a record is stored after the locks of a filling, and removed before its number is inserted', async () => {
          const keys = 'wp_as_rest_route_indexed_keys'
          await program.run(`INSERT INTO ${keys} (post_type, meta_key, filled_to) VALUES ('product', 'width', 0)`)
          const record = (id: number) => `INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`
          await program.run(record(9501))
          const [holder, remover] = [await opened.connect(), await opened.connect()]
          const waiting = async () => {
            const { rows } = (await program.run(
              'SELECT FROM pg_stat_activity WHERE cardinality(pg_blocking_pids(pid)) > 0',
            )) as { readonly rows: readonly unknown[] }
            return rows.length > 0
          }
          await holder.run('BEGIN')
          await holder.run(`SELECT FROM ${keys} WHERE post_type = '' FOR SHARE`)
          let isFilled = false
          const filling = index({ type: 'product', key: 'width' }).finally(() => (isFilled = true))
          await until(waiting)
          await program.run(record(9500))
          await remover.run('BEGIN')
          await remover.run('DELETE FROM wp_posts WHERE ID = 9500')
          await holder.run('COMMIT')
          await until(async () => isFilled || (await waiting()))
          await remover.run('COMMIT')
          await filling
          await holder.end()
          await remover.end()
          await assertRight()
        })

      it('are right after statements that give many records other ids, types and statuses at once', async () => {
        for (const id of [9201, 9202, 9203, 9204]) {
          await program.run(`INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`)
          for (const post of [id, id + 100])
            await program.run(
              `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${post}, 'price', '${post}')`,
            )
        }
        for (const change of [
          `SET post_status = 'draft', post_type = 'page' WHERE ID > 9200 AND ID % 2 = 0`,
          'SET ID = ID + 100 WHERE ID > 9200',
          `SET ID = ID + 100, post_status = 'publish', post_type = CASE post_type WHEN 'page' THEN 'product' ELSE 'page' END WHERE ID > 9300`,
          `SET ID = ID - 200, post_status = CASE ID % 4 WHEN 0 THEN 'draft' ELSE post_status END, post_type = 'product' WHERE ID > 9400`,
          `SET post_status = 'trash' WHERE ID > 9200`,
        ]) {
          await program.run(`UPDATE wp_posts ${change}`)
          await assertRight()
        }
      })
    },
  )
