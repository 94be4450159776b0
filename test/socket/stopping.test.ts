import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { test } from 'node:test'
import { inject } from '../../src/container/container.js'
import { RecordStore } from '../../src/content/record-store.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { RawConnection } from '../support/raw-socket.js'
import { startService, type LogLine } from '../support/start-service.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The only line that an orderly stop writes. */
const begun = (gracePeriod: number): LogLine => ({
  level: 'info',
  message: 'stopping: requests in flight are finished, no others are taken',
  fields: { gracePeriod },
})

/** What handlers came to the end of. */
const done: string[] = []

/** Says when a request reaches its handler. */
const handlers = new EventEmitter()

/** Resolves when the next request reaches its handler. Call it before the request is sent. */
const nextHandlerCall = () => once(handlers, 'reached')

class Slow {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'slow/v1', route: '/moment', permission: 'public' })
  async moment() {
    handlers.emit('reached')
    await new Promise((resolve) => setTimeout(resolve, 250))
    return new RestResponse({ records: (await this.records.list({ type: 'post' })).length })
  }

  @AsRestRoute({ namespace: 'slow/v1', route: '/added', method: 'POST', permission: 'public' })
  async add(request: RestRequest) {
    handlers.emit('reached')
    for (const title of ['first', 'second']) {
      await this.records.insert({ type: 'post', title: `${title} ${request.body.length}` })
      await pause(250)
    }
    done.push('added')
    return new RestResponse({})
  }

  @AsRestRoute({ namespace: 'slow/v1', route: '/never', permission: 'public' })
  never() {
    handlers.emit('reached')
    return new Promise<RestResponse>(() => {})
  }
}

test('close finishes what is in flight, with the database still there, and refuses new connections', async () => {
  const { rest, service, log } = await startService([Slow])
  const arrived = nextHandlerCall()
  const inFlight = fetch(`${rest}slow/v1/moment`)
  await arrived
  const closed = service.close()
  const response = await inFlight
  await assert.rejects(fetch(`${rest}slow/v1/moment`))
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { records: 0 })
  await closed
  assert.deepEqual(log, [begun(10_000)])
})

test('so it does without a socket', async () => {
  const { rest, service, log } = await startService([Slow])
  const inFlight = service.fetch(new Request(`${rest}slow/v1/moment`))
  const closed = service.close()
  const refused = await service.fetch(
    new Request(`${rest}slow/v1/moment`, { headers: { origin: 'https://a.example' } }),
  )
  assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [503, 'https://a.example'])
  const preflight = await service.fetch(
    new Request(`${rest}slow/v1/moment`, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    }),
  )
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [200, 'https://a.example'])
  const response = await inFlight
  assert.equal(response.status, 200)
  assert.deepEqual(await response.json(), { records: 0 })
  await closed
  assert.deepEqual(log, [begun(10_000)])
})

test('so it does when the body is still on its way', async () => {
  const { rest, service, log } = await startService([Slow])
  const body = new ReadableStream({
    async start(controller) {
      await pause(150)
      controller.enqueue(Buffer.from('abc'))
      controller.close()
    },
  })
  const inFlight = service.fetch(new Request(`${rest}slow/v1/added`, { method: 'POST', body, duplex: 'half' }))
  await service.close()
  assert.equal((await inFlight).status, 200)
  assert.deepEqual(log, [begun(10_000)])
})

for (const [spelling, header] of [
  ['spelt simply', ''],
  ['spelt for node:http', 'TE: trailers\r\n'],
])
  test(`so it does when the client is gone, its request ${spelling}`, async () => {
    done.length = 0
    const { port, service, log } = await startService([Slow])
    const connection = new RawConnection(port)
    const arrived = nextHandlerCall()
    connection.send(`POST /wp-json/slow/v1/added HTTP/1.1\r\nHost: x\r\n${header}Content-Length: 3\r\n\r\nabc`)
    await arrived
    connection.socket.resetAndDestroy()
    await pause(80)
    await service.close()
    assert.deepEqual(done, ['added'])
    assert.deepEqual(log, [begun(10_000)])
  })

