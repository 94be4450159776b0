import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { aPost } from '../../../test/contracts/storage/rows.js'
import { skipWithoutProgram, skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import {
  foreignSql,
  freshMariadb,
  killConnections,
  type FreshMariadb,
} from '../../../test/support/servers/open-fresh-mariadb.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { startService } from '../../../test/support/start-service.js'
import { proxyTo } from '../../../test/support/servers/proxy.js'
import { eventually, until } from '../../../test/support/until.js'
import { AsRestRoute, inject, RecordStore } from '../../index.js'
import type { OpenedStorage } from '../store-adapter.js'
import { tableNames } from '../sql/table-names.js'
import { parseMysqlAddress } from './mysql-address.js'
import { connectionsOf, databaseOf, openMysql } from './open-mysql.js'

/** Asks the database at each request. */
class CountApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/count', permission: 'public' })
  async count() {
    return { count: await this.records.count({ type: 'post' }) }
  }
}

const isUnreachable = { name: 'StorageError', fault: 'unavailable' }

describe('connections that MariaDB ends', { skip: skipWithoutServer('mariadb') }, () => {
  let database: FreshMariadb
  let storage: OpenedStorage
  before(async () => {
    database = await freshMariadb()
    storage = await database.open()
  })
  after(() => database.drop())

  it('no later request notices that all connections were ended', async () => {
    const id = await storage.posts.insert(aPost({ post_title: 'kept' }))
    for (let count = 0; count < 10; count += 1) {
      await until(async () => (await killConnections(database.url)) === 0, 'no connection is left')
      assert.equal((await storage.posts.find(id))?.post_title, 'kept')
      await storage.changeToken()
      await storage.options.write('count', String(count))
      await storage.transaction(async ({ options }) => options.write('count', String(count)))
      await storage.ping()
    }
  })

  it('a transaction whose connection is lost before its commit runs once more', async () => {
    let attempts = 0
    await storage.transaction(async (inside) => {
      attempts += 1
      await inside.options.write(`attempt ${attempts}`, 'yes')
      if (attempts === 1) await killConnections(database.url)
      await inside.options.write('again', 'yes')
    })
    const { options } = storage
    assert.deepEqual([attempts, await options.read('attempt 1'), await options.read('attempt 2')], [2, null, 'yes'])
  })

  it('statements that wait for locked tables lose no connection of a server that lives', async () => {
    await storage.options.write('waits', 'no')
    const locked = database.foreign(
      'LOCK TABLES wp_options WRITE, wp_as_rest_route_versions WRITE',
      'SELECT SLEEP(4)',
      'UNLOCK TABLES',
    )
    await database.foreign('SELECT SLEEP(0.5)')
    let attempts = 0
    await Promise.all([
      locked,
      storage.changeToken(),
      storage.transaction(async ({ options }) => {
        attempts += 1
        await options.write('waits', 'yes')
      }),
    ])
    assert.equal(attempts, 1)
  })

  it('a connection that is lost in the commit is reported as an unknown outcome, and the work is not repeated', async () => {
    const proxy = await proxyTo(database.url, (text) => /COMMIT$|lost alone/.test(text))
    const behind = await openMysql(proxy.url)
    try {
      const isUnknown = { ...isUnreachable, message: /whether its writes are stored is unknown/ }
      proxy.isArmed = true
      let attempts = 0
      await assert.rejects(
        behind.transaction(async ({ options }) => {
          attempts += 1
          await options.write('unknown', 'yes')
        }),
        isUnknown,
      )
      assert.equal(attempts, 1)
      await assert.rejects(behind.options.write('lost alone', 'yes'), isUnknown)
      proxy.isArmed = false
      await behind.options.write('afterwards', 'yes')
    } finally {
      await behind.close()
      proxy.close()
    }
  })

  it('prepared statements follow a change of the tables', async () => {
    const id = await storage.posts.insert(aPost({ post_title: 'one' }))
    await storage.users.list({ limit: 1, offset: 0 })
    assert.equal((await storage.posts.find(id))?.post_title, 'one')
    await database.foreign('ALTER TABLE wp_users MODIFY display_name varchar(250)')
    await database.foreign('ALTER TABLE wp_posts ADD COLUMN extra text')
    await storage.users.list({ limit: 1, offset: 0 })
    assert.equal((await storage.posts.find(id))?.post_title, 'one')
    assert.equal(await storage.posts.update(id, { post_title: 'two' }), true)
  })
})

