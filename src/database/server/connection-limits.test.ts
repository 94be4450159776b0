import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { storeAdapterOf } from '../../app/stores.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql as foreignMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { foreignSql as foreignPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import type { DatabaseKind } from '../../../test/support/servers/server-programs.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { startService } from '../../../test/support/start-service.js'
import { eventually } from '../../../test/support/until.js'
import { AsRestRoute, inject, RecordStore } from '../../index.js'
import type { OpenedStorage, StoreOptions } from '../store-adapter.js'
import { connectionLimits, lifetimeOfOne } from './connection-limits.js'
import { oldConnections } from './old-connections.js'

/** Asks the database at each request. */
class CountApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/count', permission: 'public' })
  async count() {
    return { count: await this.records.count({ type: 'post' }) }
  }
}

interface View {
  readonly foreign: (url: string, sql: string) => Promise<readonly (string | null)[][]>
  /** Queries for the ids of the sessions of the service, and of those whose transaction is open. */
  readonly sessions: string
  readonly inTransaction: string
}

const views: Readonly<Record<DatabaseKind, View>> = {
  postgres: {
    foreign: foreignPostgres,
    sessions: `SELECT pid FROM pg_stat_activity WHERE application_name = 'as-rest-route'`,
    inTransaction: `SELECT pid FROM pg_stat_activity WHERE application_name = 'as-rest-route' AND state LIKE 'idle in transaction%'`,
  },
  mariadb: {
    foreign: foreignMariadb,
    sessions: 'SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID() AND user = "test"',
    inTransaction: 'SELECT trx_mysql_thread_id FROM information_schema.innodb_trx',
  },
}

for (const kind of ['postgres', 'mariadb'] as const)
  describe(`the limits of connections to ${kind}`, { skip: skipWithoutProgram(kind) }, () => {
    const { foreign, sessions, inTransaction } = views[kind]
    let server: TestServer
    before(async () => {
      server = (await startServer(kind)) ?? assert.fail('not installed')
    })
    after(() => server.drop())
    const rowsOf = async (sql: string) => (await foreign(server.url, sql)).map(([value]) => value)
    /** While bytes are on their way, a connection has another timer. */
    const assertKeepAlive = (limit: number) =>
      eventually(() => {
        const timers = keepAliveTimers(server.url)
        const isRight = timers.length > 0 && timers.every((seconds) => seconds !== null && seconds <= limit)
        assert.ok(isRight, String(timers))
      })
    const withStorage = async (options: StoreOptions, work: (storage: OpenedStorage) => Promise<void>) => {
      const storage = await storeAdapterOf(server.url).open(server.url, options)
      try {
        await work(storage)
      } finally {
        await storage.close()
        await eventually(async () => assert.deepEqual(await rowsOf(sessions), []))
      }
    }

    it('the server ends a transaction in which nothing happens', () =>
      withStorage({ idleTransactionTimeout: 1000 }, async (storage) => {
        const open: number[] = []
        const idle = storage.transaction(async ({ options }) => {
          await options.write('idle', 'yes')
          open.push((await rowsOf(inTransaction)).length)
          await sleep(2500)
          open.push((await rowsOf(inTransaction)).length)
          await options.write('idle', 'still')
        })
        await assert.rejects(idle)
        assert.deepEqual(open.slice(0, 2), [1, 0])
        assert.equal(await storage.options.read('idle'), null)
      }))

    it('without a limit a transaction may be idle', () =>
      withStorage({ idleTransactionTimeout: 0 }, (storage) =>
        storage.transaction(async ({ options }) => {
          await options.write('idle', 'yes')
          await sleep(1500)
          await options.write('idle', 'still')
        }),
      ))

    it('connections that nothing uses are closed except the last of each kind, and opened again', () =>
      withStorage({ idleTimeout: 1000 }, async (storage) => {
        const load = () =>
          Promise.all(
            Array.from({ length: 50 }, async (_, index) => {
              await storage.options.read('idle')
              await storage.transaction(({ options }) => options.write(`idle ${index % 10}`, 'yes'))
            }),
          )
        await storage.changeToken()
        await load()
        const before = await rowsOf(sessions)
        assert.ok(before.length > 5, `${before.length} sessions`)
        // One reads, one writes, and one reads the change token.
        await eventually(async () => assert.equal((await rowsOf(sessions)).length, 3))
        await sleep(2000)
        const kept = await rowsOf(sessions)
        assert.equal(kept.length, 3)
        assert.ok(kept.every((id) => before.includes(id)))
        await load()
        assert.ok((await rowsOf(sessions)).length > 5)
      }))

    it('connections that are too old are closed when nothing uses them, and never in a transaction', () =>
      withStorage({ lifetime: 1000 }, async (storage) => {
        await Promise.all([storage.options.read('old'), storage.changeToken(), storage.options.write('old', 'no')])
        let attempts = 0
        await storage.transaction(async ({ options }) => {
          attempts += 1
          await options.write('old', 'begun')
          const [session] = await rowsOf(inTransaction)
          await sleep(3500)
          // Of the others none is left, although nothing was asked.
          assert.deepEqual(await rowsOf(sessions), [session])
          await options.write('old', 'yes')
        })
        assert.equal(attempts, 1)
        await eventually(async () => assert.deepEqual(await rowsOf(sessions), []))
        const token = await storage.changeToken()
        assert.equal(await storage.options.read('old'), 'yes')
        await storage.options.write('old', 'written')
        assert.notEqual(await storage.changeToken(), token)
      }))

    it('reads and writes go on while connections are replaced', () =>
      withStorage({ lifetime: 300, poolSize: 4 }, async (storage) => {
        const seen = new Set<string | null | undefined>()
        const end = performance.now() + 4000
        const turn = async (index: number) => {
          while (performance.now() < end) {
            await storage.options.write(`replaced ${index}`, 'yes')
            assert.equal(await storage.options.read(`replaced ${index}`), 'yes')
            await storage.changeToken()
          }
        }
        const look = async () => {
          while (performance.now() < end) {
            for (const id of await rowsOf(sessions)) seen.add(id)
            await sleep(50)
          }
        }
        await Promise.all([look(), ...Array.from({ length: 10 }, (_, index) => turn(index))])
        assert.ok(seen.size > 8, `${seen.size} sessions`)
      }))

    it(
      'TCP asks for signs of life after the silence of the option',
      { skip: process.platform !== 'linux' },
      async () => {
        await withStorage({ keepAliveDelay: 7000 }, async (storage) => {
          await storage.changeToken()
          await assertKeepAlive(7)
        })
        await withStorage({ keepAliveDelay: 0 }, async (storage) => {
          await storage.changeToken()
          assert.ok(keepAliveTimers(server.url).every((seconds) => seconds === null))
        })
      },
    )

    it('the options of a service are those of its connections', async () => {
      const service = await startService([CountApi], {
        database: server.url,
        database_idle_in_transaction: 1,
        database_keep_alive: 5,
        database_idle: 1,
        database_lifetime: 2,
      })
      try {
        const count = async () => (await fetch(`${service.url}/wp-json/test/v1/count`)).status
        assert.equal(await count(), 200)
        const before = await rowsOf(sessions)
        if (process.platform === 'linux') await assertKeepAlive(5)
        await eventually(async () => {
          const now = await rowsOf(sessions)
          assert.ok(before.every((id) => !now.includes(id)))
        })
        assert.equal(await count(), 200)
        assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
      } finally {
        await service.close()
      }
    })
  })

