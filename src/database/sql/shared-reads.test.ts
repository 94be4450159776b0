import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as fc from 'fast-check'
import type { ChangeToken, PostQuery } from '../storage.js'
import { sqliteDialect } from '../sqlite/sqlite-dialect.js'
import { VersionsAtToken } from '../kind-versions.js'
import { RowCache, type Freshness } from './row-cache.js'
import type { SqlConnection, SqlRow } from './sql-connection.js'
import { sqlStorage } from './sql-storage.js'
import { tableNames } from './table-names.js'

/** A statement on its way: first to the database, which executes it, then back with the result. */
interface Statement {
  readonly kind: 'token' | 'versions' | 'rows'
  execute(): void
  answer(): void
}

/**
 * A database on a server, with one number in it. A test says when a statement is executed and when its answer arrives. A
 * statement that was not told to be executed executes as its answer is sent.
 */
function remoteNumber() {
  const statements: Statement[] = []
  const counts = { token: 0, versions: 0, rows: 0 }
  let stored = 0
  /** Another database of the same server has had so many writes, which change the token as well. */
  let elsewhere = 0
  const send = <T>(kind: Statement['kind'], value: () => T): Promise<T> =>
    new Promise((resolve) => {
      counts[kind] += 1
      let result: { readonly value: T } | null = null
      const execute = (): void => void (result ??= { value: value() })
      statements.push({
        kind,
        execute,
        answer() {
          execute()
          if (result !== null) resolve(result.value)
        },
      })
    })
  return {
    counts,
    statements,
    write: () => (stored += 1),
    writeElsewhere: () => (elsewhere += 1),
    token: () => send('token', () => `${stored}/${elsewhere}`),
    versions: () => send('versions', () => new Map(Object.entries({ number: stored, other: elsewhere }))),
    rows: () => send('rows', () => JSON.stringify([stored])),
    /** Answers the statements that were sent up to now. */
    async answer(kind?: Statement['kind']) {
      const answered = statements.filter((statement) => kind === undefined || statement.kind === kind)
      for (const statement of answered) {
        statements.splice(statements.indexOf(statement), 1)
        statement.answer()
      }
      await nextTurn()
    },
  }
}

const freshnessOf = (changeToken: () => Promise<ChangeToken>): Freshness => ({
  changeToken,
  versionsAt: () => assert.fail('the kind is not known'),
})

function cachedNumber() {
  const database = remoteNumber()
  const cache = new RowCache()
  const versions = new VersionsAtToken(database.versions, () => '')
  const freshness = { changeToken: database.token, versionsAt: (token: ChangeToken) => versions.at(token) }
  const read = async (): Promise<number> => {
    const rowRead = {
      key: 'number',
      read: database.rows,
      decode: (json: string) => JSON.parse(json) as number[],
      tagsOf: () => ['number'],
    }
    const { rows } = await cache.rows(rowRead, freshness)
    return rows[0] ?? Number.NaN
  }
  return { ...database, read }
}

/** The same after the number was read often enough to be cached. */
async function warmNumber() {
  const number = cachedNumber()
  for (let time = 0; time < 2; time += 1) {
    const result = number.read()
    await number.answer()
    await number.answer()
    await result
  }
  Object.assign(number.counts, { token: 0, versions: 0, rows: 0 })
  return number
}

test('readers of the same token share a read, also one that is in flight already', async () => {
  const { read, answer, write, counts } = await warmNumber()
  write()
  const first = Array.from({ length: 50 }, read)
  await answer('token')
  assert.equal(counts.rows, 1)
  const later = Array.from({ length: 50 }, read)
  await answer('token')
  assert.equal(counts.rows, 1)
  await answer('rows')
  assert.deepEqual(new Set(await Promise.all([...first, ...later])), new Set([1]))
})

test('a reader that began before a read was sent shares it, whatever its token', async () => {
  const { read, answer, statements, write, writeElsewhere, counts } = await warmNumber()
  write()
  const early = read()
  const late = read()
  const [ofEarly, ofLate] = statements.splice(0)
  ofEarly?.answer()
  await nextTurn()
  writeElsewhere()
  ofLate?.answer()
  await nextTurn()
  assert.equal(counts.rows, 1)
  await answer()
  assert.deepEqual(await Promise.all([early, late]), [1, 1])
})

test('a reader that begins after a write does not share a read that was sent before it', async () => {
  const { read, answer, statements, write, counts } = await warmNumber()
  write()
  const before = read()
  await answer('token')
  // Executed before the write; its answer is slow.
  for (const { execute } of statements) execute()
  write()
  const after = read()
  await answer('token')
  assert.equal(counts.rows, 2)
  await answer()
  assert.deepEqual(await Promise.all([before, after]), [1, 2])
  const again = read()
  await answer('token')
  assert.equal(counts.rows, 2, 'the rows of the later read stay cached')
  assert.equal(await again, 2)
})

