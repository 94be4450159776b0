import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { storeAdapterOf } from '../../app/stores.js'
import { createUser } from '../../../test/support/servers/create-user.js'
import { skipWithoutProgram } from '../../../test/support/servers/missing-server.js'
import { foreignSql as foreignMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { foreignSql as foreignPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import type { DatabaseKind } from '../../../test/support/servers/server-programs.js'
import { startServer, type TestServer } from '../../../test/support/servers/start-server.js'
import { startService } from '../../../test/support/start-service.js'
import { eventually } from '../../../test/support/until.js'
import { AsRestRoute, inject, RecordStore } from '../../index.js'
import { checkDatabase } from '../maintenance/check-database.js'

/** Asks the database at each request. */
class CountApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/count', permission: 'public' })
  async count() {
    return { count: await this.records.count({ type: 'post' }) }
  }
}

/** Makes a server read-only, or lets it take writes again. */
const setReadOnly: Readonly<Record<DatabaseKind, (url: string, isReadOnly: boolean) => Promise<unknown>>> = {
  async postgres(url, isReadOnly) {
    await foreignPostgres(url, `ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`)
    await foreignPostgres(url, 'SELECT pg_reload_conf()')
  },
  mariadb: (url, isReadOnly) => foreignMariadb(url, `SET GLOBAL read_only = ${isReadOnly ? 1 : 0}`),
}

/** Milliseconds within which a server that has become read-only is left. A busy machine of tests gets more than users are promised. */
const noticed = 8000

for (const kind of ['postgres', 'mariadb'] as const)
  describe(`a server of ${kind} that becomes read-only`, { skip: skipWithoutProgram(kind) }, () => {
    const adapter = storeAdapterOf(`${kind}://host/database`)
    let first: TestServer
    let second: TestServer
    before(async () => {
      const start = async () => (await startServer(kind)) ?? assert.fail('not installed')
      ;[first, second] = await Promise.all([start(), start()])
      for (const [name, server] of Object.entries({ first, second })) {
        await createUser[kind](server.url)
        const storage = await adapter.open(addressOf(server), {})
        await storage.options.write('where', name)
        await storage.close()
      }
    })
    after(() => Promise.all([first?.drop(), second?.drop()]))
    beforeEach(async () => {
      for (const { url } of [first, second]) await setReadOnly[kind](url, false)
    })

    /** The address of servers in their order. */
    const addressOf = (...servers: readonly TestServer[]): string => {
      const urls = servers.map(({ url }) => new URL(url))
      return `${kind}://shop:secret@${urls.map(({ host }) => host).join(',')}${urls[0]?.pathname}`
    }

    it('is left for the next host of the address without a write', async () => {
      const storage = await adapter.open(addressOf(first, second), {})
      try {
        assert.equal(await storage.options.read('where'), 'first')
        const token = await storage.changeToken()
        await setReadOnly[kind](first.url, true)
        const begun = performance.now()
        await eventually(async () => assert.equal(await storage.options.read('where'), 'second'))
        assert.ok(performance.now() - begun < noticed)
        assert.notEqual(await storage.changeToken(), token)
        await storage.ping()
        await storage.options.write('written', 'at the second')
        assert.equal(await storage.options.read('written'), 'at the second')
      } finally {
        await storage.close()
      }
    })

    it('is left at once when it is asked whether it is ready', async () => {
      const storage = await adapter.open(addressOf(first, second), {})
      try {
        assert.equal(await storage.options.read('where'), 'first')
        await setReadOnly[kind](first.url, true)
        // PostgreSQL reads its configuration again a moment later.
        if (kind === 'postgres') await sleep(200)
        await storage.ping()
        assert.equal(await storage.options.read('where'), 'second')
      } finally {
        await storage.close()
      }
    })

    it('makes a service without another host not ready until it takes writes again', async () => {
      const service = await startService([CountApi], { database: addressOf(first) })
      try {
        const count = () => fetch(`${service.url}/wp-json/test/v1/count`)
        const readiness = async () => (await fetch(`${service.url}/readyz`)).status
        assert.equal((await count()).status, 200)
        await setReadOnly[kind](first.url, true)
        await eventually(async () => assert.equal((await count()).status, 503))
        const response = await count()
        assert.equal(response.status, 503)
        assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
        assert.equal(await readiness(), 503)
        await setReadOnly[kind](first.url, false)
        const begun = performance.now()
        await eventually(async () => assert.equal(await readiness(), 200))
        assert.ok(performance.now() - begun < noticed)
        assert.equal((await count()).status, 200)
      } finally {
        await service.close()
      }
    })

    const sentencesOf = async (server: TestServer) => {
      const store = await adapter.openTables(addressOf(server), { purpose: 'read' })
      try {
        return (await checkDatabase(store)).map(({ sentence }) => sentence)
      } finally {
        await store.database.close()
      }
    }

    it('has a fault that `db check` finds', async () => {
      assert.deepEqual(await sentencesOf(first), [])
      await setReadOnly[kind](first.url, true)
      await eventually(async () => {
        const [sentence = '', ...others] = await sentencesOf(first)
        assert.match(sentence, /(?:is read-only|can read and not write): no service starts on it/)
        assert.deepEqual(others, [])
      })
    })

    if (kind === 'postgres')
      it('is not the only one whose writes are not noticed: sessions may fire no trigger', async () => {
        await foreignPostgres(second.url, 'ALTER ROLE shop SET session_replication_role = replica')
        try {
          assert.deepEqual(await sentencesOf(second), [
            'Sessions of the user have session_replication_role = replica, in which no trigger fires.',
          ])
        } finally {
          await foreignPostgres(second.url, 'ALTER ROLE shop RESET session_replication_role')
        }
      })

    it('goes on for tools that only read', async () => {
      await setReadOnly[kind](first.url, true)
      const storage = await adapter.open(addressOf(first), { purpose: 'read' })
      try {
        assert.equal(await storage.options.read('where'), 'first')
        await sleep(2500)
        assert.equal(await storage.options.read('where'), 'first')
        await storage.ping()
        assert.equal(await adapter.hasTables(addressOf(first), 'wp_'), true)
      } finally {
        await storage.close()
        await setReadOnly[kind](first.url, false)
      }
    })
  })
