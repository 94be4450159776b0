import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tagsOfTypes, VersionsAtToken } from '../kind-versions.js'
import { RowCache } from './row-cache.js'

const noVersions = (): never => assert.fail('rows of any kind need no versions')

/** A database with one row, which counts what is asked of it. */
function database() {
  const counts = { tokenReads: 0, rowReads: 0, decoded: 0 }
  let token = 1
  let row: unknown = 'first'
  const cache = new RowCache()
  return {
    counts,
    write(value: unknown) {
      row = value
      token += 1
    },
    read(key = 'page 1') {
      return cache.rows(
        {
          key,
          read: () => ((counts.rowReads += 1), JSON.stringify([row])),
          decode: (json) => ((counts.decoded += 1), JSON.parse(json) as readonly unknown[]),
        },
        { changeToken: async () => ((counts.tokenReads += 1), token), versionsAt: noVersions },
      )
    },
  }
}

test('cached rows are read again only after a write, and decoded again only when their JSON has changed', async () => {
  const { read, write, counts } = database()
  for (let time = 0; time < 5; time += 1) assert.deepEqual((await read()).rows, ['first'])
  assert.deepEqual(counts, { tokenReads: 4, rowReads: 2, decoded: 2 })
  // Another row was written.
  write('first')
  for (let time = 0; time < 2; time += 1) assert.deepEqual((await read()).rows, ['first'])
  assert.deepEqual(counts, { tokenReads: 6, rowReads: 3, decoded: 2 })
  for (const value of ['second', 'first', 'third', 'third', 'first']) {
    write(value)
    for (let time = 0; time < 2; time += 1) assert.deepEqual((await read()).rows, [value])
  }
})

test('the first read of a key reads no change token and caches nothing', async () => {
  const { read, counts } = database()
  for (let page = 1; page <= 100; page += 1) assert.equal((await read(`page ${page}`)).derived, null)
  assert.deepEqual(counts, { tokenReads: 0, rowReads: 100, decoded: 100 })
})

test('readers that wait for the same token share what the first of them reads', async () => {
  const cache = new RowCache()
  let token = 1
  let reads = 0
  const read = () =>
    cache.rows(
      {
        key: 'page 1',
        read: () => JSON.stringify([token, (reads += 1)]),
        decode: (json) => JSON.parse(json) as readonly number[],
      },
      { changeToken: () => pending, versionsAt: noVersions },
    )
  let pending = Promise.resolve(token)
  for (let time = 0; time < 3; time += 1) await read()
  assert.equal(reads, 2)
  token = 2
  pending = Promise.resolve(token)
  const rowSets = await Promise.all([read(), read(), read()])
  for (const { rows } of rowSets) assert.deepEqual(rows, [2, 3])
})

test('rows that were written while they were read are read again', async () => {
  const cache = new RowCache()
  let token = 1
  let row = 'before'
  const read = (whileReading = () => undefined as void) =>
    cache.rows(
      {
        key: 'page 1',
        read: async () => {
          const json = JSON.stringify([row])
          whileReading()
          return json
        },
        decode: (json) => JSON.parse(json) as readonly unknown[],
      },
      { changeToken: async () => token, versionsAt: noVersions },
    )
  await read()
  await read(() => {
    row = 'after'
    token += 1
  })
  assert.deepEqual((await read()).rows, ['after'])
})

test('values derived from cached rows stay until other rows are read', async () => {
  const { read, write } = database()
  await read()
  const { derived } = await read()
  derived?.set('length', 1)
  assert.equal((await read()).derived?.get('length'), 1)
  // The same rows: a write elsewhere leaves what was derived of them in place.
  write('first')
  assert.equal((await read()).derived?.get('length'), 1)
  write('second')
  assert.equal((await read()).derived?.get('length'), undefined)
})

test('long results and long keys are not cached', async () => {
  const { read, write, counts } = database()
  write('x'.repeat(40_000))
  for (let time = 0; time < 3; time += 1) assert.equal((await read()).derived, null)
  for (let time = 0; time < 3; time += 1) await read('x'.repeat(10_000))
  assert.equal(counts.rowReads, 6)
})

test('the cache is bounded, and the most recently read rows stay', async () => {
  const { read, write, counts } = database()
  write('x'.repeat(30_000))
  for (let page = 1; page <= 200; page += 1) for (let time = 0; time < 2; time += 1) await read(`page ${page}`)
  const before = counts.rowReads
  await read('page 200')
  assert.equal(counts.rowReads, before)
  await read('page 1')
  assert.equal(counts.rowReads, before + 1)
})

