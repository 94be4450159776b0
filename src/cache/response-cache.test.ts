import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trackDependency } from './dependencies.js'
import { ResponseCache } from './response-cache.js'

/** A database with counters that a test sets. */
function counted() {
  const versions = new Map<string, number>()
  let token = 0
  return {
    changeToken: () => token,
    versions: async () => new Map(versions),
    write(tag: string) {
      versions.set(tag, (versions.get(tag) ?? 0) + 1)
      token += 1
    },
  }
}

const forever = { seconds: 60, tags: null }

test('the cache holds at most its bytes, whatever the length of the keys', async () => {
  const cache = new ResponseCache<object>(counted(), { bytes: 100_000, clock: () => 0 })
  const now = await cache.now()
  const sizes: number[] = []
  for (let index = 0; index < 2000; index += 1) {
    const size = (index * 37) % 20_000
    sizes.push(index + size)
    const make = async () => ({ response: {}, size, use: 'keep' }) as const
    await cache.make('k'.repeat(index), now, { ...forever, make })
    if (index % 100 !== 99) continue
    const sizesInCache = sizes.filter((_, length) => cache.find('k'.repeat(length), now) !== null)
    assert.ok(sizesInCache.length > 0 && sizesInCache.length < 200)
    assert.ok(sizesInCache.reduce((sum, one) => sum + one, 0) <= 100_000)
  }
})

test('readers after a write share one new computation and never get one that began before the write', async () => {
  const database = counted()
  const cache = new ResponseCache<{ of: number }>(database, { bytes: 100_000, clock: () => 0 })
  let runs = 0
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const make = async () => {
    trackDependency('product')
    const of = (runs += 1)
    await opened
    return { response: { of }, size: 1, use: 'keep' } as const
  }
  const read = async () => cache.make('k', await cache.now(), { ...forever, make })
  const early = [read(), read()]
  await new Promise((resolve) => setImmediate(resolve))
  database.write('page')
  const unconcerned = read()
  await new Promise((resolve) => setImmediate(resolve))
  database.write('product')
  const late = [read(), read(), read()]
  await new Promise((resolve) => setImmediate(resolve))
  open()
  assert.deepEqual(await Promise.all([...early, unconcerned]), [{ of: 1 }, { of: 1 }, { of: 1 }])
  assert.deepEqual(await Promise.all(late), [{ of: 2 }, { of: 2 }, { of: 2 }])
  assert.deepEqual(cache.find('k', await cache.now()), { of: 2 })
  database.write('product')
  assert.equal(cache.find('k', await cache.now()), null)
})

test('a response that depends on a cached response is dropped with it', async () => {
  const database = counted()
  const cache = new ResponseCache<object>(database, { bytes: 100_000, clock: () => 0 })
  const inner = async () => {
    trackDependency('product')
    return { response: {}, size: 1, use: 'keep' } as const
  }
  await cache.make('inner', await cache.now(), { ...forever, make: inner })
  const outer = async () => {
    assert.ok(cache.find('inner', await cache.now()))
    return { response: {}, size: 1, use: 'keep' } as const
  }
  await cache.make('outer', await cache.now(), { ...forever, make: outer })
  assert.ok(cache.find('outer', await cache.now()))
  database.write('product')
  assert.equal(cache.find('outer', await cache.now()), null)
})

test('a response computed after a reader began is given to that reader and stays cached', async () => {
  const database = counted()
  const cache = new ResponseCache<{ of: number }>(database, { bytes: 100_000, clock: () => 0 })
  const before = await cache.now()
  database.write('post')
  const make = async () => {
    trackDependency('post')
    return { response: { of: 1 }, size: 1, use: 'keep' } as const
  }
  await cache.make('k', await cache.now(), { ...forever, make })
  assert.deepEqual(cache.find('k', before), { of: 1 })
  assert.deepEqual(cache.find('k', await cache.now()), { of: 1 })
  database.write('post')
  assert.equal(cache.find('k', await cache.now()), null)
})

test('no reader joins a computation older than ten seconds, and readers join the one that follows it', async (context) => {
  let now = 0
  context.mock.method(performance, 'now', () => now)
  const cache = new ResponseCache<{ of: number }>(counted(), { bytes: 100_000, clock: () => 0 })
  const ends: (() => void)[] = []
  const make = async () => {
    const of = ends.length + 1
    await new Promise<void>((resolve) => ends.push(resolve))
    return { response: { of }, size: 1, use: 'share' } as const
  }
  const read = () => cache.make('k', new Map(), { ...forever, make })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const first = [read()]
  await turn()
  now += 10_000
  first.push(read())
  await turn()
  assert.equal(ends.length, 1)
  now += 1
  const second = [read()]
  await turn()
  assert.equal(ends.length, 2)
  ends[0]?.()
  assert.deepEqual(await Promise.all(first), [{ of: 1 }, { of: 1 }])
  // The first has ended, the second is still being made.
  second.push(read())
  await turn()
  assert.equal(ends.length, 2)
  ends[1]?.()
  assert.deepEqual(await Promise.all(second), [{ of: 2 }, { of: 2 }])
})
