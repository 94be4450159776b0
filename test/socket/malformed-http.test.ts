import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, before, test } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
import { EchoApi } from '../support/echo-api.js'
import { exchange, RawConnection, type RawResponse } from '../support/raw-socket.js'
import { startService, type StartedService } from '../support/start-service.js'

/** Knows how many of its callers it served at once. */
class Crowd {
  static now = 0
  static most = 0

  @AsRestRoute({ namespace: 'test/v1', route: '/crowd', permission: 'public' })
  async enter() {
    Crowd.most = Math.max(Crowd.most, (Crowd.now += 1))
    await new Promise((resolve) => setTimeout(resolve, 5))
    Crowd.now -= 1
    return new RestResponse(null)
  }
}

/** The requests in the order in which they are served. */
class Order {
  static readonly served: string[] = []
  static onFirst = (): void => {}

  @AsRestRoute({ namespace: 'test/v1', route: '/order/(?P<who>\\w+)', permission: 'public' })
  serve(request: RestRequest) {
    if (Order.served.push(String(request.get_param('who'))) === 1) Order.onFirst()
    return new RestResponse(null)
  }
}

let site: StartedService
before(async () => {
  site = await startService([EchoApi, Crowd, Order], { site: { name: 'Lädchen' } })
})
after(() => site.close())

const echo = '/wp-json/test/v1/echo'
const host = 'Host: shop.example\r\n'

function isJsonError(response: RawResponse, status: number): void {
  assert.equal(response.status, status, response.text)
  assert.match(response.headers['content-type'] ?? '', /^application\/json; charset=UTF-8$/)
  assert.ok(Math.abs(Date.parse(response.headers['date'] ?? '') - Date.now()) < 60_000)
  const { code, message, data } = JSON.parse(response.text) as {
    code: string
    message: string
    data: { status: number }
  }
  assert.match(code, /^rest_\w+$/)
  assert.notEqual(message, '')
  assert.equal(data.status, status)
}

async function stillAnswers(): Promise<void> {
  const response = await fetch(`${site.rest}test/v1/echo?still=here`)
  assert.equal(response.status, 200)
  assert.deepEqual(((await response.json()) as { params: unknown }).params, { still: 'here' })
}

const chunked = `Transfer-Encoding: chunked\r\n`

