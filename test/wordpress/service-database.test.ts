import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from 'as-rest-route'
import { boot } from '../../src/app/boot.js'
import { skipWithoutProgram } from '../support/servers/missing-server.js'
import { foreignSql } from '../support/servers/open-fresh-mariadb.js'
import { foreignSql as foreignPostgres } from '../support/servers/open-fresh-postgres.js'
import { startServer } from '../support/servers/start-server.js'
import { startService, type LogLine } from '../support/start-service.js'
import { until } from '../support/until.js'
import { storeKinds } from '../support/store-kinds.js'
import { skipWithoutWordPress, startWordPressSite, type WordPressSite } from '../support/wordpress/wordpress-site.js'

class OrdersApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/orders',
    method: 'POST',
    permission: 'public',
    idempotency_key: 'required',
    args: { title: { type: 'string', required: true } },
  })
  async create(request: RestRequest<{ title: string }>) {
    const { id } = await this.records.insert({ type: 'post', status: 'publish', title: request.get_param('title') })
    return new RestResponse({ id }, 201)
  }
}

class PlainApi {
  @AsRestRoute({ namespace: 'shop/v1', route: '/plain', permission: 'public' })
  plain() {
    return 'answered'
  }
}

class LimitedApi {
  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/limited',
    permission: 'public',
    rate_limit: { requests: 3, per: 'hour' },
  })
  limited() {
    return 'answered'
  }
}

describe(
  'a service on the database of a WordPress site, with a database of its own',
  { skip: skipWithoutWordPress() },
  () => {
    let site: WordPressSite
    before(async () => {
      site = await startWordPressSite()
    })
    after(() => site?.stop())
    const tables = () => foreignSql(site.database, 'SHOW TABLES')

    for (const { name, skip, create } of storeKinds)
      it(`keeps responses on ${name}, for all processes and after a restart`, { skip }, async () => {
        const own = await create()
        const before = await tables()
        const options = { wordpress: { config: site.configPath }, service_database: own.url }
        const order = async ({ rest }: { readonly rest: string }, key: string, title: string) => {
          const response = await fetch(`${rest}shop/v1/orders`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
            body: JSON.stringify({ title }),
          })
          return {
            status: response.status,
            body: (await response.json()) as { readonly id: number; readonly code: string },
          }
        }
        try {
          const services = [await startService([OrdersApi], options), await startService([OrdersApi], options)] as const
          const first = await order(services[0], `${name}-1`, `Mug of ${name}`)
          assert.equal(first.status, 201)
          assert.deepEqual(await order(services[1], `${name}-1`, `Mug of ${name}`), first)
          assert.equal((await order(services[1], `${name}-1`, 'Cup')).status, 422)
          const parallel = await Promise.all(services.map((service) => order(service, `${name}-2`, `Jug of ${name}`)))
          const answered = new Set(parallel.filter(({ status }) => status === 201).map(({ body }) => body.id))
          assert.equal(answered.size, 1, JSON.stringify(parallel))
          for (const service of services) await service.close()
          const restarted = await startService([OrdersApi], options)
          assert.deepEqual(await order(restarted, `${name}-1`, `Mug of ${name}`), first)
          const stored = await restarted.service.records.list({ type: 'post', search: `Mug ${name}` })
          assert.deepEqual(
            stored.map(({ id }) => id),
            [first.body.id],
          )
          await restarted.close()
          assert.deepEqual(await tables(), before, 'the site gets no table')
        } finally {
          await own.drop()
        }
      })

    for (const { name, skip, create } of storeKinds.filter((kind) => kind.name !== 'SQLite'))
      it(`counts limited requests on ${name}`, { skip }, async () => {
        const own = await create()
        const options = { wordpress: { config: site.configPath }, service_database: own.url }
        try {
          const services = [await startService([LimitedApi], options), await startService([LimitedApi], options)]
          const statuses: number[] = []
          for (const service of [...services, ...services])
            statuses.push((await fetch(`${service.rest}shop/v1/limited`)).status)
          assert.deepEqual(statuses, [200, 200, 200, 429])
          for (const service of services) await service.close()
        } finally {
          await own.drop()
        }
      })

    for (const { name, skip, create } of storeKinds)
      it(`is not ready without its own database on ${name}, where routes need it`, { skip }, async () => {
        const own = await create()
        const options = { wordpress: { config: site.configPath }, service_database: own.url }
        const [needing, other] = [await startService([OrdersApi], options), await startService([PlainApi], options)]
        const ready = async ({ url }: { readonly url: string }) => {
          const response = await fetch(`${url}/readyz`)
          return [response.status, /service_database/.test(await response.text())]
        }
        try {
          assert.deepEqual(await ready(needing), [200, false])
        } finally {
          await own.drop()
        }
        assert.deepEqual(await ready(needing), [503, true])
        assert.deepEqual(await ready(other), [200, false])
        assert.equal((await fetch(`${needing.url}/healthz`)).status, 200)
        for (const service of [needing, other]) await service.close()
      })

    it('waits for its server at the start, and has its options', { skip: skipWithoutProgram('postgres') }, async () => {
      const server = (await startServer('postgres')) ?? assert.fail('not installed')
      try {
        await server.stop()
        const options = { wordpress: { config: site.configPath }, service_database: server.url }
        await assert.rejects(startService([OrdersApi], { ...options, database_wait: 0 }), /Is PostgreSQL running there/)
        const lines: LogLine[] = []
        const writer = (level: LogLine['level']) => (fields: object, message: string) =>
          void lines.push({ level, message, fields: fields as LogLine['fields'] })
        const starting = startService([OrdersApi], {
          ...options,
          database_pool: 2,
          log: { info: writer('info'), warn: writer('warn'), error: writer('error') },
        })
        await until(() => lines.length > 0)
        await server.start()
        const service = await starting
        try {
          assert.match(String(lines[0]?.fields['detail']), /^postgres:\/\/test@127.*ECONNREFUSED/)
          const orders = Array.from({ length: 20 }, async (_, index) => {
            const response = await fetch(`${service.rest}shop/v1/orders`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json', 'Idempotency-Key': `waited-${index}` },
              body: JSON.stringify({ title: `Waited ${index}` }),
            })
            return response.status
          })
          assert.deepEqual(new Set(await Promise.all(orders)), new Set([201]))
          const [[sessions] = []] = await foreignPostgres(
            server.url,
            `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'as-rest-route'`,
          )
          assert.ok(Number(sessions) <= 3, `${sessions} sessions`)
        } finally {
          await service.close()
        }
      } finally {
        await server.drop()
      }
    })

    it('refuses keys and limits where nothing can keep them', async () => {
      const wordpress = { config: site.configPath }
      await assert.rejects(boot([OrdersApi], { wordpress }), /'service_database'.*\[idempotency-without-table\]/s)
      const memory = { wordpress, service_database: 'sqlite::memory:' }
      await assert.rejects(
        boot([LimitedApi], memory),
        /'service_database' to a database on a server.*\[rate-limit-not-shared\]/s,
      )
      await assert.rejects(
        boot([OrdersApi], { wordpress, service_database: 'oracle://db/x' }),
        /option service_database: .*\[database-/s,
      )
    })
  },
)