describe('a MariaDB server that goes away', { skip: skipWithoutProgram('mariadb') }, () => {
  let server: TestServer
  before(async () => {
    const started = await startServer('mariadb')
    if (started === null) throw new Error('There is no server.')
    server = started
  })
  after(() => server.drop())

  it('a start waits for it, and says what it waits for', async () => {
    await server.stop()
    const warnings: string[] = []
    const opening = openMysql(server.url, {
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
    assert.match(warnings[0] ?? '', /^database-waited-for mariadb:\/\/test@127\.0\.0\.1:\d+\/test: .*ECONNREFUSED/)
  })

  it('a start ends with a readable error when the time is over, and at once for other tools', async () => {
    await server.stop()
    const error = {
      ...isUnreachable,
      message: /^mariadb:\/\/test@127\.0\.0\.1:\d+\/test: .*ECONNREFUSED.* Is the server running there\?$/,
    }
    await assert.rejects(openMysql(server.url, { purpose: 'start', wait: 500 }), error)
    await assert.rejects(openMysql(server.url, { purpose: 'read' }), error)
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
    const storage = await openMysql(server.url)
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
    } finally {
      await storage.close()
    }
  })

  const connections = async (): Promise<number> => {
    const [[count] = []] = await foreignSql(
      server.url,
      'SELECT COUNT(*) FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND user = "test"',
    )
    return Number(count)
  }

  it('a pool has no more connections than it may, and closing leaves none', async () => {
    await eventually(async () => assert.equal(await connections(), 0))
    const storage = await openMysql(server.url, { poolSize: 7 })
    await Promise.all(Array.from({ length: 50 }, (_, index) => storage.options.write(`closing ${index}`, 'yes')))
    await Promise.all(Array.from({ length: 50 }, (_, index) => storage.options.read(`closing ${index}`)))
    // One more reads the change token.
    assert.ok((await connections()) <= 8)
    await storage.close()
    await eventually(async () => assert.equal(await connections(), 0))
    await assert.rejects(async () => storage.options.read('closing 1'), isUnreachable)
  })

  it('a connection keeps no more than 200 prepared statements at the server', async () => {
    const database = databaseOf(
      await connectionsOf(parseMysqlAddress(server.url), {}),
      'MariaDB',
      tableNames('wp_'),
      {},
    )
    try {
      const counts: number[] = []
      await database.transaction(async (inside) => {
        for (let count = 0; count < 250; count += 1) await inside.row(`SELECT ${count}`)
        const [[, statements] = []] = await foreignSql(server.url, `SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'`)
        counts.push(Number(statements))
      })
      const [count = 0] = counts
      assert.ok(count > 150 && count <= 200, `${count} prepared statements`)
    } finally {
      await database.close()
    }
  })

  it('a server that stops answering is given up, and used again when it answers', async () => {
    const proxy = await proxyTo(server.url)
    const storage = await openMysql(proxy.url)
    try {
      await storage.options.write('before', 'yes')
      proxy.isSilent = true
      const began = performance.now()
      await assert.rejects(async () => storage.options.read('before'), isUnreachable)
      // A statement of 30 s may be allowed to a server that lives.
      assert.ok(performance.now() - began < 10_000)
      await assert.rejects(async () => storage.changeToken(), isUnreachable)
      proxy.isSilent = false
      await eventually(async () => assert.equal(await storage.options.read('before'), 'yes'))
      await storage.changeToken()
    } finally {
      await storage.close()
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
      await (await openMysql(proxy.url)).close()
      assert.equal(proxy.isArmed, false)
    } finally {
      proxy.close()
    }
  })

  it('the second host of an address is used while the first one is down', async () => {
    const { username, password, port } = new URL(server.url)
    const storage = await openMysql(`mariadb://${username}:${password}@127.0.0.1:1,127.0.0.1:${port}/test`)
    await storage.ping()
    await storage.close()
  })

  it('after a write at another host nothing is read from a primary that has become read-only', async () => {
    const second = await startServer('mariadb')
    if (second === null) throw new Error('There is no server.')
    // Administrators may write to a server that is read-only.
    for (const { url } of [server, second])
      await foreignSql(
        url,
        `CREATE OR REPLACE USER shop@'127.0.0.1' IDENTIFIED BY 'secret'`,
        `GRANT ALL ON test.* TO shop@'127.0.0.1'`,
      )
    const [first, other] = [server, second].map(({ url }) => `127.0.0.1:${new URL(url).port}`)
    await (await openMysql(`mariadb://shop:secret@${other}/test`)).close()
    const both = `mariadb://shop:secret@${first},${other}/test`
    const storage = await openMysql(both)
    try {
      await storage.options.write('where', 'at the first')
      assert.equal(await storage.options.read('where'), 'at the first')
      await storage.changeToken()
      await foreignSql(server.url, 'SET GLOBAL read_only = 1')
      await assert.rejects(async () => storage.options.write('where', 'at the second'))
      await storage.options.write('where', 'at the second')
      assert.equal(await storage.options.read('where'), 'at the second')
    } finally {
      await foreignSql(server.url, 'SET GLOBAL read_only = 0')
      await storage.close()
      await second.drop()
    }
  })

  it('a server that becomes read-only is refused, and used again when it takes writes', async () => {
    const storage = await openMysql(server.url)
    try {
      await foreignSql(server.url, 'SET GLOBAL read_only = 1')
      await assert.rejects(storage.ping(), { fault: 'read-only' })
      await assert.rejects(openMysql(server.url), { fault: 'read-only', message: /Give the address of the primary/ })
      await foreignSql(server.url, 'SET GLOBAL read_only = 0')
      await eventually(() => storage.ping())
      await storage.options.write('afterwards', 'yes')
    } finally {
      await storage.close()
    }
  })
})
