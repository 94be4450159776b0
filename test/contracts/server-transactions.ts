import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ClientWork } from '../../src/base/client-presence.js'
import type { OpenedStorage, StoreOptions } from '../../src/database/store-adapter.js'
import { aPost, aUser } from './storage/rows.js'

interface FreshDatabase {
  /** @param options `transactionTimeout` in milliseconds. */
  open(options?: StoreOptions & { readonly transactionTimeout?: number }): Promise<OpenedStorage>
  drop(): Promise<void>
}

/** How many writers want the same at once. */
const count = 20

/**
 * What transactions of two services on one database server promise while other writers are in their way. A server passes by
 * running this suite.
 * @param skip why the server cannot be tested here; false when it can.
 */
export function serverTransactionContract(
  name: string,
  skip: string | false,
  fresh: () => Promise<FreshDatabase>,
): void {
  describe(`transactions of two services: ${name}`, { skip }, () => {
    let database: FreshDatabase
    let storages: readonly OpenedStorage[]
    before(async () => {
      database = await fresh()
      storages = [await database.open({ poolSize: 14 }), await database.open({ poolSize: 14 })]
    })
    after(() => database.drop())

    /** Twenty pieces of work at once, half of them of each service. Those of both services are even and odd ones. */
    const twenty = <T>(work: (storage: OpenedStorage, index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(
        Array.from({ length: count }, (_, index) => {
          const storage = storages[Math.floor(index / 2) % 2]
          return storage === undefined ? Promise.reject(new Error('no storage')) : work(storage, index)
        }),
      )
    const first = (): OpenedStorage => storages[0] as OpenedStorage

    for (const [what, exists] of [
      ['is there', true],
      ['is not there yet', false],
    ] as const)
      it(`twenty writers that read a number that ${what}, and write the next one, lose none`, async () => {
        const option = `counter ${exists}`
        if (exists) await first().options.write(option, '0')
        await twenty((storage) =>
          storage.transaction(async ({ options }) => {
            await options.write(option, String(Number(await options.read(option)) + 1))
          }),
        )
        assert.equal(await first().options.read(option), String(count))
      })

    it('two rows that depend on each other are never both changed (write skew)', async () => {
      const { posts } = first()
      const ids = [await posts.insert(aPost({ post_type: 'shift' })), await posts.insert(aPost({ post_type: 'shift' }))]
      const query = { types: ['shift'], statuses: ['publish'], order: [], limit: 10, offset: 0 } as const
      // Each doctor may leave while another one is on duty.
      await twenty((storage, index) =>
        storage.transaction(async (inside) => {
          if ((await inside.posts.count(query)) > 1)
            await inside.posts.update(ids[index % 2] ?? 0, { post_status: 'draft' })
        }),
      )
      assert.equal(await posts.count(query), 1)
    })

    it('twenty writers that want one slug get twenty slugs', async () => {
      const slugs = await twenty((storage) =>
        storage.write(async (inside) => {
          await inside.lock(['slug:lamp'])
          const names = ['lamp', ...Array.from({ length: 30 }, (_, index) => `lamp-${index + 2}`)]
          const slug = await inside.posts.firstFreeSlug({ slugs: names, types: ['product'], exceptId: 0 })
          await inside.posts.insert(aPost({ post_name: slug ?? '' }))
          return slug
        }),
      )
      const expected = ['lamp', ...Array.from({ length: count - 1 }, (_, index) => `lamp-${index + 2}`)]
      assert.deepEqual([...slugs].sort(), expected.sort())
    })

    it('names that are locked after the first read are unique as well', async () => {
      const created = await twenty((storage) =>
        storage.write(async (inside) => {
          await inside.options.read('blogname')
          await inside.lock(['login:ada'])
          if ((await inside.users.find({ login: 'ada' })) !== null) return false
          await inside.users.insert(aUser())
          return true
        }),
      )
      assert.equal(created.filter(Boolean).length, 1)
    })

    it('locks in opposite orders end in no error', async () => {
      const results = await twenty((storage, index) =>
        storage.write(async (inside) => {
          for (const lock of index % 2 === 0 ? ['lock:a', 'lock:b'] : ['lock:b', 'lock:a']) {
            await inside.lock([lock])
            await inside.options.read('blogname')
          }
          return index
        }),
      )
      assert.equal(results.length, count)
    })

    for (const kind of ['write', 'transaction'] as const)
      it(`a deadlock of twenty writers is tried again, and none of them fails: ${kind}`, async () => {
        const { posts } = first()
        const [a, b] = [await posts.insert(aPost()), await posts.insert(aPost())]
        await twenty((storage, index) =>
          storage[kind](async (inside) => {
            const [one, other] = index % 2 === 0 ? [a, b] : [b, a]
            await inside.posts.update(one, { post_title: String(index) })
            await inside.posts.update(other, { post_title: String(index) })
          }),
        )
        assert.equal((await posts.find(a))?.post_title, (await posts.find(b))?.post_title)
      })

    it('a row that is read by its key is not changed by other writers', async () => {
      const { posts } = first()
      const id = await posts.insert(aPost({ menu_order: 0 }))
      await twenty((storage) =>
        storage.write(async (inside) => {
          const menu_order = ((await inside.posts.find(id))?.menu_order ?? 0) + 1
          await inside.posts.update(id, { menu_order })
        }),
      )
      assert.equal((await posts.find(id))?.menu_order, count)
    })

    it('metadata that twenty writers write for the first time has one row', async () => {
      const { posts } = first()
      const id = await posts.insert(aPost())
      await twenty((storage, index) => storage.posts.meta.write(id, 'price', String(index)))
      assert.equal((await posts.meta.read(id, 'price')).length, 1)
    })

    it('twenty writers that relate one post to one term all succeed, and the count is right', async () => {
      const { posts, terms } = first()
      const term = await terms.insert({ taxonomy: 'category', name: 'Lamps', slug: 'lamps' })
      const id = await posts.insert(aPost())
      await twenty(async (storage) => {
        await storage.posts.setTerms(id, 'category', [term])
        await storage.posts.setTerms(await storage.posts.insert(aPost()), 'category', [term])
      })
      assert.equal((await terms.find('category', { id: term }))?.count, count + 1)
    })

    it('work that does not end in its time is rolled back, holds nothing, and writes nothing later', async () => {
      const storage = await database.open({ transactionTimeout: 300 })
      let end = (): void => undefined
      const ended = new Promise<void>((resolve) => (end = resolve))
      let late: Promise<unknown> = Promise.resolve()
      const work = storage.transaction(async (inside) => {
        await inside.lock(['post:7'])
        await inside.options.write('endless', 'yes')
        late = ended.then(() => inside.options.write('endless', 'late'))
        late.catch(() => undefined)
        return new Promise<never>(() => {})
      })
      await assert.rejects(work, { fault: 'transaction', message: /longer than 300 ms and was rolled back/ })
      end()
      await assert.rejects(late, { fault: 'transaction' })
      assert.equal(await storage.options.read('endless'), null)
      await first().transaction(async (inside) => {
        await inside.lock(['post:7'])
        await inside.options.write('endless', 'of another')
      })
      assert.equal(await storage.options.read('endless'), 'of another')
    })

    it('a write whose client has left before it has a connection is dropped', async () => {
      const client = { destroyed: false, readableEnded: false }
      let work: ClientWork | null = null
      // Its one connection for writes is in use.
      const storage = await database.open({ poolSize: 2, currentClientWork: () => work })
      let release = (): void => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      const running = storage.transaction(() => released)
      work = { client, requestId: '', isKept: false }
      const waiting = [
        storage.options.write('left', 'yes'),
        storage.write(async (inside) => inside.options.write('left', 'yes')),
      ]
      client.destroyed = true
      release()
      await running
      for (const write of waiting) await assert.rejects(write, { fault: 'busy', message: /client has left/ })
      assert.equal(await storage.options.read('left'), null)
    })
  })
}