test('a token that cannot be read fails the read', async () => {
  const cache = new RowCache()
  const read = (changeToken: () => Promise<number>) =>
    cache.rows(
      { key: 'page 1', read: () => '[1]', decode: (json) => JSON.parse(json) as readonly number[] },
      { changeToken, versionsAt: noVersions },
    )
  await read(async () => 1)
  await assert.rejects(async () => read(() => Promise.reject(new Error('locked'))), /locked/)
  assert.deepEqual((await read(async () => 1)).rows, [1])
})

/** A database with one row of each of two kinds. It counts the reads of each sort. */
function databaseOfKinds() {
  const counts = { tokenReads: 0, versionReads: 0, rowReads: 0 }
  const stored = new Map([
    ['product', 1],
    ['post', 1],
  ])
  let token = 1
  let history = 'first'
  const cache = new RowCache()
  const versions = new VersionsAtToken(
    () => ((counts.versionReads += 1), new Map(stored)),
    () => history,
  )
  const read = async (kind: string, tags: readonly string[] | null = [kind]) => {
    const rowSet = await cache.rows(
      {
        key: kind,
        read: () => ((counts.rowReads += 1), JSON.stringify([stored.get(kind)])),
        decode: (json) => JSON.parse(json) as readonly number[],
        tagsOf: () => tags,
      },
      { changeToken: async () => ((counts.tokenReads += 1), token), versionsAt: (at) => versions.at(at) },
    )
    return rowSet.rows[0]
  }
  return {
    counts,
    read,
    write(kind: string) {
      stored.set(kind, (stored.get(kind) ?? 0) + 1)
      token += 1
    },
    /** The connection is lost, and the server may be another one. */
    loseConnection() {
      history = `after ${history}`
      token += 1
    },
    /** Has the row cached, and writes of the other kind noticed. */
    async warm(kind: string, tags?: readonly string[] | null) {
      for (let time = 0; time < 3; time += 1) {
        await read(kind, tags)
        token += 1
      }
      await read(kind, tags)
      Object.assign(counts, { tokenReads: 0, versionReads: 0, rowReads: 0 })
    },
  }
}

test('a write of one kind leaves cached rows of another in place, and its own are read again', async () => {
  const { read, write, warm, counts } = databaseOfKinds()
  await warm('product')
  for (let time = 0; time < 10; time += 1) {
    write('post')
    assert.equal(await read('product'), 1)
  }
  assert.deepEqual(counts, { tokenReads: 10, versionReads: 10, rowReads: 0 })
  write('product')
  assert.equal(await read('product'), 2)
  assert.deepEqual(counts, { tokenReads: 11, versionReads: 11, rowReads: 1 })
})

test('the versions are read once for a token, however many cached rows it decides about', async () => {
  const { read, write, warm, counts } = databaseOfKinds()
  await warm('product')
  await warm('post')
  write('terms')
  for (let time = 0; time < 5; time += 1) for (const kind of ['product', 'post']) await read(kind)
  assert.deepEqual(counts, { tokenReads: 10, versionReads: 1, rowReads: 0 })
})

test('rows that each write changes are read again without a read of the versions', async () => {
  const { read, write, counts } = databaseOfKinds()
  for (let time = 0; time < 5; time += 1) {
    write('product')
    assert.equal(await read('product'), time + 2)
  }
  assert.equal(counts.versionReads, 0)
})

test('rows of an unknown kind are read again after every write', async () => {
  const { read, write, warm, counts } = databaseOfKinds()
  await warm('product', null)
  write('post')
  await read('product', null)
  assert.deepEqual(counts, { tokenReads: 1, versionReads: 0, rowReads: 1 })
})

test('a write of a kind that a collation may take for another one voids the rows of all kinds', async () => {
  const { read, write, warm, counts } = databaseOfKinds()
  await warm('product')
  write('próduct')
  await read('product')
  assert.equal(counts.rowReads, 1)
  assert.deepEqual(tagsOfTypes(['Product', 'post']), ['product', 'post'])
  for (const type of ['próduct', 'product ', '']) assert.equal(tagsOfTypes(['post', type]), null)
})

test('equal versions from before and after a lost connection keep no rows', async () => {
  const { read, loseConnection, warm, counts } = databaseOfKinds()
  await warm('product')
  loseConnection()
  assert.equal(await read('product'), 1)
  assert.deepEqual(counts, { tokenReads: 1, versionReads: 1, rowReads: 1 })
})