const refused: [what: string, bytes: string, status: number][] = [
  ['bytes that are no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
  ['words', 'HELLO WORLD\r\n\r\n', 400],
  ['an unknown method', `FETCH ${echo} HTTP/1.1\r\n${host}\r\n`, 400],
  ['a method in lower case', `get ${echo} HTTP/1.1\r\n${host}\r\n`, 400],
  ['an unknown protocol', `GET ${echo} FTP/1.1\r\n${host}\r\n`, 400],
  ['HTTP of the future', `GET ${echo} HTTP/9.1\r\n${host}\r\n`, 505],
  ['HTTP/0.9', `GET ${echo} HTTP/0.9\r\n${host}\r\n`, 505],
  ['HTTP/2.0', `GET ${echo} HTTP/2.0\r\n${host}\r\n`, 505],
  ['the preface of HTTP/2', `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`, 505],
  ['a version that is no number', `GET ${echo} HTTP/x\r\n${host}\r\n`, 400],
  ['a NUL in the target', `GET ${echo}\0 HTTP/1.1\r\n${host}\r\n`, 400],
  ['a blank in the target', `GET ${echo}?a b HTTP/1.1\r\n${host}\r\n`, 400],
  ['a header without a colon', `GET ${echo} HTTP/1.1\r\n${host}Oops\r\n\r\n`, 400],
  ['a header with a NUL', `GET ${echo} HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`, 400],
  ['a header with a control byte', `GET ${echo} HTTP/1.1\r\n${host}X-A: a\x01b\r\n\r\n`, 400],
  ['a bare line feed in a header', `GET ${echo} HTTP/1.1\r\n${host}X-A: a\rX-B: c\r\n\r\n`, 400],
  ['a blank before the colon', `POST ${echo} HTTP/1.1\r\n${host}Content-Length : 3\r\n\r\nabc`, 400],
  ['no Host', `GET ${echo} HTTP/1.1\r\n\r\n`, 400],
  ['an empty Host', `GET ${echo} HTTP/1.1\r\nHost: \r\n\r\n`, 400],
  ['a list of Hosts', `GET ${echo} HTTP/1.1\r\nHost: a.example, b.example\r\n\r\n`, 400],
  ['a list of Hosts without a blank', `GET ${echo} HTTP/1.1\r\nHost: a.example,b.example\r\n\r\n`, 400],
  ['a Host with a path', `GET ${echo} HTTP/1.1\r\nHost: a.example/b\r\n\r\n`, 400],
  ['a Host with a user', `GET ${echo} HTTP/1.1\r\nHost: a@b.example\r\n\r\n`, 400],
  ['an empty Host in HTTP/1.0', `GET ${echo} HTTP/1.0\r\nHost:\r\n\r\n`, 400],
  ['two Hosts', `GET ${echo} HTTP/1.1\r\n${host}Host: other.example\r\n\r\n`, 400],
  ['two lengths', `POST ${echo} HTTP/1.1\r\n${host}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd`, 400],
  ['a length that is no number', `POST ${echo} HTTP/1.1\r\n${host}Content-Length: 3x\r\n\r\nabc`, 400],
  ['a negative length', `POST ${echo} HTTP/1.1\r\n${host}Content-Length: -3\r\n\r\nabc`, 400],
  ['a length and chunks', `POST ${echo} HTTP/1.1\r\n${host}Content-Length: 3\r\n${chunked}\r\n0\r\n\r\n`, 400],
  ['chunks and a length', `POST ${echo} HTTP/1.1\r\n${host}${chunked}Content-Length: 3\r\n\r\n0\r\n\r\n`, 400],
  [
    'chunked that is not last',
    `POST ${echo} HTTP/1.1\r\n${host}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
    400,
  ],
  [
    'chunks of a compressed body',
    `POST ${echo} HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    501,
  ],
  [
    'an empty transfer coding',
    `POST ${echo} HTTP/1.1\r\n${host}Transfer-Encoding:\r\nContent-Length: 3\r\n\r\nabc`,
    400,
  ],
  [
    'chunks in HTTP/1.0',
    `POST ${echo} HTTP/1.0\r\n${host}Connection: keep-alive\r\n${chunked}\r\n0\r\n\r\nGET ${echo} HTTP/1.1\r\n${host}\r\n`,
    400,
  ],
  ['a chunk whose size is no number', `POST ${echo} HTTP/1.1\r\n${host}${chunked}\r\nzz\r\nabc\r\n0\r\n\r\n`, 400],
  ['a chunk longer than it says', `POST ${echo} HTTP/1.1\r\n${host}${chunked}\r\n2\r\nabc\r\n0\r\n\r\n`, 400],
  ['the target *', `GET * HTTP/1.1\r\n${host}\r\n`, 400],
  ['a target of another kind', `GET ftp://shop.example/ HTTP/1.1\r\n${host}\r\n`, 400],
  ['a request for a tunnel', `CONNECT shop.example:443 HTTP/1.1\r\n${host}\r\n`, 501],
  ['an expectation', `POST ${echo} HTTP/1.1\r\n${host}Expect: miracles\r\nContent-Length: 0\r\n\r\n`, 417],
  ['one large header', `GET ${echo} HTTP/1.1\r\n${host}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ['many headers', `GET ${echo} HTTP/1.1\r\n${host}${'X-A: a\r\n'.repeat(6_000)}\r\n`, 431],
  ['a long target', `GET ${echo}?a=${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431],
]

for (const [what, bytes, status] of refused)
  test(`${what}: ${status}, as JSON, and the connection ends`, async () => {
    const connection = new RawConnection(site.port)
    connection.send(bytes)
    const response = await connection.response()
    isJsonError(response, status)
    assert.equal(response.headers['connection'], 'close')
    assert.equal(await connection.ended(), '')
    connection.close()
    await stillAnswers()
  })

const accepted: [what: string, bytes: string, params: unknown][] = [
  ['HTTP/1.0 without a Host', `GET ${echo}?a=1 HTTP/1.0\r\n\r\n`, { a: '1' }],
  ['a Host that is an address', `GET ${echo}?a=1 HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n`, { a: '1' }],
  ['the absolute form', `GET http://elsewhere.example${echo}?a=1 HTTP/1.1\r\n${host}\r\n`, { a: '1' }],
  [
    'a body in chunks',
    `POST ${echo} HTTP/1.1\r\n${host}${chunked}Content-Type: application/json\r\n\r\n3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n`,
    { a: 1 },
  ],
  [
    'a request to switch to another protocol',
    `GET ${echo}?a=1 HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    { a: '1' },
  ],
  ['empty lines before the request', `\r\n\r\nGET ${echo}?a=1 HTTP/1.1\r\n${host}\r\n`, { a: '1' }],
  [
    'headers named after the properties of every object',
    `GET ${echo}?a=1 HTTP/1.1\r\n${host}__proto__: x\r\nconstructor: y\r\n\r\n`,
    { a: '1' },
  ],
]

for (const [what, bytes, params] of accepted)
  test(`${what} is served`, async () => {
    const response = await exchange(site.port, bytes)
    assert.equal(response.status, 200, response.text)
    assert.deepEqual((JSON.parse(response.text) as { params: unknown }).params, params)
  })

test('OPTIONS * tells what the server can', async () => {
  const response = await exchange(site.port, `OPTIONS * HTTP/1.1\r\n${host}\r\n`)
  assert.equal(response.status, 204)
  assert.match(response.headers['allow'] ?? '', /GET.*DELETE/)
})

test('requests sent at once are answered in their order', async () => {
  const connection = new RawConnection(site.port)
  connection.send([1, 2, 3, 4, 5].map((n) => `GET ${echo}?n=${n} HTTP/1.1\r\n${host}\r\n`).join(''))
  for (const n of [1, 2, 3, 4, 5]) {
    const { text } = await connection.response()
    assert.deepEqual((JSON.parse(text) as { params: unknown }).params, { n: String(n) })
  }
  connection.close()
})

test('pipelined requests are served one at a time and in order, a hundred at most', async () => {
  const most: number[] = []
  for (const amount of [60, 100, 102, 300]) {
    Crowd.now = Crowd.most = 0
    const connection = new RawConnection(site.port)
    connection.send(`GET /wp-json/test/v1/crowd HTTP/1.1\r\n${host}\r\n`.repeat(amount))
    for (let n = 1; n <= Math.min(amount, 100); n += 1) {
      const { status, headers } = await connection.response()
      const isLast = amount > 100 && n === 100
      assert.deepEqual([status, headers['connection']], [200, isLast ? 'close' : 'keep-alive'], `${n} of ${amount}`)
    }
    if (amount > 100) assert.equal(await connection.ended(), '')
    most.push(Crowd.most)
    connection.close()
  }
  assert.deepEqual(most, [1, 1, 1, 1])
  await stillAnswers()
})

for (const http of ['fast', 'node'] as const)
  test(`of thousands of requests sent at once few are parsed (${http})`, async (context) => {
    const flooded = await startService([EchoApi], { http })
    context.after(() => flooded.close())
    let parsed = 0
    const count = () => (parsed += 1)
    subscribe('http.server.request.start', count)
    context.after(() => unsubscribe('http.server.request.start', count))
    const connection = new RawConnection(flooded.port)
    connection.send(`GET ${echo} HTTP/1.1\r\n${host}\r\n`.repeat(5_000))
    for (let n = 1; n <= 100; n += 1) assert.equal((await connection.response()).status, 200)
    assert.equal(await connection.ended(), '')
    connection.close()
    assert.ok(parsed < 400, `${parsed} were parsed`)
  })

test('a request of another connection is served before the rest of a hundred that were sent at once', async () => {
  const [many, one] = [new RawConnection(site.port), new RawConnection(site.port)]
  one.send(`GET ${echo} HTTP/1.1\r\n${host}\r\n`)
  await one.response()
  Order.onFirst = () => one.send(`GET /wp-json/test/v1/order/one HTTP/1.1\r\n${host}\r\n`)
  many.send(`GET /wp-json/test/v1/order/many HTTP/1.1\r\n${host}\r\n`.repeat(100))
  await one.response()
  for (let n = 1; n <= 100; n += 1) await many.response()
  assert.equal(Order.served.length, 101)
  assert.ok(Order.served.indexOf('one') < 100, 'it was served after all of them')
  many.close()
  one.close()
})

test('pipelined requests behind waiting ones are served in order, with their bodies', async () => {
  const connection = new RawConnection(site.port)
  const slow = `GET /wp-json/test/v1/slow HTTP/1.1\r\n${host}\r\n`
  const post = (text: string) =>
    `POST ${echo}?n=${text.length} HTTP/1.1\r\n${host}Content-Length: ${text.length}\r\n\r\n${text}`
  connection.send(slow + post('a'.repeat(70_000)) + slow)
  connection.send(post('b') + post('').slice(0, 20))
  const said: unknown[] = []
  for (let n = 1; n <= 4; n += 1) said.push(JSON.parse((await connection.response()).text))
  connection.send(post('').slice(20))
  said.push(JSON.parse((await connection.response()).text))
  assert.deepEqual(
    said.map((each) => (each as { params?: { n: string } }).params?.n ?? 'slow'),
    ['slow', '70000', 'slow', '1', '0'],
  )
  connection.close()
})

test('100 Continue stands between responses, never in one', async () => {
  const connection = new RawConnection(site.port)
  const page = `GET / HTTP/1.1\r\n${host}\r\n`
  connection.send(
    `${page}${page.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n')}GET /healthz HTTP/1.1\r\n${host}\r\n`,
  )
  for (const [status, text] of [
    [200, /^<!doctype html>/],
    [200, /^<!doctype html>/],
    [200, /^ok\n$/],
  ] as const) {
    const response = await connection.response()
    assert.equal(response.status, status)
    assert.match(response.text, text)
  }
  connection.close()
})

test('nothing that follows a request for an upgrade is taken for a request', async () => {
  const upgrade = `Upgrade: websocket\r\nConnection: upgrade\r\n\r\n`
  const post = `POST ${echo} HTTP/1.1\r\n${host}Content-Length: 200\r\n\r\n`
  const smuggled = `GET ${echo}?smuggled=1 HTTP/1.1\r\n${host}\r\n`
  for (const pieces of [
    [`GET ${echo}?n=1 HTTP/1.1\r\n${host}${upgrade}${post}`, smuggled],
    [`GET ${echo}?n=1 HTTP/1.1\r\n${host}${upgrade}`, smuggled],
    [`POST ${echo}?n=1 HTTP/1.1\r\n${host}Content-Length: 3\r\n${upgrade}abc${smuggled}`],
  ]) {
    const connection = new RawConnection(site.port)
    for (const piece of pieces) {
      connection.send(piece)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { status, headers } = await connection.response()
    assert.deepEqual([status, headers['connection']], [200, 'close'])
    assert.equal(await connection.ended(), '')
    connection.close()
  }
})

for (const [what, good] of [
  ['request', `GET ${echo}?n=1 HTTP/1.1\r\n${host}\r\n`],
  ['request with a body', `POST ${echo}?n=1 HTTP/1.1\r\n${host}Content-Length: 1\r\n\r\na`],
  ['request with a body of nothing', `POST ${echo}?n=1 HTTP/1.1\r\n${host}Content-Length: 0\r\n\r\n`],
])
  test(`garbage after a valid ${what} gets a response of its own`, async () => {
    const connection = new RawConnection(site.port)
    connection.send(`${good}GARBAGE\r\n\r\n`)
    assert.equal((await connection.response()).status, 200)
    isJsonError(await connection.response(), 400)
    await connection.ended()
    connection.close()
  })

test('a broken body behind a good request is answered in its turn', async () => {
  const connection = new RawConnection(site.port)
  connection.send(`GET ${echo}?n=1 HTTP/1.1\r\n${host}\r\nPOST ${echo} HTTP/1.1\r\n${host}${chunked}\r\nzz\r\n`)
  assert.equal((await connection.response()).status, 200)
  isJsonError(await connection.response(), 400)
  await connection.ended()
  connection.close()
})

test('a client that has said everything and closes its side still gets its response', async () => {
  const connection = new RawConnection(site.port)
  connection.socket.end(`GET /wp-json/test/v1/slow HTTP/1.1\r\n${host}\r\n`)
  assert.equal((await connection.response()).status, 200)
  connection.close()
})

test('a client that closes its side in the middle of a request is told so', async () => {
  for (const bytes of [`GET ${echo} HT`, `POST ${echo} HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`]) {
    const connection = new RawConnection(site.port)
    connection.socket.end(bytes)
    isJsonError(await connection.response(), 400)
    connection.close()
  }
})

test('a client that disconnects at any point does not affect others', async () => {
  const whole = `POST ${echo} HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":"b"}`
  for (let length = 0; length <= whole.length; length += 7) {
    const connection = new RawConnection(site.port)
    await new Promise<void>((resolve) => connection.socket.once('connect', resolve))
    await new Promise<void>((resolve) => connection.socket.write(whole.slice(0, length), () => resolve()))
    connection.socket.resetAndDestroy()
  }
  await stillAnswers()
})

test('a client that disconnects after a CONNECT does not affect others', async () => {
  const tunnel = `CONNECT shop.example:443 HTTP/1.1\r\n${host}\r\n`
  for (const bytes of [tunnel, `GET /wp-json/test/v1/slow HTTP/1.1\r\n${host}\r\n${tunnel}`]) {
    const told = new RawConnection(site.port)
    told.send(bytes)
    await told.response()
    told.socket.resetAndDestroy()
    const silent = new RawConnection(site.port)
    await new Promise<void>((resolve) => silent.socket.write(bytes, () => resolve()))
    await stillAnswers()
    silent.socket.resetAndDestroy()
  }
  // The slow one is answered meanwhile, to nobody.
  await new Promise((resolve) => setTimeout(resolve, 150))
  await stillAnswers()
})

test('none of these requests is logged as an error', () => {
  assert.deepEqual(
    site.log.filter(({ level }) => level === 'error'),
    [],
  )
})
