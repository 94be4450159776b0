import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { storeAdapterOf } from '../../src/app/stores.js'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import type { MetaKeyOfType } from '../../src/database/storage.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { onlyOnSqlite } from '../support/test-database.js'
import { aRow, columns, randomMetadataChange, randomTransaction, servers, type Session } from './list-changes.js'

for (const server of servers)
  describe(`indexed metadata of ${server.name}`, { skip: skipWithoutServer(server.kind) || onlyOnSqlite }, () => {
    let storage: OpenedStorage
    let store: SqlStore
    let program: Session
    let open: () => Promise<OpenedStorage>
    let connect: () => Promise<Session>
    let close: () => Promise<void>
    before(async () => {
      const database = await freshDatabase(server.kind)
      assert.ok(database)
      open = () => storeAdapterOf(database.url).open(database.url, {})
      storage = await open()
      store = await storeAdapterOf(database.url).openTables(database.url, { purpose: 'change' })
      connect = () => server.connect(database.url)
      program = await connect()
      close = async () => {
        await program.end()
        await storage.close()
        await store.database.close()
        await database.drop()
      }
    })
    after(() => close())

    async function index(...keys: readonly MetaKeyOfType[]): Promise<number> {
      let fills = 0
      await storage.indexMeta?.(keys, () => (fills += 1))
      return fills
    }
    const price = { type: 'product', key: 'price' }
    const others = [
      { type: 'product', key: 'stock' },
      { type: 'page', key: 'price' },
    ]

    async function assertRight(): Promise<void> {
      const sentences = (await checkDatabase(store)).map(({ sentence }) => sentence)
      assert.deepEqual(
        sentences.filter((sentence) => /_indexed/.test(sentence)),
        [],
      )
    }

    /** What the database would answer if it kept no order. */
    async function assertOrder(type: string, key: string): Promise<void> {
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
        const session = await connect()
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

    it('are read once for a new key, by whoever starts first', async () => {
      assert.equal(await index(price, ...others), 0)
      const other = await open()
      let fills = 0
      const onFill = () => (fills += 1)
      const weight = [{ type: 'product', key: 'weight' }]
      await Promise.all([storage.indexMeta?.(weight, onFill), other.indexMeta?.(weight, onFill)])
      assert.ok(fills === 1 || fills === 2)
      await other.close()
      await assertRight()
    })
  })
