import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ClientWork } from '../../base/client-presence.js'
import { aPost, aUser } from '../../../test/contracts/storage/rows.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshMariadb, type FreshMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import type { OpenedStorage } from '../store-adapter.js'

describe('transactions on MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  let database: FreshMariadb
  /** Two services of 10 connections for writes each. */
  let storages: OpenedStorage[]
  before(async () => {
    database = await freshMariadb()
    storages = [await database.open({ poolSize: 20 }), await database.open({ poolSize: 20 })]
  })
  after(() => database.drop())

  /** Twenty connections at once, half of them of each service. */
  const twenty = <T>(work: (storage: OpenedStorage, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const storage = storages[index % 2]
        return storage === undefined ? Promise.reject(new Error('no storage')) : work(storage, index)
      }),
    )
  const first = (): OpenedStorage => storages[0] as OpenedStorage

  for (const [what, begins] of [
    ['is there', true],
    ['is not there yet', false],
  ] as const)
    it(`twenty connections that read a number that ${what}, and write the next one, lose none`, async () => {
      const name = `counter ${begins}`
      if (begins) await first().options.write(name, '0')
      await twenty((storage) =>
        storage.transaction(async ({ options }) => {
          await options.write(name, String(Number(await options.read(name)) + 1))
        }),
      )
      assert.equal(await first().options.read(name), '20')
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

  it('twenty connections that want one slug get twenty slugs', async () => {
    const slugs = await twenty((storage) =>
      storage.write(async (inside) => {
        await inside.lock(['slug:lamp'])
        const names = ['lamp', ...Array.from({ length: 30 }, (_, index) => `lamp-${index + 2}`)]
        const slug = await inside.posts.firstFreeSlug({ slugs: names, types: ['product'], exceptId: 0 })
        await inside.posts.insert(aPost({ post_name: slug ?? '' }))
        return slug
      }),
    )
    const expected = ['lamp', ...Array.from({ length: 19 }, (_, index) => `lamp-${index + 2}`)]
    assert.deepEqual(slugs.toSorted(), expected.toSorted())
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
        for (const name of index % 2 === 0 ? ['lock:a', 'lock:b'] : ['lock:b', 'lock:a']) await inside.lock([name])
        return index
      }),
    )
    assert.equal(results.length, 20)
  })

  it('metadata that twenty connections write for the first time has one row', async () => {
    const { posts } = first()
    const id = await posts.insert(aPost())
    await twenty((storage, index) => storage.posts.meta.write(id, 'price', String(index)))
    assert.equal((await posts.meta.read(id, 'price')).length, 1)
  })

  it('twenty connections that relate one post to one term all succeed, and the count is right', async () => {
    const { posts, terms } = first()
    const term = await terms.insert({ taxonomy: 'category', name: 'Lamps', slug: 'lamps' })
    const id = await posts.insert(aPost())
    await twenty(async (storage) => {
      await storage.posts.setTerms(id, 'category', [term])
      await storage.posts.setTerms(await storage.posts.insert(aPost()), 'category', [term])
    })
    assert.equal((await terms.find('category', { id: term }))?.count, 21)
  })

  it('a deadlock is tried again, so that no writer sees it', async () => {
    const { posts } = first()
    const [a, b] = [await posts.insert(aPost()), await posts.insert(aPost())]
    await twenty((storage, index) =>
      storage.transaction(async (inside) => {
        const [one, other] = index % 2 === 0 ? [a, b] : [b, a]
        await inside.posts.update(one, { post_title: String(index) })
        await inside.posts.update(other, { post_title: String(index) })
      }),
    )
    assert.equal((await posts.find(a))?.post_title, (await posts.find(b))?.post_title)
  })

  it('work that catches a deadlock cannot commit the rest', async () => {
    const { posts, options } = first()
    const [a, b] = [await posts.insert(aPost()), await posts.insert(aPost())]
    let attempts = 0
    let meet = (): void => undefined
    const met = new Promise<void>((resolve) => (meet = resolve))
    const light = storages[1]?.transaction(async (inside) => {
      attempts += 1
      await inside.posts.update(a, { post_title: 'light' })
      if (attempts === 1) await met
      await inside.posts.update(b, { post_title: 'light' }).catch(() => undefined)
      await inside.options.write(`rest ${attempts}`, 'yes').catch(() => undefined)
    })
    const heavy = first().transaction(async (inside) => {
      for (let count = 0; count < 20; count += 1) await inside.options.write(`heavy ${count}`, 'yes')
      await inside.posts.update(b, { post_title: 'heavy' })
      meet()
      await inside.posts.update(a, { post_title: 'heavy' })
    })
    await Promise.all([light, heavy])
    assert.deepEqual([attempts, await options.read('rest 1'), await options.read('rest 2')], [2, null, 'yes'])
  })

  it('a row that another program holds is waited for, and then refused as busy', async () => {
    const storage = await database.open({ lockTimeout: 1000 })
    await storage.options.write('held', '0')
    let attempts = 0
    // The transaction holds the row against the write that it waits for.
    await first().transaction(async (inside) => {
      await inside.options.write('held', '1')
      await assert.rejects(storage.options.write('held', '2'), { name: 'StorageError', fault: 'busy' })
      const work = storage.write(async ({ options }) => {
        attempts += 1
        await options.write('before', String(attempts))
        await options.write('held', '3')
      })
      await assert.rejects(work, { name: 'StorageError', fault: 'busy' })
    })
    assert.ok(attempts > 1 && attempts <= 10, `${attempts} attempts`)
    // A wait that ended too late leaves its transaction open: nothing of it may be stored with what follows.
    assert.deepEqual([await storage.options.read('held'), await storage.options.read('before')], ['1', null])
    await storage.options.write('held', '4')
  })

  it('a write whose client has left before it has a connection is dropped', async () => {
    const client = { destroyed: false, readableEnded: false }
    let work: ClientWork | null = null
    // It has one connection for writes, which is in use.
    const storage = await database.open({ poolSize: 2, currentClientWork: () => work })
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const running = storage.transaction(() => released)
    work = { client, isKept: false }
    const waiting = storage.options.write('left', 'yes')
    client.destroyed = true
    release()
    await running
    await assert.rejects(waiting, { fault: 'busy', message: /client has left/ })
    assert.equal(await storage.options.read('left'), null)
  })
})