test('rows of a read that ends late do not replace those of a read that was sent after it', async () => {
  const { read, answer, statements, write, counts } = await warmNumber()
  write()
  const slow = read()
  await answer('token')
  const [slowRows] = statements.splice(0)
  slowRows?.execute()
  write()
  const fast = read()
  await answer('token')
  await answer('rows')
  assert.equal(await fast, 2)
  slowRows?.answer()
  assert.equal(await slow, 1)
  const again = read()
  await answer('token')
  assert.deepEqual([await again, counts.rows], [2, 2])
})

test('a failed read fails for all readers that share it, and the next reader sends a new one', async () => {
  const cache = new RowCache()
  let fail = (_error: Error): void => undefined
  const read = () =>
    cache.rows(
      {
        key: 'number',
        read: () => new Promise<string>((_, reject) => (fail = reject)),
        decode: (json) => JSON.parse(json) as number[],
      },
      freshnessOf(async () => 'token'),
    )
  const seen = read()
  fail(new Error('not cached yet'))
  await assert.rejects(async () => seen)
  const outcomes = Promise.allSettled([read(), read()])
  await nextTurn()
  fail(new Error('lost'))
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  const next = cache.rows(
    { key: 'number', read: () => '[1]', decode: (json) => JSON.parse(json) as number[] },
    freshnessOf(async () => 1),
  )
  assert.deepEqual((await next).rows, [1])
})

test('a read that follows an acknowledged write returns its rows, in every order of statements', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ what: 'read' as const, at: 0 }) },
    fc.constant({ what: 'write' as const, at: 0 }),
    fc.constant({ what: 'writeElsewhere' as const, at: 0 }),
    { weight: 2, arbitrary: fc.record({ what: fc.constant('execute' as const), at: fc.nat(9) }) },
    { weight: 4, arbitrary: fc.record({ what: fc.constant('answer' as const), at: fc.nat(9) }) },
  )
  let readers = 0
  let reads = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const number = await warmNumber()
      let written = 0
      const results: Promise<void>[] = []
      const readNow = async (): Promise<void> => {
        const atLeast = written
        const result = await number.read()
        assert.ok(result >= atLeast, `${result} was read after ${atLeast} had been written`)
      }
      for (const { what, at } of steps) {
        if (what === 'read') results.push(readNow())
        if (what === 'write') written = number.write()
        if (what === 'writeElsewhere') number.writeElsewhere()
        const index = at % Math.max(1, number.statements.length)
        if (what === 'execute') number.statements[index]?.execute()
        if (what === 'answer') number.statements.splice(index, 1)[0]?.answer()
        for (let turn = 0; turn < 8; turn += 1) await Promise.resolve()
      }
      const outcomes = Promise.allSettled(results)
      for (let turn = 0; turn < 4; turn += 1) await number.answer()
      for (const outcome of await outcomes) if (outcome.status === 'rejected') throw outcome.reason
      readers += results.length
      reads += number.counts.rows
    }),
    { numRuns: 500 },
  )
  assert.ok(reads < readers / 2, `${readers} readers shared ${reads} reads`)
})

test('fifty concurrent requests of a list, after a write, cost one read of the token and one of the rows', async () => {
  const sent: string[] = []
  let token = 1
  const afterwards = async <T>(text: string, value: T): Promise<T> => {
    sent.push(text)
    await nextTurn()
    return value
  }
  const reader: SqlConnection = {
    query: (text) => afterwards(text, []),
    row: (text): Promise<SqlRow> => afterwards(text, [text.includes('COUNT') ? 3 : '[]']),
    execute: (text) => afterwards(text, 0),
    insert: (text) => afterwards(text, 0),
  }
  const refuse = () => Promise.reject(new Error('no write is expected'))
  const storage = sqlStorage(
    {
      dialect: sqliteDialect,
      reader,
      write: refuse,
      transaction: refuse,
      changeToken: () => afterwards('token', token),
      close: async () => undefined,
    },
    tableNames('wp_'),
    new RowCache(),
  )
  const query: PostQuery = { types: ['product'], order: [], limit: 10, offset: 0 }
  const list = async () => storage.posts.list(query)
  for (let time = 0; time < 2; time += 1) await Promise.all([list(), storage.posts.count(query)])
  const readers: (() => Promise<unknown>)[] = [list, () => storage.posts.count(query)]
  for (const read of readers) {
    token += 1
    sent.length = 0
    await Promise.all(Array.from({ length: 50 }, read))
    assert.equal(sent.length, 2, sent.join('\n'))
    await Promise.all(Array.from({ length: 50 }, read))
    assert.deepEqual(sent.slice(2), ['token'])
  }
  sent.length = 0
  await Promise.all(Array.from({ length: 50 }, () => storage.changeToken()))
  assert.ok(sent.length <= 2, 'the first call finds out whether the token is available at once')
})
