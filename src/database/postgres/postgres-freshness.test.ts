import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { statementsOf } from '../../../test/support/counted-statements.js'
import { skipWithoutProgram, skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { foreignSql, freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { eventually } from '../../../test/support/until.js'
import type { OpenedStorage } from '../store-adapter.js'
import { openPostgres } from './open-postgres.js'

const page = { types: ['product'], statuses: ['publish'], order: [], limit: 10, offset: 0 } as const
const titles = async ({ posts }: OpenedStorage): Promise<string[]> =>
  (await posts.list(page, { columns: ['post_title'] })).rows.map(({ post }) => post.post_title)

describe('freshness on PostgreSQL', { skip: skipWithoutServer('postgres') }, () => {
  let database: FreshPostgres
  let reader: OpenedStorage
  let writer: OpenedStorage
  before(async () => {
    database = await freshPostgres()
    reader = await database.open()
    writer = await database.open()
  })
  after(() => database.drop())

  it('each read shows the last write that another service has acknowledged', async () => {
    const id = await writer.posts.insert(aPost({ post_title: '0' }))
    for (let count = 1; count <= 100; count += 1) {
      const title = String(count)
      if (count % 3 === 0)
        await writer.transaction(async ({ posts }) => void (await posts.update(id, { post_title: title })))
      else await writer.posts.update(id, { post_title: title })
      // The second one comes from the row cache.
      assert.deepEqual([await titles(reader), await titles(reader)], [[title], [title]])
    }
  })

  it('each read shows the last write of another program', async () => {
    for (let count = 1; count <= 20; count += 1) {
      await database.foreign(`UPDATE ${database.table('posts')} SET post_title = 'foreign ${count}'`)
      assert.deepEqual([await titles(reader), await titles(reader)], [[`foreign ${count}`], [`foreign ${count}`]])
    }
  })

  it('the token stays while nothing is written, and changes with a write', async () => {
    // A server cleans up by itself now and then, which changes the token too.
    let isSame = false
    for (let attempt = 0; attempt < 20 && !isSame; attempt += 1)
      isSame = (await reader.changeToken()) === (await reader.changeToken())
    assert.ok(isSame)
    const token = await reader.changeToken()
    await writer.options.write('blogname', 'Shop')
    assert.notEqual(await reader.changeToken(), token)
  })

  it('writes to another database of the server, and to rows of other kinds, void no cached row', async () => {
    const id = await writer.posts.insert(aPost({ post_type: 'quiet', post_title: 'quiet' }))
    const quiet = () => reader.posts.list({ ...page, types: ['quiet'] }, { columns: ['post_title'] })
    const name = `neighbour_${randomBytes(8).toString('hex')}`
    await database.foreign(`CREATE DATABASE ${name}`)
    const neighbour = Object.assign(new URL(database.url), { pathname: name, search: '' }).href
    await foreignSql(neighbour, 'CREATE TABLE numbers (n int); SELECT 1')
    const writes = [
      () => foreignSql(neighbour, 'INSERT INTO numbers VALUES (1); SELECT 1'),
      () => writer.options.write('busy', 'yes'),
      () => writer.posts.insert(aPost({ post_type: 'busy' })),
    ]
    try {
      const readAfter = async (write: () => Promise<unknown>): Promise<readonly string[]> => {
        const token = await reader.changeToken()
        await write()
        assert.notEqual(await reader.changeToken(), token)
        return statementsOf(quiet)
      }
      // The rows are cached from their second reading on, and compared by versions once two readings have found them the same.
      for (let time = 0; time < 5; time += 1) await readAfter(writes[0] ?? assert.fail())
      for (const write of writes) assert.deepEqual(await readAfter(write), [])
      assert.equal((await readAfter(() => writer.posts.update(id, { menu_order: 1 }))).length, 1)
    } finally {
      await database.foreign(`DROP DATABASE ${name}`)
      await database.foreign(`DELETE FROM ${database.table('posts')} WHERE post_type IN ('quiet', 'busy'); SELECT 1`)
    }
  })

  const foreign: [what: string, sql: () => string, raised: string[]][] = [
    ['an insert', () => `INSERT INTO ${database.table('usermeta')} (user_id, meta_key) VALUES (1, 'a')`, ['users']],
    ['an update of no row', () => `UPDATE ${database.table('posts')} SET post_title = 'x' WHERE id = -1`, []],
    ['an update of a type', () => `UPDATE ${database.table('posts')} SET post_type = 'Film'`, ['film', 'product']],
    [
      'metadata of a post',
      () => `INSERT INTO ${database.table('postmeta')} (post_id) SELECT id FROM ${database.table('posts')}`,
      ['film'],
    ],
    ['a removal', () => `DELETE FROM ${database.table('options')}`, ['options']],
    ['a rolled back write', () => `BEGIN; DELETE FROM ${database.table('posts')}; ROLLBACK; SELECT 1`, []],
    ['TRUNCATE', () => `TRUNCATE ${database.table('terms')}`, ['terms']],
  ]
  for (const [what, sql, raised] of foreign)
    it(`${what} by another program raises the versions of ${raised.join(' and ') || 'nothing'}`, async () => {
      const before = await reader.versions()
      await database.foreign(sql())
      const changed = [...(await reader.versions())].filter(([tag, version]) => version !== before.get(tag))
      assert.deepEqual(changed.map(([tag]) => tag).sort(), raised)
    })

  it('writers of one kind do not wait for each other: each connection has a counter of its own', async () => {
    const [[slots] = []] = await database.foreign(
      `SELECT count(DISTINCT slot) FROM ${database.table('as_rest_route_versions')}`,
    )
    assert.ok(Number(slots) > 1)
    await writer.transaction(async (one) => {
      await one.posts.insert(aPost())
      // It would wait for the end of the transaction, which waits for it, until its time is over.
      await reader.posts.insert(aPost())
    })
  })

  it('a version never returns after older counters were restored', async () => {
    const { posts } = writer
    const versions = database.table('as_rest_route_versions')
    const id = await posts.insert(aPost())
    await database.foreign(`CREATE TABLE ${versions}_backup AS SELECT * FROM ${versions}`)
    const seen = new Set<unknown>()
    for (let count = 0; count < 5; count += 1) {
      await posts.update(id, { menu_order: count })
      seen.add((await writer.versions()).get('product'))
    }
    await database.foreign(
      `TRUNCATE ${versions}; INSERT INTO ${versions} SELECT * FROM ${versions}_backup; DROP TABLE ${versions}_backup`,
    )
    for (let count = 0; count < 5; count += 1) {
      await posts.update(id, { menu_order: count })
      assert.ok(!seen.has((await writer.versions()).get('product')))
    }
  })
})

describe('the history of a PostgreSQL server', { skip: skipWithoutProgram('postgres') }, () => {
  let server: TestServer
  let storage: OpenedStorage
  before(async () => {
    const started = await startServer('postgres')
    if (started === null) throw new Error('There is no server.')
    server = started
    storage = await openPostgres(server.url)
    await storage.posts.insert(aPost({ post_title: 'first' }))
  })
  after(async () => {
    await storage.close()
    await server.drop()
  })

  it('a connection that another program ends makes a new token', async () => {
    const token = await storage.changeToken()
    const killed = await foreignSql(
      server.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'as-rest-route' AND query LIKE '%current_snapshot()%'`,
    )
    assert.ok(killed.length > 0)
    assert.notEqual(await eventually(() => storage.changeToken()), token)
  })

  it('a token does not return after one of its processes was killed, although its snapshot may', async () => {
    /** The part of a token in front of the snapshot, which tells histories apart. */
    const historyOf = (token: unknown): string => String(token).replace(/[^/]*$/, '')
    const tokens = new Set<unknown>()
    for (let count = 0; count < 20; count += 1) {
      tokens.add(await storage.changeToken())
      // A transaction that is rolled back may leave no trace after the crash, so that its number is given again.
      await assert.rejects(
        storage.transaction(async ({ options }) => {
          await options.write('lost', String(count))
          throw new Error('no')
        }),
      )
    }
    const [[pid] = []] = await foreignSql(
      server.url,
      `SELECT pid FROM pg_stat_activity WHERE application_name = 'as-rest-route' LIMIT 1`,
    )
    process.kill(Number(pid), 'SIGKILL')
    // The server ends all its processes and starts again. Until it notices the end of this one, it goes on.
    const [first] = tokens
    await eventually(async () => assert.notEqual(historyOf(await storage.changeToken()), historyOf(first)))
    for (let count = 0; count < 40; count += 1) {
      const token = await eventually(() => storage.changeToken())
      assert.ok(!tokens.has(token), String(token))
      for (const old of tokens) assert.notEqual(historyOf(token), historyOf(old))
      await eventually(() => storage.options.write('count', String(count)))
    }
  })

  it('a standby is refused, at the start and while running, and used again once it is promoted', async () => {
    const [[folder] = []] = await foreignSql(server.url, 'SHOW data_directory')
    const signal = join(folder ?? '', 'standby.signal')
    const token = await eventually(() => storage.changeToken())
    await server.stop()
    writeFileSync(signal, '', { mode: 0o644 })
    await server.start()
    const isStandby = { name: 'StorageError', fault: 'read-only', message: /standby/ }
    await assert.rejects(openPostgres(server.url), isStandby)
    await eventually(() => assert.rejects(storage.ping(), isStandby))
    await foreignSql(server.url, 'SELECT pg_promote()')
    rmSync(signal, { force: true })
    await eventually(() => storage.ping())
    await eventually(() => storage.options.write('promoted', 'yes'))
    assert.notEqual(await storage.changeToken(), token)
  })
})
