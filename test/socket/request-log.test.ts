import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute, RestResponse } from '../../src/index.js'
import { exchange } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'

class Api {
  @AsRestRoute({ namespace: 'shop/v1', route: '/open', permission: 'public' })
  open() {
    return new RestResponse({ open: true })
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/closed' })
  closed() {
    return new RestResponse(null)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/broken', method: 'POST', permission: 'public' })
  async broken(): Promise<RestResponse> {
    throw new Error('broken')
  }
}

test('with request_log there is a line for each response, without what its query says', async (context) => {
  const site = await startService([Api], { request_log: true })
  context.after(() => site.close())
  const requests: readonly (readonly [method: string, path: string, query: string, status: number])[] = [
    ['GET', '/wp-json/shop/v1/open', '?token=secret', 200],
    ['HEAD', '/wp-json/shop/v1/open', '', 200],
    ['GET', '/wp-json/shop/v1/closed', '', 401],
    ['POST', '/wp-json/shop/v1/broken', '', 500],
    ['GET', '/wp-json/shop/v1/n%C3%B6where', '', 404],
    ['GET', '/nowhere', '', 404],
    ['GET', '/healthz', '', 200],
  ]
  const expected: object[] = []
  for (const [method, path, query, status] of requests) {
    const response = await fetch(`${site.url}${path}${query}`, { method })
    await response.text()
    const requestId = response.headers.get('X-Request-Id')
    expected.push({ level: 'info', requestId, method, path, status, address: '127.0.0.1' })
  }
  const lines = site.log.filter(({ message }) => message === 'answered')
  assert.deepEqual(
    lines.map(({ level, fields: { milliseconds, ...fields } }) => {
      assert.ok(Number(milliseconds) >= 0)
      return { level, ...fields }
    }),
    expected,
  )
  assert.doesNotMatch(JSON.stringify(site.log), /secret/)
})

test('also for what is answered without the service: no HTTP, too large, no address of this server', async (context) => {
  const site = await startService([Api], { request_log: true, body_limit: 10 })
  context.after(() => site.close())
  const port = Number(new URL(site.url).port)
  const host = 'Host: shop.example\r\n'
  const faulty: readonly (readonly [bytes: string, line: object])[] = [
    ['nonsense\r\n\r\n', { status: 400 }],
    [`GET /x HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`, { status: 431 }],
    [`CONNECT shop.example:443 HTTP/1.1\r\n${host}\r\n`, { status: 501 }],
    ['GET /wp-json/?token=secret HTTP/1.1\r\n\r\n', { method: 'GET', path: '/wp-json/', status: 400 }],
    [`POST /a?b HTTP/1.1\r\n${host}Content-Length: 11\r\n\r\n`, { method: 'POST', path: '/a', status: 413 }],
    [
      `POST /a HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n`,
      { method: 'POST', path: '/a', status: 413 },
    ],
    [
      `POST /b HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`,
      { method: 'POST', path: '/b', status: 400 },
    ],
  ]
  for (const [bytes, { status }] of faulty as readonly (readonly [string, { readonly status: number }])[])
    assert.equal((await exchange(port, bytes)).status, status, bytes.slice(0, 60))
  assert.deepEqual(
    site.log.filter(({ message }) => message === 'answered').map(({ fields }) => fields),
    faulty.map(([, line]) => ({ ...line, address: '127.0.0.1' })),
  )
  assert.doesNotMatch(JSON.stringify(site.log), /secret/)
})

test('also for what `fetch` answers without the service', async (context) => {
  const site = await startService([Api], { request_log: true, body_limit: 10 })
  context.after(() => site.close())
  const request = new Request(`${site.rest}shop/v1/x?token=secret`, { method: 'POST', body: 'x'.repeat(11) })
  assert.equal((await site.service.fetch(request, { address: '192.0.2.1' })).status, 413)
  assert.deepEqual(
    site.log.map(({ message, fields }) => [message, fields]),
    [['answered', { method: 'POST', path: '/wp-json/shop/v1/x', status: 413, address: '192.0.2.1' }]],
  )
})

test('without it there is none', async (context) => {
  const site = await startService([Api])
  context.after(() => site.close())
  assert.equal((await fetch(`${site.rest}shop/v1/open`)).status, 200)
  assert.deepEqual(site.log, [])
})