test('connections that wait for another request end at once', async () => {
  const { port, service } = await startService([Slow])
  const [used, fresh] = [new RawConnection(port), new RawConnection(port)]
  used.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.equal((await used.response()).status, 200)
  // Without the time after which idle connections end anyway.
  await service.close({ gracePeriod: Infinity })
  await Promise.all([used.ended(), fresh.ended()])
  used.close()
  fresh.close()
})

test('a response given while closing says that the connection ends', async () => {
  const { port, service } = await startService([Slow])
  const connection = new RawConnection(port)
  const arrived = nextHandlerCall()
  connection.send('GET /wp-json/slow/v1/moment HTTP/1.1\r\nHost: x\r\n\r\n')
  await arrived
  const closed = service.close()
  const response = await connection.response()
  assert.deepEqual([response.status, response.headers['connection']], [200, 'close'])
  await closed
  connection.close()
})

test('a handler that hangs is waited for until the grace period ends', async () => {
  const { rest, service, log } = await startService([Slow])
  const first = nextHandlerCall()
  const hanging = assert.rejects(fetch(`${rest}slow/v1/never`))
  await first
  const second = nextHandlerCall()
  void service.fetch(new Request(`${rest}slow/v1/never`))
  await second
  const started = performance.now()
  await service.close({ gracePeriod: 200 })
  const took = performance.now() - started
  assert.ok(took >= 190, `${took} ms`)
  await hanging
  assert.deepEqual(log.slice(1), [
    {
      level: 'warn',
      message: 'requests were cut off: they took longer than the grace period',
      fields: { code: 'requests-cut-off', requests: 2, gracePeriod: 200 },
    },
  ])
})

test('so is one whose client is gone', async () => {
  const { port, service } = await startService([Slow])
  const connection = new RawConnection(port)
  const arrived = nextHandlerCall()
  connection.send('GET /wp-json/slow/v1/never HTTP/1.1\r\nHost: x\r\n\r\n')
  await arrived
  connection.socket.resetAndDestroy()
  await pause(80)
  const started = performance.now()
  await service.close({ gracePeriod: 200 })
  const took = performance.now() - started
  assert.ok(took >= 190, `${took} ms`)
})

test('an infinite grace period waits, and one that is no number from 0 on is refused', async () => {
  const { service, rest } = await startService([Slow])
  for (const gracePeriod of [Number.NaN, -1, '5s' as never])
    assert.throws(() => service.close({ gracePeriod }), RangeError)
  const arrived = nextHandlerCall()
  const response = fetch(`${rest}slow/v1/moment`)
  await arrived
  await service.close({ gracePeriod: Infinity })
  assert.equal((await response).status, 200)
})

test('closing twice is closing once; a closed service does not listen again', async () => {
  const { service } = await startService([Slow])
  const first = service.close()
  assert.equal(service.close(), first)
  await first
  await service.close()
  await assert.rejects(service.listen({ port: 0 }), /closed/)
})

test('an empty host opens nothing: Node would take it for every address', async () => {
  const { service } = await startService([Slow])
  await assert.rejects(service.listen({ port: 0, host: '' }), /the host is empty/)
  await service.close()
})

test('a service that is closed while it begins to listen does not listen', async () => {
  const { service, log } = await startService([Slow])
  const port = await freePort()
  const listening = assert.rejects(service.listen({ port }), /closed/)
  await Promise.all([service.close(), listening])
  await assert.rejects(fetch(`http://127.0.0.1:${port}/healthz`))
  assert.deepEqual(log, [begun(10_000)])
})

test('a port that is taken is no reason not to close, or not to listen on another', async () => {
  const { service, port } = await startService([Slow])
  await assert.rejects(service.listen({ port }), { code: 'EADDRINUSE' })
  const other = await service.listen({ port: 0 })
  assert.equal((await fetch(`${other.url}/healthz`)).status, 200)
  await service.close()
  await assert.rejects(fetch(`${other.url}/healthz`))
})

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const { service, port } = await startService([Slow])
  await service.close()
  return port
}
