import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Server } from 'node:http'
import { test, type TestContext } from 'node:test'
import { AsRestRoute, endpoint, RestResponse, type RestRequest } from '../../src/index.js'
import { exchange, RawConnection } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'

class Api {
  @AsRestRoute({ namespace: 'shop/v1', route: '/products/(?P<id>\\d+)', permission: 'public' })
  show(request: RestRequest<{ id: string }>) {
    return new RestResponse({ id: request.pathId('id') })
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/later', permission: 'public' })
  async later() {
    await new Promise((resolve) => setTimeout(resolve, 20))
    return new RestResponse(null, 204)
  }
}
const save = endpoint(
  { namespace: 'shop/v1', route: '/products', method: 'POST', permission: 'public' },
  function save() {
    return null
  },
)

interface Seen {
  readonly request: Readonly<Record<string, unknown>>
  readonly status?: number
  readonly milliseconds?: number
  readonly route?: string | null
  readonly handler?: string | null
}

/** What the channels published since now. */
function observed(context: TestContext) {
  const started: Seen[] = []
  const finished: Seen[] = []
  const onStart = (message: unknown) => void started.push(message as Seen)
  const onFinish = (message: unknown) => void finished.push(message as Seen)
  subscribe('as-rest-route.request.start', onStart)
  subscribe('as-rest-route.request.finish', onFinish)
  context.after(() => {
    unsubscribe('as-rest-route.request.start', onStart)
    unsubscribe('as-rest-route.request.finish', onFinish)
  })
  return { started, finished }
}

const host = 'Host: shop.example\r\n'
const requests: readonly (readonly [what: string, bytes: string, expected: readonly (readonly unknown[])[]])[] = [
  [
    'a simple request',
    `GET /wp-json/shop/v1/products/5?secret=1 HTTP/1.1\r\n${host}\r\n`,
    [['GET', '/wp-json/shop/v1/products/5', 200, 'shop/v1/products/(?P<id>\\d+)', 'Api.show']],
  ],
  [
    'a request that only node:http reads',
    `GET /wp-json/shop/v1/products/6 HTTP/1.1\r\n${host}TE: trailers\r\n\r\n`,
    [['GET', '/wp-json/shop/v1/products/6', 200, 'shop/v1/products/(?P<id>\\d+)', 'Api.show']],
  ],
  [
    'two requests that are sent together',
    `GET /wp-json/shop/v1/later HTTP/1.1\r\n${host}\r\nGET /wp-json/shop/v1/nothing HTTP/1.1\r\n${host}\r\n`,
    [
      ['GET', '/wp-json/shop/v1/later', 204, 'shop/v1/later', 'Api.later'],
      ['GET', '/wp-json/shop/v1/nothing', 404, null, null],
    ],
  ],
  [
    'a request with a body',
    `POST /wp-json/shop/v1/products HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`,
    [['POST', '/wp-json/shop/v1/products', 200, 'shop/v1/products', 'save']],
  ],
  ['a health check', `GET /healthz HTTP/1.1\r\n${host}\r\n`, [['GET', '/healthz', 200, null, null]]],
  [
    'a body that is too large',
    `POST /wp-json/shop/v1/products HTTP/1.1\r\n${host}Content-Length: 1000\r\n\r\n`,
    [['POST', '/wp-json/shop/v1/products', 413, null, null]],
  ],
  ['bytes that are no request', 'nonsense\r\n\r\n', [[undefined, undefined, 400, null, null]]],
]

for (const http of ['fast', 'node'] as const) {
  for (const [what, bytes, expected] of requests)
    test(`with http: '${http}' the channels publish ${what} once`, async (context) => {
      const site = await startService([Api, save], { http, body_limit: 100 })
      context.after(() => site.close())
      const { started, finished } = observed(context)
      const connection = new RawConnection(site.port)
      context.after(() => connection.close())
      connection.send(bytes)
      for (const _ of expected) await connection.response()
      assert.deepEqual(
        finished.map(({ request: { method, path }, status, route, handler }) => [method, path, status, route, handler]),
        expected,
      )
      assert.deepEqual(
        started.map(({ request }) => request),
        finished.map(({ request }) => request),
      )
      for (const [index, { request }] of finished.entries()) {
        assert.equal(request['address'], '127.0.0.1')
        assert.ok(
          started.some((start) => start.request === request),
          `start of ${index}`,
        )
      }
      for (const { milliseconds } of finished) assert.ok(milliseconds !== undefined && milliseconds >= 0)
      assert.doesNotMatch(JSON.stringify(finished), /secret/)
    })

  test(`with http: '${http}' service.fetch is published as well`, async (context) => {
    const site = await startService([Api, save], { http })
    context.after(() => site.close())
    const { finished } = observed(context)
    const response = await site.service.fetch(new Request(`${site.rest}shop/v1/products/7`))
    assert.equal(finished[0]?.request['requestId'], response.headers.get('x-request-id'))
    assert.equal(finished.length, 1)
  })

  test(`with http: '${http}' listeners that monitoring adds to the server are called for each connection`, async (context) => {
    // As an agent does that instruments a process: it adds its listener to each server when it begins to listen.
    const { listen } = Server.prototype
    let connections = 0
    Server.prototype.listen = function (this: Server, ...parameters: Parameters<typeof listen>) {
      this.on('connection', () => (connections += 1))
      return listen.apply(this, parameters)
    } as typeof listen
    const site = await startService([Api], { http })
    Server.prototype.listen = listen
    context.after(() => site.close())
    for (const path of ['healthz', 'wp-json/shop/v1/products/1', 'wp-json/shop/v1/later'])
      await exchange(site.port, `GET /${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
    assert.equal(connections, 3)
  })
}

test("with http: 'node' node:http publishes each request on its own channels", async (context) => {
  const site = await startService([Api], { http: 'node' })
  context.after(() => site.close())
  const urls: unknown[] = []
  const onStart = (message: unknown) => urls.push((message as { request: { url: string } }).request.url)
  subscribe('http.server.request.start', onStart)
  context.after(() => unsubscribe('http.server.request.start', onStart))
  await (await fetch(`${site.rest}shop/v1/products/1`)).text()
  assert.deepEqual(urls, ['/wp-json/shop/v1/products/1'])
})
