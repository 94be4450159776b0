import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { headersOf, splitTarget } from '../connection/incoming.js'
import { LatestHeaders, readSimpleRequest } from './simple-request.js'

const read = (text: string) => readSimpleRequest(Buffer.from(text, 'latin1'), 1000)

test('a request as browsers and programs send it', () => {
  const request = read(
    'GET /wp-json/shop/v1/products?per_page=2&a[]=%20 HTTP/1.1\r\nHost: shop.example\r\nUser-Agent:curl/8\r\n' +
      'Accept: text/html;q=0.9,\t*/*  \r\nCookie: a=b\r\nX-Empty:\r\nCookie: c=d\r\nConnection: Keep-Alive\r\n' +
      'Accept: again\r\nUser-Agent: second\r\n\r\n',
  )
  assert.deepEqual(request && { ...request, headers: { ...request.headers } }, {
    method: 'GET',
    path: '/wp-json/shop/v1/products',
    query: 'per_page=2&a[]=%20',
    body: new Uint8Array(0),
    headers: {
      host: 'shop.example',
      'user-agent': 'curl/8',
      accept: 'text/html;q=0.9,\t*/*, again',
      cookie: 'a=b; c=d',
      'x-empty': '',
      connection: 'Keep-Alive',
    },
  })
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    assert.equal(read(`${method} / HTTP/1.1\r\nhost: x\r\n\r\n`)?.method, method)
})

test('a body that is there to its last byte', () => {
  const body = '{"a":"\xc3\xa9"}\r\n\r\n'
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`
  assert.equal(Buffer.from(read(head + body)?.body ?? []).toString('latin1'), body)
  for (const other of [head, head + body.slice(1), `${head}${body}G`, head.replace(String(body.length), '0') + body])
    assert.equal(read(other), null)
  const long = 'a'.repeat(1001)
  assert.equal(read(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${long.length}\r\n\r\n${long}`), null)
})

test('repeated headers of a connection are parsed once, and a request cannot change those of the next one', () => {
  const latest = new LatestHeaders()
  const on = (lines: string) => readSimpleRequest(Buffer.from(`GET / HTTP/1.1\r\n${lines}\r\n`), 1000, latest)?.headers
  const one = 'Host: x\r\nCookie: a=1\r\n'
  const other = 'Host: x\r\nCookie: a=2\r\n'
  const long = `Host: x\r\nCookie: ${'a'.repeat(3000)}\r\n`
  for (const lines of [one, one, other, one, one, one, long, long, long, one, other, other, other])
    assert.deepEqual({ ...on(lines) }, { host: 'x', cookie: lines.slice(17, -2) })
  const shared = on(other)
  assert.equal(on(other), shared)
  assert.throws(() => Object.assign(shared ?? {}, { cookie: 'a=3' }), TypeError)
  assert.equal(on('Host: x\r\nTE: trailers\r\n'), undefined)
  assert.equal(on('Host: x\r\nTE: trailers\r\n'), undefined)
})

test('everything else is left to a whole parser', () => {
  const head = 'GET / HTTP/1.1\r\nHost: x\r\n'
  const whole = [
    '',
    head,
    `${head}\r`,
    `${head}\r\n${head}\r\n`,
    `${head}\r\nbody`,
    `\r\n${head}\r\n`,
    `${head.replaceAll('\r\n', '\n')}\n`,
    'TRACE / HTTP/1.1\r\nHost: x\r\n\r\n',
    'get / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET  / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /#a HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET * HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.0\r\nHost: x\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nAccept: x\r\n\r\n',
  ]
  const framing =
    'Content-Length: 0\r\nContent-Length: 0|Content-Length: +0|Content-Length:|content-length:5|Transfer-Encoding: chunked|Connection: close|Connection: keep-alive, Upgrade|' +
    'Upgrade: websocket|Expect: 100-continue|TE: trailers|Trailer: x|HTTP2-Settings: x|Proxy-Connection: close|Host: x'
  const odd = 'X_Y: z| folded|\tfolded|X : y|X|: y|X: a\0b|X: \xe9|X: a\rb|X: \x7f'
  const lines = [...framing.split('|'), ...odd.split('|'), `X: ${'a'.repeat(8192)}`]
  const others = [...whole, ...lines.map((line) => `${head}${line}\r\n\r\n`)]
  for (const text of others) assert.equal(read(text), null, JSON.stringify(text))
})

const names =
  'Host host X-A x-a Cookie Accept If-None-Match User-Agent X_A Connection __proto__ Content-Length Transfer-Encoding ' +
  'Origin X!a Authorization'
const name = fc.constantFrom(...names.split(' '))
const value = fc.oneof(
  fc.constantFrom('x', '', '0', 'keep-alive', 'close', 'chunked', 'a, b', ' padded\t', 'a\tb', 'é', '"quoted"'),
  fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 20 }),
)
const target = fc.oneof(
  fc.constantFrom('/', '/a?b=c', '//', '/a[]?b[]=1', '/%41', '/a?b?c', '*', 'x', '/a#b', '/"<>\\^`{|}'),
  fc
    .string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)), maxLength: 20 })
    .map((text) => `/${text}`),
)

test('the fast path reads a request as Node does', async (context) => {
  let seen: unknown = null
  const server = createServer({ requireHostHeader: false }, async (request, response) => {
    const { method, url = '', rawHeaders } = request
    const body = Buffer.concat(await request.toArray()).toString()
    seen = { method, ...splitTarget(url), headers: { ...headersOf(rawHeaders) }, body }
    response.end()
  }).listen(0, '127.0.0.1')
  context.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  let simple = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PURGE'),
      target,
      fc.array(fc.tuple(name, value), { maxLength: 6 }),
      fc.constantFrom('', '', '0', '{"a":"é"}', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
      async (method, path, headers, body) => {
        const own = body === '' ? [] : [['Content-Length', String(Buffer.byteLength(body))]]
        const lines = [['Host', 'x'], ...own, ...headers].map(([key, text]) => `${key}: ${text}\r\n`).join('')
        const bytes = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines}\r\n${body}`, 'utf8')
        const request = readSimpleRequest(bytes, 1000)
        if (request === null) return
        simple += 1
        seen = null
        await exchange(port, bytes)
        assert.deepEqual(
          { ...request, headers: { ...request.headers }, body: Buffer.from(request.body).toString() },
          seen,
        )
      },
    ),
    { numRuns: 600 },
  )
  assert.ok(simple > 50, `${simple} requests were simple`)
})

function exchange(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
