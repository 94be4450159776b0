import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { Client } from 'pg'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql, freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { startService } from '../../../test/support/start-service.js'
import { proxyTo } from '../../../test/support/servers/proxy.js'
import { eventually, until } from '../../../test/support/until.js'
import { AsRestRoute, inject, RecordStore } from '../../index.js'
import type { OpenedStorage } from '../store-adapter.js'
import { openPostgres } from './open-postgres.js'
import { PostgresConnection } from './postgres-connection.js'

/** Asks the database at each request. */
class CountApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/count', permission: 'public' })
  async count() {
    return { count: await this.records.count({ type: 'post' }) }
  }
}

const ownConnections = `FROM pg_stat_activity WHERE application_name = 'as-rest-route'`

describe('connections that PostgreSQL ends', { skip: skipWithoutProgram('postgres') }, () => {
  let server: TestServer
  let database: FreshPostgres
  let storage: OpenedStorage
  before(async () => {
    const started = await startServer('postgres')
    if (started === null) throw new Error('There is no server.')
    server = started
    database = await freshPostgres(server.url)
    storage = await database.open()
  })
  after(async () => {
    await database.drop()
    await server.drop()
  })

  /** Resolves when they have ended. */
  const killAll = () =>
    database.foreign(`SELECT pg_terminate_backend(pid, 60000) ${ownConnections} AND datname = current_database()`)

  it('no later request notices that all connections were ended', async () => {
    const id = await storage.posts.insert(aPost({ post_title: 'kept' }))
    for (let count = 0; count < 10; count += 1) {
      await killAll()
      assert.equal((await storage.posts.find(id))?.post_title, 'kept')
      await storage.changeToken()
      await storage.options.write('count', String(count))
      await storage.transaction(async ({ options }) => options.write('count', String(count)))
      await storage.ping()
    }
  })

  it('a connection for reads that is lost unnoticed fails no read', async (t) => {
    const readers = new Set<PostgresConnection>()
    const run = Reflect.get(PostgresConnection.prototype, 'run') as PostgresConnection['run']
    t.mock.method(PostgresConnection.prototype, 'run', function (this: PostgresConnection, ...args: [string]) {
      readers.add(this)
      return Reflect.apply(run, this, args)
    })
    await storage.options.read('first')
    t.mock.restoreAll()
    // abandon() does not call onLost, so the pool still lists the connection.
    for (const reader of readers) reader.abandon()
    for (const name of ['second', 'third']) assert.equal(await storage.options.read(name), null)
  })

  it('a check whether the server takes writes is repeated when its connection is lost unnoticed', async () => {
    await storage.changeToken()
    const end = `
      const client = new (require('pg').Client)(process.argv[1])
      client.connect()
        .then(() => client.query("SELECT pg_terminate_backend(pid, 60000) ${ownConnections}"))
        .then(() => client.end())`
    // Meanwhile this process cannot notice that its connections end.
    execFileSync(process.execPath, ['-e', end, server.url.replace('postgres:', 'postgresql:')])
    await storage.ping()
  })

  it('a transaction whose connection is lost before its commit runs once more', async () => {
    let attempts = 0
    await storage.transaction(async (inside) => {
      attempts += 1
      await inside.options.write(`attempt ${attempts}`, 'yes')
      if (attempts === 1) await killAll()
      await inside.options.write('again', 'yes')
    })
    const { options } = storage
    assert.deepEqual([attempts, await options.read('attempt 1'), await options.read('attempt 2')], [2, null, 'yes'])
  })

  it('a connection that is lost in the commit is reported as an unknown outcome, and the work is not repeated', async () => {
    const schema = database.table('').replace('.wp_', '')
    await database.foreign(`
      CREATE FUNCTION ${schema}.end_session() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON ${database.table('options')} DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.option_name LIKE 'fatal%') EXECUTE FUNCTION ${schema}.end_session(); SELECT 1`)
    const isUnknown = { name: 'StorageError', fault: 'unavailable', message: /outcome|whether it is stored is unknown/ }
    let attempts = 0
    await assert.rejects(
      storage.transaction(async ({ options }) => {
        attempts += 1
        await options.write('fatal 1', 'yes')
      }),
      isUnknown,
    )
    assert.equal(attempts, 1)
    await assert.rejects(storage.options.write('fatal 2', 'yes'), isUnknown)
    await database.foreign(`DROP TRIGGER ends ON ${database.table('options')}; SELECT 1`)
    assert.deepEqual([await storage.options.read('fatal 1'), await storage.options.read('fatal 2')], [null, null])
  })

  it('prepared statements follow a change of the tables', async () => {
    const id = await storage.posts.insert(aPost({ post_title: 'one' }))
    await storage.users.list({ limit: 1, offset: 0 })
    await database.foreign(`ALTER TABLE ${database.table('users')} ALTER COLUMN display_name TYPE varchar(250)`)
    await storage.users.list({ limit: 1, offset: 0 })
    await database.foreign(`ALTER TABLE ${database.table('posts')} ADD COLUMN extra text`)
    assert.equal((await storage.posts.find(id))?.post_title, 'one')
    assert.equal(await storage.posts.update(id, { post_title: 'two' }), true)
  })
})

