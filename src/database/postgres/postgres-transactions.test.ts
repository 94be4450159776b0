import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ClientWork } from '../../base/client-presence.js'
import { aPost, aUser } from '../../../test/contracts/storage/rows.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import type { OpenedStorage } from '../store-adapter.js'

describe('transactions on PostgreSQL', { skip: skipWithoutServer('postgres') }, () => {
  let database: FreshPostgres
  /** Two services of 10 connections for writes each. */
  let storages: OpenedStorage[]
  before(async () => {
    database = await freshPostgres()
    storages = [await database.open({ poolSize: 14 }), await database.open({ poolSize: 14 })]
  })
  after(() => database.drop())

  /** Twenty connections at once, half of them of each service. */
  const twenty = <T>(work: (storage: OpenedStorage, index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        // Each storage has writers that begin at either end.
        const storage = storages[Math.floor(index / 2) % 2]
        return storage === undefined ? Promise.reject(new Error('no storage')) : work(storage, index)
      }),
    )
  const first = (): OpenedStorage => storages[0] as OpenedStorage

  it('twenty connections that read a number and write the next one lose none', async () => {
    await first().options.write('counter', '0')
    await twenty((storage) =>
      storage.transaction(async ({ options }) => {
        await options.write('counter', String(Number(await options.read('counter')) + 1))
      }),
    )
    assert.equal(await first().options.read('counter'), '20')
  })

  it('two rows that depend on each other are never both changed (write skew)', async () => {
    const { posts } = first()
    const ids = [await posts.insert(aPost({ post_type: 'shift' })), await posts.insert(aPost({ post_type: 'shift' }))]
    // Each doctor may leave while another one is on duty.
    const leave = (storage: OpenedStorage, index: number) =>
      storage.transaction(async (inside) => {
        const query = { types: ['shift'], statuses: ['publish'], order: [], limit: 10, offset: 0 } as const
        if ((await inside.posts.count(query)) > 1)
          await inside.posts.update(ids[index % 2] ?? 0, { post_status: 'draft' })
      })
    await twenty(leave)
    const query = { types: ['shift'], statuses: ['publish'], order: [], limit: 10, offset: 0 } as const
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
    assert.equal(new Set(slugs).size, 20)
    assert.deepEqual(
      [...slugs].sort(),
      ['lamp', ...Array.from({ length: 19 }, (_, index) => `lamp-${index + 2}`)].sort(),
    )
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
        for (const name of index % 2 === 0 ? ['lock:a', 'lock:b'] : ['lock:b', 'lock:a']) {
          await inside.lock([name])
          await inside.options.read('blogname')
        }
        return index
      }),
    )
    assert.equal(results.length, 20)
  })

  it('a session holds no lock after its transaction', async () => {
    await first().write((inside) => inside.lock(['slug:held', 'slug:tight']))
    await assert.rejects(
      first().write(async (inside) => {
        await inside.lock(['slug:held'])
        throw new Error('no')
      }),
    )
    await first().options.write('afterwards', 'yes')
    await storages[1]?.write((inside) => inside.lock(['slug:held', 'slug:tight']))
    const [[count] = []] = await database.foreign(
      `SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE locktype = 'advisory' AND a.datname = current_database() AND a.state = 'idle in transaction'`,
    )
    assert.equal(count, '0')
  })

  for (const kind of ['write', 'transaction'] as const)
    it(`a deadlock of twenty writers is tried again, so that no one sees it: ${kind}`, async () => {
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
    assert.equal((await posts.find(id))?.menu_order, 20)
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

  it('a write that goes on after a failed statement runs again, and keeps the rest', async () => {
    const { posts, options } = first()
    const taken = await posts.insert(aPost())
    let attempts = 0
    await first().write(async (inside) => {
      attempts += 1
      await inside.options.write('rest', String(attempts))
      await assert.rejects(inside.posts.insert(aPost({ ID: taken })), { fault: 'constraint' })
      await inside.options.write('after', String(attempts))
    })
    assert.deepEqual([attempts, await options.read('rest'), await options.read('after')], [2, '2', '2'])
  })

  it('a write that a failed statement ends runs once', async () => {
    const taken = await first().posts.insert(aPost())
    let attempts = 0
    const work = first().write(async (inside) => {
      attempts += 1
      await inside.options.write('never', 'yes')
      await inside.posts.insert(aPost({ ID: taken }))
    })
    await assert.rejects(work, { fault: 'constraint' })
    assert.deepEqual([attempts, await first().options.read('never')], [1, null])
  })

  it('a name that another writer holds is not waited for while others are held', async () => {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    let hold = (): void => undefined
    const held = new Promise<void>((resolve) => (hold = resolve))
    const holder = first().transaction(async (inside) => {
      await inside.lock(['post:2'])
      hold()
      await released
    })
    await held
    const steps: string[] = []
    await storages[1]?.write(async (inside) => {
      steps.push('begun')
      // This attempt locks both before it begins.
      if (steps.length > 1) setImmediate(release)
      await inside.lock(['post:1'])
      await inside.options.read('blogname')
      await inside.lock(['post:2'])
      steps.push('has both')
    })
    await holder
    assert.deepEqual(steps, ['begun', 'begun', 'has both'])
  })

  it('a conflict that does not end is refused as busy, with the number of attempts bounded', async () => {
    const { options } = first()
    await options.write('contended', '0')
    let attempts = 0
    const work = first().transaction(async (inside) => {
      attempts += 1
      await inside.options.read('contended')
      await storages[1]?.options.write('contended', String(attempts))
      await inside.options.write('contended', 'mine')
    })
    await assert.rejects(work, { name: 'StorageError', fault: 'busy' })
    assert.equal(attempts, 10)
    assert.equal(await options.read('contended'), '10')
  })

  it('work that catches the conflict of a statement cannot commit the rest', async () => {
    const { options } = first()
    await options.write('caught', '0')
    let attempts = 0
    await first().transaction(async (inside) => {
      attempts += 1
      await inside.options.write(`part ${attempts}`, 'yes')
      await inside.options.read('caught')
      if (attempts === 1) await storages[1]?.options.write('caught', 'theirs')
      await inside.options.write('caught', 'mine').catch(() => undefined)
    })
    assert.equal(attempts, 2)
    assert.deepEqual(
      [await options.read('part 1'), await options.read('part 2'), await options.read('caught')],
      [null, 'yes', 'mine'],
    )
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

  it('a given id raises the next ones, whoever inserts it', async () => {
    const table = database.table('posts')
    const columns = 'post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered'
    await database.foreign(`INSERT INTO ${table} (id, ${columns}) VALUES (5000, '', '', '', '', '', '')`)
    assert.equal(await first().posts.insert(aPost()), 5001)
  })
})
