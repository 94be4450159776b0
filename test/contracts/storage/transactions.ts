import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../../../src/database/storage.js'
import { aPost } from './rows.js'

export function transactionContract(storage: () => Storage): void {
  const slugs = async (slug: string, from: Storage = storage()): Promise<number> =>
    from.posts.count({ slug, order: [], limit: 1, offset: 0 })

  it('a transaction keeps all writes and returns the result of its work', async () => {
    const ids = await storage().transaction(async ({ posts }) => {
      const a = await posts.insert(aPost({ post_name: 'kept' }))
      await posts.meta.add(a, 'price', '1')
      return [a, await posts.insert(aPost({ post_name: 'kept' }))]
    })
    assert.equal(ids.length, 2)
    assert.equal(await slugs('kept'), 2)
  })

  it('a transaction whose work throws keeps no write and rejects with the same error', async () => {
    const fault = new Error('no')
    const attempt = storage().transaction(async ({ posts, options }) => {
      await posts.insert(aPost({ post_name: 'lost' }))
      await options.write('lost', 'yes')
      throw fault
    })
    await assert.rejects(attempt, (error) => error === fault)
    assert.equal(await slugs('lost'), 0)
    assert.equal(await storage().options.read('lost'), null)
  })

  it('a transaction reads its own writes, and no other reader sees a part of them', async () => {
    const seen = [await slugs('half')]
    const watch = { running: true }
    const watching = (async () => {
      while (watch.running) {
        seen.push(await slugs('half'))
        await sleep(1)
      }
    })()
    /** Lets the other reader begin and end a read. In memory it waits for the end of the transaction. */
    const readByOthers = async () => {
      const before = seen.length
      for (let turn = 0; turn < 40 && seen.length <= before + 1; turn += 1) await sleep(5)
    }
    await storage().transaction(async (inside) => {
      await inside.posts.insert(aPost({ post_name: 'half' }))
      await readByOthers()
      assert.equal(await slugs('half', inside), 1)
      await inside.posts.insert(aPost({ post_name: 'half' }))
      await readByOthers()
      assert.deepEqual([...new Set(seen)], [0])
    })
    seen.push(await slugs('half'))
    watch.running = false
    await watching
    assert.deepEqual([...new Set(seen)], [0, 2])
  })

  it('no other write runs between the writes of a transaction', async () => {
    const { options } = storage()
    await options.write('counter', '0')
    const increment = (): Promise<void> =>
      storage().transaction(async (inside) => {
        const count = Number(await inside.options.read('counter'))
        await sleep(1)
        await inside.options.write('counter', String(count + 1))
      })
    await Promise.all([...Array.from({ length: 10 }, increment), options.write('other', 'x')])
    assert.equal(await options.read('counter'), '10')
  })

  it('a failed part of a transaction is rolled back alone, also among concurrent parts', async () => {
    const taken = await storage().posts.insert(aPost())
    await storage().transaction(async (inside) => {
      const outcomes = await Promise.allSettled([
        inside.posts.insert(aPost({ post_name: 'part' })),
        inside.posts.insert(aPost({ ID: taken, post_name: 'part' })),
        inside.transaction(async (part) => {
          await part.posts.insert(aPost({ post_name: 'part' }))
          throw new Error('no')
        }),
        inside.transaction(async (part) => part.posts.insert(aPost({ post_name: 'part' }))),
      ])
      assert.deepEqual(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
      )
    })
    assert.equal(await slugs('part'), 2)
  })

  it('concurrent short transactions fail independently', async () => {
    const taken = await storage().posts.insert(aPost())
    const outcomes = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) =>
        storage().write(async ({ posts }) => {
          const id = await posts.insert(aPost({ post_name: 'short' }))
          await posts.meta.add(id, 'short', String(index))
          if (index % 3 === 1) throw new Error('no')
          if (index % 3 === 2) await posts.insert(aPost({ ID: taken }))
          return id
        }),
      ),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      outcomes.map((_, index) => (index % 3 === 0 ? 'fulfilled' : 'rejected')),
    )
    assert.equal(await slugs('short'), 10)
    const { meta } = storage().posts
    for (const outcome of outcomes)
      if (outcome.status === 'fulfilled') assert.equal((await meta.all(outcome.value)).length, 1)
  })

  it('a transaction continues after a failed statement', async () => {
    const taken = await storage().posts.insert(aPost())
    await storage().transaction(async ({ posts }) => {
      await posts.insert(aPost({ post_name: 'on' }))
      await assert.rejects(posts.insert(aPost({ ID: taken })), { fault: 'constraint' })
      await Promise.all([posts.update(taken, { post_status: 'draft' }), posts.insert(aPost({ post_name: 'on' }))])
    })
    assert.equal(await slugs('on'), 2)
  })

  it('a transaction refuses to be used after its end', async () => {
    const late = await storage().transaction(async (inside) => inside)
    await assert.rejects(late.posts.insert(aPost({ post_name: 'late' })), { fault: 'transaction' })
    await assert.rejects(late.posts.find(1), { fault: 'transaction' })
    assert.equal(await slugs('late'), 0)
  })

  it('many concurrent writes are independent', async () => {
    const taken = await storage().posts.insert(aPost())
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        storage().posts.insert(aPost(index % 10 === 0 ? { ID: taken } : { post_name: 'crowd' })),
      ),
    )
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 180)
    assert.equal(await slugs('crowd'), 180)
  })

  it('of writers that lock a name before they look for it, one finds it free', async () => {
    const claim = () =>
      storage().write(async (inside) => {
        await inside.lock(['slug:claimed', 'slug:another', 'slug:claimed'])
        if ((await slugs('claimed', inside)) > 0) return false
        await inside.posts.insert(aPost({ post_name: 'claimed' }))
        return true
      })
    const claims = await Promise.all(Array.from({ length: 20 }, claim))
    assert.equal(claims.filter(Boolean).length, 1)
    assert.equal(await slugs('claimed'), 1)
  })

  it('a nested write can lock a name, and a failed one keeps the transaction', async () => {
    await storage().transaction(async (outer) => {
      const failing = outer.write(async (inside) => {
        await inside.lock(['slug:nested'])
        throw new Error('no')
      })
      await assert.rejects(failing, /^Error: no$/)
      await outer.write(async (inside) => inside.lock(['slug:nested']))
      await outer.posts.insert(aPost({ post_name: 'nested' }))
    })
    assert.equal(await slugs('nested'), 1)
  })

  it('a name cannot be locked outside a transaction', () =>
    assert.rejects(storage().lock(['slug:outside']), { fault: 'transaction' }))

  it('the storage responds to a ping', () => storage().ping())
}
