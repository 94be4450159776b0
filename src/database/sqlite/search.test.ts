import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { openSqlite } from './open-sqlite.js'

const page = { order: [], limit: 10, offset: 0 }
const search = (...include: string[]) => ({ ...page, search: { include, exclude: [] } })

async function openDatabase(context: TestContext) {
  const storage = await openSqlite('sqlite::memory:')
  context.after(() => storage.close())
  return storage
}

describe('a condition on metadata that contain a text', () => {
  it('takes no longer for the worst text than a few comparisons with a letter', async (context) => {
    const storage = await openDatabase(context)
    for (const value of ['a'.repeat(900_000), 'σ'.repeat(450_000)])
      await storage.posts.meta.add(await storage.posts.insert(aPost({})), 'note', value)
    const took = async (text: string) => {
      const begin = performance.now()
      const meta = { key: 'note', compare: 'contains', as: 'text without case', values: [text] } as const
      assert.equal(await storage.posts.count({ ...page, meta }), 0)
      return performance.now() - begin
    }
    const usual = Math.max(await took('b'), await took('b'), await took('b'))
    for (const worst of [`${'a'.repeat(199)}b`, `${'Σ'.repeat(199)}ω`])
      assert.ok(Math.min(await took(worst), await took(worst), await took(worst)) < 40 * usual, worst.slice(0, 5))
  })
})

describe('a search', () => {
  it('leaves turns of the event loop to other requests', async (context) => {
    const storage = await openDatabase(context)
    // A comparison at each position takes quadratic time for this word in these texts.
    const content = 'a'.repeat(900_000)
    for (let count = 0; count < 8; count += 1) await storage.posts.insert(aPost({ post_content: content }))
    const progress = { isOver: false }
    const posts = Promise.resolve(storage.posts.list(search(`${'a'.repeat(150)}b`))).finally(() => {
      progress.isOver = true
    })
    let reads = 0
    while (!progress.isOver && reads < 5) {
      await new Promise((resolve) => setImmediate(resolve))
      await storage.posts.find(1)
      reads += 1
    }
    assert.equal(reads, 5)
    assert.deepEqual((await posts).rows, [])
  })

  it('finds a post after any write, and equal searches share their result', async (context) => {
    const storage = await openDatabase(context)
    const count = () => storage.posts.count(search('lamp'))
    assert.equal(await count(), 0)
    const id = await storage.posts.insert(aPost({ post_title: 'Red LAMP' }))
    assert.deepEqual(await Promise.all([count(), count()]), [1, 1])
    await storage.posts.update(id, { post_title: 'Table' })
    assert.equal(await count(), 0)
    await storage.transaction(async ({ posts }) => {
      await posts.update(id, { post_title: 'Lamp' })
      assert.equal(await posts.count(search('lamp')), 1)
    })
    assert.equal(await count(), 1)
  })

  it('finds at most 10,000 posts, those with the highest ids', async (context) => {
    const storage = await openDatabase(context)
    const ids: number[] = []
    await storage.transaction(async ({ posts }) => {
      for (let count = 0; count < 10_005; count += 1) ids.push(await posts.insert(aPost({ post_title: 'Lamp' })))
    })
    assert.equal(await storage.posts.count(search('lamp')), 10_000)
    const { rows } = await storage.posts.list({ ...search('lamp'), order: [{ by: 'id', direction: 'asc' }] })
    assert.equal(rows[0]?.post.ID, ids[5])
    const last = await storage.posts.list({ ...search('lamp'), order: [{ by: 'id', direction: 'asc' }], offset: 9_995 })
    assert.deepEqual(
      last.rows.map(({ post }) => post.ID),
      ids.slice(-5),
    )
  })

  it('is refused as busy when too many others wait', async (context) => {
    const storage = await openDatabase(context)
    for (let count = 0; count < 3000; count += 1) await storage.posts.insert(aPost({ post_title: 'Lamp' }))
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, async (_, index) => storage.posts.count(search(`lamp${index}`))),
    )
    const refusals = results.filter((result) => result.status === 'rejected')
    assert.ok(refusals.length > 0 && refusals.length < 60, `${refusals.length} of 60 were refused`)
    for (const { reason } of refusals) assert.equal((reason as { code: string }).code, 'storage-busy')
    assert.equal(await storage.posts.count(search('lamp')), 3000)
  })

  for (const [what, type] of [
    ['texts', 'post'],
    ['rows of other types', 'page'],
  ] as const)
    it(`is refused as busy when it reads ${what} for more than ten seconds`, async (context) => {
      const storage = await openDatabase(context)
      const post_content = 'x'.repeat(1000)
      for (let count = 0; count < 1500; count += 1)
        await storage.posts.insert(aPost({ post_type: 'post', post_content }))
      let now = performance.now()
      const clock = context.mock.method(performance, 'now', () => (now += 6000))
      const lamps = { ...search('lamp'), types: [type] }
      await assert.rejects(async () => storage.posts.count(lamps), { code: 'storage-busy' })
      clock.mock.restore()
      assert.equal(await storage.posts.count(lamps), 0)
    })
})
