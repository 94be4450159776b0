import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Redis } from 'ioredis'
import { AsRestRoute, RestResponse } from 'as-rest-route'
import { assertFailureLimit } from '../support/login-limits.js'
import { skipWithoutProgram } from '../support/servers/missing-server.js'
import { startServer } from '../support/servers/start-server.js'
import { startService, type StartedService } from '../support/start-service.js'
import { until } from '../support/until.js'

class Own {
  @AsRestRoute({ namespace: 'own/v1', route: '/me', permission: 'public' })
  me() {
    return new RestResponse('me')
  }

  @AsRestRoute({
    namespace: 'own/v1',
    route: '/limited',
    permission: 'public',
    rate_limit: { requests: 3, per: 'hour' },
  })
  limited() {
    return new RestResponse('limited')
  }
}

describe('counters of failed logins in Redis', { skip: skipWithoutProgram('redis'), timeout: 600_000 }, async () => {
  const server = await startServer('redis')
  after(() => server?.drop())
  // Each has a database of its own: they share nothing but Redis.
  const start = () => startService([Own], { redis_url: server?.url ?? '', trusted_proxies: ['127.0.0.1'] })
  const services = [await start(), await start()]
  after(() => Promise.all(services.map((service) => service.close())))
  const [first, second] = services as [StartedService, StartedService]

  const signIn = async ({ url }: StartedService, log: string, address: string): Promise<number> => {
    const headers = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' }
    const body = new URLSearchParams({ log, pwd: 'wrong' })
    return (await fetch(`${url}/wp-login.php`, { method: 'POST', body, headers })).status
  }
  /** Ten guesses are answered by all of them together. */
  const assertLimit = (at: readonly StartedService[], log: string, address: string): Promise<void> =>
    assertFailureLimit(
      at.map((service) => () => signIn(service, log, address)),
      { failures: 10, secondsEach: 30 },
    )
  const linesOf = ({ log }: StartedService, pattern: RegExp) => log.filter(({ message }) => pattern.test(message))
  const counts = async (service: StartedService, lines: number) => {
    await until(() => linesOf(service, /^Redis counts attempts to log in again$/).length >= lines)
  }

  test('count for all services, one by one and all at once', async () => {
    await assertLimit([first, second], 'mia', '192.0.2.1')
    const atOnce = await Promise.all(
      Array.from({ length: 30 }, (_, index) => signIn(index % 2 === 0 ? first : second, 'ben', '192.0.2.2')),
    )
    assert.equal(atOnce.filter((status) => status === 200).length, 10)
    assert.equal(linesOf(first, /Redis/).length, 0)
  })

  test('the database counts while Redis is gone, with one line in the log, and Redis again when it is back', async () => {
    await server?.kill()
    await assertLimit([first], 'eve', '192.0.2.3')
    assert.equal(linesOf(first, /^Redis cannot be used/).length, 1)
    assert.equal(await signIn(second, 'eve', '192.0.2.4'), 200)
    await server?.start()
    await Promise.all([counts(first, 1), counts(second, 1)])
    await assertLimit([first, second], 'kim', '192.0.2.5')
  })

  test('a Redis that does not answer delays one login by a second', async () => {
    const administrator = new Redis(server?.url ?? '')
    await administrator.call('CLIENT', 'PAUSE', '4000', 'ALL')
    const durations: number[] = []
    for (let count = 0; count < 4; count += 1) {
      const begun = performance.now()
      assert.equal(await signIn(first, 'ann', '192.0.2.6'), 200)
      durations.push(performance.now() - begun)
    }
    // The fastest one of the others tells, however busy the machine is.
    const [delayed = 0, ...others] = durations
    assert.ok(delayed >= 900 && Math.min(...others) < delayed / 2, `${durations.join(', ')} ms`)
    assert.equal(linesOf(first, /^Redis cannot be used/).length, 2)
    administrator.disconnect()
    await counts(first, 2)
  })

  test('attempts that Redis carries out too late end there as they do in the database', async (context) => {
    const administrator = new Redis(server?.url ?? '')
    context.after(() => administrator.disconnect())
    await first.service.users.create({ login: 'lea', email: 'lea@shop.example', password: 'right' })
    const signInAs = async (log: string, pwd: string, address: string): Promise<number> => {
      const headers = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' }
      const body = new URLSearchParams({ log, pwd })
      return (await fetch(`${first.url}/wp-login.php`, { method: 'POST', body, headers, redirect: 'manual' })).status
    }
    const tenAtOnce = (log: string, pwd: string, address: string): Promise<number[]> =>
      Promise.all(Array.from({ length: 10 }, () => signInAs(log, pwd, address)))
    const returned = linesOf(first, /^Redis counts/).length
    const begun = performance.now()
    await administrator.call('CLIENT', 'PAUSE', '2500', 'ALL')
    const [right, wrong] = await Promise.all([
      tenAtOnce('lea', 'right', '192.0.2.21'),
      tenAtOnce('tom', 'wrong', '192.0.2.22'),
    ])
    assert.deepEqual(new Set(right), new Set([302]))
    assert.deepEqual(new Set(wrong), new Set([200]))
    await counts(first, returned + 1)
    assert.equal(await signInAs('lea', 'right', '192.0.2.21'), 302)
    let further = 0
    while ((await signInAs('tom', 'wrong', '192.0.2.22')) !== 429) further += 1
    assert.ok(further <= Math.floor((performance.now() - begun) / 30_000), `${further} further guesses`)
  })

  test('requests with a limit are counted for all services, and by the database while Redis is gone', async () => {
    const search = async ({ rest }: StartedService, address: string): Promise<number> => {
      const headers = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' }
      return (await fetch(`${rest}own/v1/limited`, { headers })).status
    }
    const statuses: number[] = []
    for (let index = 0; index < 5; index += 1)
      statuses.push(await search(index % 2 === 0 ? first : second, '192.0.2.7'))
    assert.deepEqual(statuses, [200, 200, 200, 429, 429])
    const atOnce = await Promise.all(
      Array.from({ length: 20 }, (_, index) => search(index % 2 === 0 ? first : second, '192.0.2.8')),
    )
    assert.equal(atOnce.filter((status) => status === 200).length, 3)
    const lines = linesOf(first, /^Redis counts/).length
    const linesOfSecond = linesOf(second, /^Redis counts/).length
    await server?.kill()
    const alone: number[] = []
    for (let index = 0; index < 4; index += 1) alone.push(await search(first, '192.0.2.9'))
    assert.deepEqual(alone, [200, 200, 200, 429])
    assert.equal(await search(second, '192.0.2.9'), 200)
    await server?.start()
    await Promise.all([counts(first, lines + 1), counts(second, linesOfSecond + 1)])
  })

  test('the database counts while Redis refuses to write, with one line in the log', async (context) => {
    const administrator = new Redis(server?.url ?? '')
    context.after(() => administrator.disconnect())
    const lost = () => linesOf(first, /^Redis cannot be used/).length
    const [before, returned] = [lost(), linesOf(first, /^Redis counts/).length]
    await administrator.call('CONFIG', 'SET', 'maxmemory', '1')
    assert.equal(await signIn(first, 'zoe', '192.0.2.11'), 200)
    assert.equal(lost(), before + 1)
    // Whether Redis is back is looked for every second.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    assert.equal(await signIn(first, 'zoe', '192.0.2.11'), 200)
    assert.equal(lost(), before + 1)
    await administrator.call('CONFIG', 'SET', 'maxmemory', '0')
    await counts(first, returned + 1)
  })

  test('a service starts without Redis, and its database counts', async () => {
    const service = await startService([Own], { redis_url: 'redis://127.0.0.1:1', trusted_proxies: ['127.0.0.1'] })
    await assertLimit([service], 'mia', '192.0.2.1')
    assert.equal(linesOf(service, /^Redis cannot be used/).length, 1)
    await service.close()
  })
})