/** Seconds until TCP sends keep-alive probes, for each open connection of this machine to a server; null: it sends none. */
function keepAliveTimers(url: string): readonly (number | null)[] {
  const remote = `0100007F:${Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')}`
  const rows = readFileSync('/proc/net/tcp', 'latin1').split('\n').slice(1)
  const established = rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, , to, state]) => to === remote && state === '01')
  return established.map(([, , , , , timer = '']) => {
    const [kind, hundredths = ''] = timer.split(':')
    return kind === '02' ? Number.parseInt(hundredths, 16) / 100 : null
  })
}

describe('which connections are closed', () => {
  const connection = (idleTime: number, state: { isExpired?: boolean; isOpen?: boolean } = {}) => ({
    isOpen: true,
    isExpired: false,
    ...state,
    idleTime,
  })

  it('all that are too old or lost, and of the idle ones the longest, as many as may be spared', () => {
    const [young, idle, longer] = [connection(10), connection(200), connection(300)]
    const [old, lost] = [connection(0, { isExpired: true }), connection(5, { isOpen: false })]
    assert.deepEqual(oldConnections([young, idle, longer], 100, 2), [longer, idle])
    assert.deepEqual(oldConnections([young, idle, longer], 100, 1), [longer])
    assert.deepEqual(oldConnections([young, idle, longer], 100, 0), [])
    assert.deepEqual(oldConnections([idle, old, lost], 100, 2), [old, lost])
    assert.deepEqual(oldConnections([idle, longer], Infinity, 2), [])
  })

  it('0 is no limit, and connections that are opened together end at different times', () => {
    const { idleTimeout, lifetime } = connectionLimits({ idleTimeout: 0, lifetime: 0 })
    assert.deepEqual([idleTimeout, lifetime], [Infinity, Infinity])
    const lifetimes = Array.from({ length: 100 }, () => lifetimeOfOne(connectionLimits({ lifetime: 1000 })))
    assert.ok(lifetimes.every((each) => each >= 900 && each <= 1000))
    assert.ok(new Set(lifetimes).size > 50)
  })
})
