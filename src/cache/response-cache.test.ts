import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trackDependency } from './dependencies.js'
import { ResponseCache } from './response-cache.js'

/** A database with counters that a test sets. */
function counted() {
  const versions = new Map<string, number>()
  let token = 0
  return {
    changeToken: async () => token,
    versions: async () => new Map(versions),
    write(tag: string) {
      versions.set(tag, (versions.get(tag) ?? 0) + 1)
      token += 1
    },
    /** As a restored copy from before all writes to this tag but `count`. */
    restore(tag: string, count: number) {
      versions.set(tag, count)
      token += 1
    },
  }
}

/** Until what has begun waits for something else: the versions are read at the end of a tick, and up to twice by one reader. */
async function turn(): Promise<void> {
  for (let tick = 0; tick < 6; tick += 1) await new Promise((resolve) => setImmediate(resolve))
}

const forever = { seconds: 60, tags: null }

test('the cache holds at most its bytes, whatever the length of the keys', async () => {
  const cache = new ResponseCache<object>(counted(), { bytes: 100_000, clock: () => 0 })
  const now = await cache.currentVersions()
  const sizes: number[] = []
  for (let index = 0; index < 2000; index += 1) {
    const size = (index * 37) % 20_000
    sizes.push(index + size)
    const compute = async () => ({ response: {}, size, use: 'keep' }) as const
    await cache.computeOrJoin('k'.repeat(index), now, { ...forever, compute })
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
  const compute = async () => {
    trackDependency('product')
    const of = (runs += 1)
    await opened
    return { response: { of }, size: 1, use: 'keep' } as const
  }
  const read = async () => cache.computeOrJoin('k', await cache.currentVersions(), { ...forever, compute })
  const early = [read(), read()]
  await turn()
  database.write('page')
  const unconcerned = read()
  await turn()
  database.write('product')
  const late = [read(), read(), read()]
  await turn()
  open()
  assert.deepEqual(await Promise.all([...early, unconcerned]), [{ of: 1 }, { of: 1 }, { of: 1 }])
  assert.deepEqual(await Promise.all(late), [{ of: 2 }, { of: 2 }, { of: 2 }])
  assert.deepEqual(cache.find('k', await cache.currentVersions()), { of: 2 })
  database.write('product')
  assert.equal(cache.find('k', await cache.currentVersions()), null)
})

test('a response that depends on a cached response is dropped with it', async () => {
  const database = counted()
  const cache = new ResponseCache<object>(database, { bytes: 100_000, clock: () => 0 })
  const inner = async () => {
    trackDependency('product')
    return { response: {}, size: 1, use: 'keep' } as const
  }
  await cache.computeOrJoin('inner', await cache.currentVersions(), { ...forever, compute: inner })
  const outer = async () => {
    assert.ok(cache.find('inner', await cache.currentVersions()))
    return { response: {}, size: 1, use: 'keep' } as const
  }
  await cache.computeOrJoin('outer', await cache.currentVersions(), { ...forever, compute: outer })
  assert.ok(cache.find('outer', await cache.currentVersions()))
  database.write('product')
  assert.equal(cache.find('outer', await cache.currentVersions()), null)
})

test('a response computed after a reader began is given to that reader and stays cached', async () => {
  const database = counted()
  const cache = new ResponseCache<{ of: number }>(database, { bytes: 100_000, clock: () => 0 })
  const before = await cache.currentVersions()
  database.write('post')
  const compute = async () => {
    trackDependency('post')
    return { response: { of: 1 }, size: 1, use: 'keep' } as const
  }
  await cache.computeOrJoin('k', await cache.currentVersions(), { ...forever, compute })
  assert.deepEqual(cache.find('k', before), { of: 1 })
  assert.deepEqual(cache.find('k', await cache.currentVersions()), { of: 1 })
  database.write('post')
  assert.equal(cache.find('k', await cache.currentVersions()), null)
})

test('no reader joins a computation older than ten seconds, and readers join the one that follows it', async (context) => {
  let now = 0
  context.mock.method(performance, 'now', () => now)
  const cache = new ResponseCache<{ of: number }>(counted(), { bytes: 100_000, clock: () => 0 })
  const ends: (() => void)[] = []
  const compute = async () => {
    const of = ends.length + 1
    await new Promise<void>((resolve) => ends.push(resolve))
    return { response: { of }, size: 1, use: 'share' } as const
  }
  const read = () => cache.computeOrJoin('k', { moment: 0, restores: 0, byTag: new Map() }, { ...forever, compute })
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

/** A computation that waits for its end, and the number of those that began. */
function heldComputations() {
  const ends: ((fails: boolean) => void)[] = []
  const compute = async () => {
    trackDependency('product')
    const of = ends.length + 1
    if (await new Promise<boolean>((resolve) => ends.push(resolve))) throw new Error(`failure ${of}`)
    return { response: { of }, size: 1, use: 'keep' } as const
  }
  return { ends, compute }
}

test('a failure is thrown to the readers from before the write that it missed, and later readers compute again', async () => {
  const database = counted()
  const cache = new ResponseCache<{ of: number }>(database, { bytes: 100_000, clock: () => 0 })
  const { ends, compute } = heldComputations()
  const read = async () => cache.computeOrJoin('k', await cache.currentVersions(), { ...forever, compute })
  const early = [read(), read()].map((reader) => assert.rejects(reader, /failure 1/))
  await turn()
  database.write('page')
  const late = [read(), read(), read()]
  await turn()
  assert.equal(ends.length, 1)
  ends[0]?.(true)
  await Promise.all(early)
  await turn()
  assert.equal(ends.length, 2, 'they share one computation')
  ends[1]?.(false)
  assert.deepEqual(await Promise.all(late), [{ of: 2 }, { of: 2 }, { of: 2 }])
})

test('versions that cannot be read fail the reader that needs them, and the others read them again', async () => {
  const database = counted()
  let failures = 0
  const versions = async () => {
    if (failures > 0) throw new Error(`locked ${(failures -= 1)}`)
    return database.versions()
  }
  const cache = new ResponseCache<object>({ ...database, versions }, { bytes: 100_000, clock: () => 0 })
  const before = await cache.currentVersions()
  database.write('product')
  const now = await cache.currentVersions()
  database.write('product')
  failures = 1
  const compute = async () => ({ response: {}, size: 1, use: 'keep' }) as const
  const first = assert.rejects(cache.computeOrJoin('k', before, { ...forever, compute }), /locked/)
  const second = cache.computeOrJoin('k', now, { ...forever, compute })
  await first
  assert.deepEqual(await second, {})
})

test('a response is stale after a restore, also when later writes bring its versions back', async () => {
  const database = counted()
  const cache = new ResponseCache<{ of: number }>(database, { bytes: 100_000, clock: () => 0 })
  let runs = 0
  const compute = async () => {
    trackDependency('product')
    return { response: { of: (runs += 1) }, size: 1, use: 'keep' } as const
  }
  for (let count = 0; count < 3; count += 1) database.write('product')
  await cache.computeOrJoin('k', await cache.currentVersions(), { ...forever, compute })
  database.restore('product', 2)
  assert.equal(cache.find('k', await cache.currentVersions()), null)
  await cache.computeOrJoin('k', await cache.currentVersions(), { ...forever, compute })
  database.write('product')
  assert.equal(cache.find('k', await cache.currentVersions()), null)
})

test('a reader after a restore never gets a response that began before it', async () => {
  const database = counted()
  const cache = new ResponseCache<{ of: number }>(database, { bytes: 100_000, clock: () => 0 })
  const { ends, compute } = heldComputations()
  for (let count = 0; count < 3; count += 1) database.write('product')
  const read = async () => cache.computeOrJoin('k', await cache.currentVersions(), { ...forever, compute })
  const early = read()
  await turn()
  database.restore('product', 1)
  const late = read()
  await turn()
  ends[0]?.(false)
  await turn()
  ends[1]?.(false)
  assert.deepEqual([await early, await late], [{ of: 1 }, { of: 2 }])
  assert.deepEqual(cache.find('k', await cache.currentVersions()), { of: 2 })
})

test('a response that a write has overtaken is not cached, so a restore cannot make it valid', async () => {
  const database = counted()
  const cache = new ResponseCache<{ of: number }>(database, { bytes: 100_000, clock: () => 0 })
  const { ends, compute } = heldComputations()
  database.write('product')
  const first = cache.computeOrJoin('k', await cache.currentVersions(), { ...forever, compute })
  await turn()
  database.write('product')
  ends[0]?.(false)
  await first
  database.restore('product', 1)
  assert.equal(cache.find('k', await cache.currentVersions()), null)
})