describe('a PostgreSQL server that goes away', { skip: skipWithoutProgram('postgres') }, () => {
  let server: TestServer
  before(async () => {
    const started = await startServer('postgres')
    if (started === null) throw new Error('There is no server.')
    server = started
  })
  after(() => server.drop())

  const isUnreachable = { name: 'StorageError', fault: 'unavailable' }

  it('a start waits for it, and says what it waits for', async () => {
    await server.stop()
    const warnings: string[] = []
    const opening = openPostgres(server.url, {
      purpose: 'start',
      wait: 60_000,
      onWarning: (code, sentence) => void warnings.push(`${code} ${sentence}`),
    })
    await until(() => warnings.length > 0)
    await server.start()
    const storage = await opening
    await storage.finishFirstStart()
    await storage.ping()
    await storage.close()
    assert.equal(warnings.length, 1)
    assert.match(warnings[0] ?? '', /^database-waited-for postgres:\/\/test@127\.0\.0\.1:\d+\/postgres: .*ECONNREFUSED/)
  })

  it('a first start keeps its lock for longer than the server keeps idle sessions', async () => {
    await foreignSql(server.url, `ALTER SYSTEM SET idle_session_timeout = '500ms'`)
    await foreignSql(server.url, 'SELECT pg_reload_conf()')
    const database = await freshPostgres(server.url)
    try {
      await until(async () => (await foreignSql(server.url, 'SHOW idle_session_timeout'))[0]?.[0] === '500ms')
      const storage = await database.open({ purpose: 'start' })
      const idle = new Client({ connectionString: server.url })
      const isEnded = new Promise<void>((resolve) => idle.on('error', () => undefined).on('end', resolve))
      await idle.connect()
      await isEnded
      assert.deepEqual(await database.foreign(`SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'`), [['1']])
      await storage.finishFirstStart()
    } finally {
      await database.drop()
      await foreignSql(server.url, 'ALTER SYSTEM RESET idle_session_timeout')
      await foreignSql(server.url, 'SELECT pg_reload_conf()')
    }
  })

  it('a start ends with a readable error when the time is over, and at once for other tools', async () => {
    await server.stop()
    const error = {
      ...isUnreachable,
      message:
        /^postgres:\/\/test@127\.0\.0\.1:\d+\/postgres: The database cannot be reached \(.*ECONNREFUSED.*\)\. Is PostgreSQL running there\?$/,
    }
    await assert.rejects(openPostgres(server.url, { purpose: 'start', wait: 500 }), error)
    await assert.rejects(openPostgres(server.url, { purpose: 'read' }), error)
    await server.start()
  })

  it('a service answers 503 with Retry-After while it is gone, and is healthy after its return, without a restart', async () => {
    const service = await startService([CountApi], { database: server.url })
    try {
      const status = async (path: string) => (await fetch(`${service.url}${path}`)).status
      const rest = '/wp-json/test/v1/count'
      assert.equal(await status('/readyz'), 200)
      assert.equal(await status(rest), 200)
      for (const end of [server.stop, server.kill]) {
        await end()
        for (let count = 0; count < 5; count += 1) {
          const response = await fetch(`${service.url}${rest}`)
          assert.equal(response.status, 503)
          assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
          assert.equal(await status('/readyz'), 503)
          assert.equal(await status('/healthz'), 200)
        }
        await server.start()
        await eventually(async () => assert.equal(await status('/readyz'), 200))
        assert.equal(await status(rest), 200)
      }
    } finally {
      await service.close()
    }
  })

  it('fifty requests in flight all end when it is killed', async () => {
    const storage = await openPostgres(server.url)
    try {
      const calls = Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? storage.options.write(`in flight ${index}`, 'x'.repeat(10_000))
          : storage.transaction(async ({ options }) => options.write(`in flight ${index}`, 'yes')),
      )
      const ended = Promise.allSettled(calls)
      await server.kill()
      for (const outcome of await ended)
        if (outcome.status === 'rejected') assert.equal((outcome.reason as { fault: string }).fault, 'unavailable')
      await server.start()
      await eventually(() => storage.ping())
      await storage.options.write('afterwards', 'yes')
      const [[connections] = []] = await foreignSql(server.url, `SELECT count(*) ${ownConnections}`)
      assert.ok(Number(connections) <= 11, `${connections} connections`)
    } finally {
      await storage.close()
    }
  })

  it('closing leaves no connection', async () => {
    const storage = await openPostgres(server.url)
    await Promise.all(Array.from({ length: 20 }, (_, index) => storage.options.write(`closing ${index}`, 'yes')))
    await storage.close()
    await eventually(async () => {
      const [[connections] = []] = await foreignSql(server.url, `SELECT count(*) ${ownConnections}`)
      assert.equal(connections, '0')
    })
    await assert.rejects(async () => storage.options.read('closing 1'), isUnreachable)
  })

  it('the second host of an address is used while the first one is down', async () => {
    const { username, password, port } = new URL(server.url)
    const storage = await openPostgres(`postgres://${username}:${password}@127.0.0.1:1,127.0.0.1:${port}/postgres`)
    await storage.ping()
    await storage.close()
  })

  it('a server that stops answering is given up, and used again when it answers', async () => {
    const proxy = await proxyTo(server.url)
    const silent = await openPostgres(proxy.url)
    try {
      await silent.options.write('before', 'yes')
      proxy.isSilent = true
      const began = performance.now()
      const isUnreachable = { name: 'StorageError', fault: 'unavailable' }
      const outcomes = [silent.options.read('before'), silent.options.write('before', 'no'), silent.changeToken()]
      await Promise.all(outcomes.map(async (outcome) => assert.rejects(async () => outcome, isUnreachable)))
      // A statement of 30 s may be allowed to a server that lives.
      assert.ok(performance.now() - began < 10_000)
      await assert.rejects(openPostgres(proxy.url), {
        ...isUnreachable,
        message: /\(no response within 2000 ms\)\. Is PostgreSQL running there, and can its port be reached\?$/,
      })
      proxy.isSilent = false
      await eventually(async () => assert.ok(await silent.options.read('before')))
      await silent.changeToken()
    } finally {
      await silent.close()
      proxy.close()
    }
  })

  it('a process that was busy while it connected reads what the server has answered', async () => {
    const proxy = await proxyTo(server.url, () => {
      proxy.isArmed = false
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
      return false
    })
    try {
      proxy.isArmed = true
      await (await openPostgres(proxy.url)).close()
      assert.equal(proxy.isArmed, false)
    } finally {
      proxy.close()
    }
  })

  it('a server that stops answering before the session is prepared is given up as early', async () => {
    const proxy = await proxyTo(server.url, (text) => {
      proxy.isSilent ||= text.includes('server_version_num')
      return false
    })
    try {
      proxy.isArmed = true
      const began = performance.now()
      await assert.rejects(openPostgres(proxy.url), { name: 'StorageError', fault: 'unavailable' })
      assert.equal(proxy.isSilent, true)
      // A statement may take 30 s.
      assert.ok(performance.now() - began < 20_000)
    } finally {
      proxy.close()
    }
  })
})
