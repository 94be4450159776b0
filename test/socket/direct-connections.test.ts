import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { TrustedProxies } from '../../src/http/trusted-proxies.js'
import { NodeServer } from '../../src/server/server.js'
import type { Timeouts } from '../../src/server/timeouts.js'
import type { OutgoingResponse } from '../../src/http/exchange.js'
import { RawConnection } from '../support/raw-socket.js'
import { respondBy, type Responder } from '../support/responder.js'

const line = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`
/** Read by the server itself, and by `node:http`: the second says something about its connection. */
const simple = (path: string, method = 'GET') => `${line(method, path)}\r\n`
const unusual = (path: string, method = 'GET') => `${line(method, path)}TE: trailers\r\n\r\n`
const withBody = (path: string, body: string) => `${line('POST', path)}Content-Length: ${body.length}\r\n\r\n${body}`

/** Says what it was asked; `/later` and below take a moment. */
const echo: Responder = ({ method, path, body }) => {
  const response = { status: 200, headers: [], body: `${method} ${path} ${Buffer.from(body).toString()}` }
  if (!path.startsWith('/later')) return response
  return new Promise((resolve) => setTimeout(() => resolve(response), 30))
}

async function open(context: TestContext, respond: Responder = echo, timeouts: Partial<Timeouts> = {}) {
  const hasFastPath = process.env['AS_REST_ROUTE_HTTP'] !== 'node'
  const trustedProxies = new TrustedProxies([])
  const server = new NodeServer(respondBy(respond), { bodyLimit: 1_000_000, hasFastPath, trustedProxies, timeouts })
  const { port } = await server.listen(0, '127.0.0.1')
  const connections: RawConnection[] = []
  const another = (): RawConnection => {
    const connection = new RawConnection(port)
    connections.push(connection)
    return connection
  }
  const connection = another()
  context.after(async () => {
    for (const opened of connections) opened.close()
    await server.close(100)
  })
  return { server, connection, another }
}

test('requests of both kinds follow each other on a connection', async (context) => {
  const { connection } = await open(context)
  const requests = [simple('/1'), simple('/2'), withBody('/3', 'abc'), simple('/4'), unusual('/5'), simple('/later/6')]
  for (const [index, bytes] of requests.entries()) {
    connection.send(bytes)
    assert.match((await connection.response()).text, new RegExp(`/${index + 1}\\b`))
  }
})

test('all headers are seen, however many fit', async (context) => {
  const { connection } = await open(context, ({ headers }) => {
    const count = headers['a']?.split(', ').length ?? 0
    return { status: 200, headers: [], body: `${count} ${headers['b']} ${headers['te']}` }
  })
  for (const [first, te] of [
    ['', 'undefined'],
    ['TE: x\r\n', 'x'],
  ]) {
    connection.send(`${line('GET', '/')}${first}${'A:1\r\n'.repeat(2_400)}B:last\r\n\r\n`)
    assert.equal((await connection.response()).text, `2400 last ${te}`)
  }
})

const orders: [what: string, bytes: readonly string[]][] = [
  ['in one piece', [simple('/later/1') + simple('/2') + withBody('/3', 'x') + simple('/4')]],
  ['each by itself', [simple('/later/1'), simple('/later/2'), withBody('/later/3', 'x'), simple('/4')]],
  ['a whole one and the rest', [simple('/later/1'), simple('/2') + withBody('/3', 'x') + simple('/4')]],
  [
    'in pieces that end anywhere',
    [simple('/later/1'), line('GET', '/2'), '\r', '\nPOST', withBody('/3', 'x').slice(4), simple('/4')],
  ],
]

for (const [what, pieces] of orders)
  test(`requests sent before the first response are answered in turn: ${what}`, async (context) => {
    const { connection } = await open(context)
    for (const piece of pieces) {
      connection.send(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    for (const path of ['1', '2', '3', '4'])
      assert.match((await connection.response()).text, new RegExp(`/${path} ?x?$`))
  })

test('more is not read than can be answered, wherever requests of both kinds meet', async (context) => {
  const long = 'x'.repeat(300_000)
  const { connection } = await open(context, ({ path }) => {
    const response = { status: 200, headers: [], body: path + long }
    return path === '/1' ? new Promise((resolve) => setTimeout(() => resolve(response), 60)) : response
  })
  connection.send(simple('/1') + simple('/2') + withBody('/3', 'x'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  connection.send(simple('/4'))
  for (const path of ['/1', '/2', '/3', '/4']) assert.equal((await connection.response()).text, path + long)
})

test('a client that reads late gets every response, however many small ones wait for it', async (context) => {
  const paths: string[] = []
  const { connection } = await open(context, ({ path }) => {
    paths.push(path)
    return { status: 200, headers: [], body: path.padEnd(10_000, '.') }
  })
  connection.socket.pause()
  connection.socket.setNoDelay(true)
  let sent = 0
  while (paths.length === sent) {
    connection.send(simple(`/${sent}`))
    sent += 1
    await within100Milliseconds(() => paths.length === sent)
  }
  connection.socket.resume()
  for (let index = 0; index < sent; index += 1)
    assert.match((await connection.response()).text, new RegExp(`^/${index}\\.`))
})

async function within100Milliseconds(happened: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100 && !happened(); turn += 1) await new Promise((resolve) => setTimeout(resolve, 1))
}

test('responses arrive although their client goes on with what is no HTTP', async (context) => {
  const long = 'x'.repeat(3_000_000)
  const { connection } = await open(context, () => ({ status: 200, headers: [], body: long }))
  connection.socket.pause()
  connection.send(simple('/'))
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    connection.send('nonsense\r\n\r\n')
  }
  connection.socket.resume()
  assert.equal((await connection.response()).text, long)
  connection.send('nonsense\r\n\r\n')
  assert.equal((await connection.response()).status, 400)
})

test('a request that comes too late to be answered is not done either', async (context) => {
  const paths: string[] = []
  const respond: Responder = ({ path }) => {
    paths.push(path)
    return { status: 200, headers: [], body: '' }
  }
  const { connection } = await open(context, respond, { headers: 20, interval: 10 })
  assert.equal((await connection.response()).status, 408)
  connection.send(simple('/late', 'DELETE'))
  await connection.ended()
  assert.deepEqual(paths, [])
})

test('a client that closed its side still gets its responses', async (context) => {
  for (const bytes of [simple('/later'), simple('/later') + simple('/2'), unusual('/later')]) {
    const { connection } = await open(context)
    connection.send(bytes)
    connection.socket.end()
    assert.equal((await connection.response()).text.trim(), 'GET /later')
    if (bytes.includes('/2')) assert.equal((await connection.response()).text.trim(), 'GET /2')
    assert.equal(await connection.ended(), '')
  }
})

test('a client that closed its side while it had to wait is not waited for any more', async (context) => {
  const { connection } = await open(context)
  connection.send(simple('/later'))
  await new Promise((resolve) => setTimeout(resolve, 5))
  connection.send(unusual('/2'))
  connection.socket.end()
  for (const path of ['/later', '/2']) assert.equal((await connection.response()).text.trim(), `GET ${path}`)
  assert.equal(await connection.ended(), '')
})

const upgrade = 'Upgrade: websocket\r\nConnection: upgrade\r\n\r\n'
const endings: [what: string, pieces: readonly string[], served: readonly string[]][] = [
  ['a refusal', [unusual('/later'), `${line('GET', '/2')}Expect: nothing\r\n\r\n${withBody('/3', '')}`], ['/later']],
  [
    'an upgrade',
    [unusual('/later/1'), `${line('GET', '/later/2')}${upgrade}`, withBody('/3', '')],
    ['/later/1', '/later/2'],
  ],
  [
    'an upgrade with a body',
    [`${line('POST', '/later')}Content-Length: 3\r\n${upgrade}`, 'abc', withBody('/2', '')],
    ['/later'],
  ],
  [
    'a body that is too long',
    [`${line('POST', '/1')}Content-Length: 1000001\r\n\r\n`, `${'x'.repeat(1_000_001)}${withBody('/2', '')}`],
    [],
  ],
]
for (const [what, pieces, served] of endings)
  test(`${what} ends the connection: what was sent behind it is not done`, async (context) => {
    const seen: string[] = []
    const { connection } = await open(context, (request) => {
      seen.push(request.path)
      return echo(request)
    })
    for (const piece of pieces) {
      connection.send(piece)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await connection.ended()
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.deepEqual(seen, served)
  })

test('a server that is being closed answers what had arrived behind the response that it still gives', async (context) => {
  let reached = (): void => undefined
  const handlerCalled = new Promise<void>((resolve) => (reached = resolve))
  const { server, connection } = await open(context, (request) => {
    reached()
    return echo(request)
  })
  connection.send(`${unusual('/later')}${withBody('/2', '')}`)
  await handlerCalled
  await server.close(60_000)
  for (const path of ['/later', '/2']) assert.match((await connection.response()).text, new RegExp(`${path} $`))
  assert.equal(await connection.ended(), '')
})

test('a client that disconnects before its response does not affect others', async (context) => {
  const { server, connection } = await open(context)
  connection.send(simple('/later'))
  await new Promise((resolve) => setTimeout(resolve, 10))
  connection.socket.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await server.close(1_000)
})

const responses: [what: string, response: OutgoingResponse][] = [
  ['text', { status: 200, headers: [['Content-Type', 'text/plain']], body: 'fine' }],
  ['text beyond ASCII', { status: 201, headers: [], requestId: 'a', body: 'é€😀' }],
  ['a header beyond ASCII', { status: 200, headers: [['X-A', 'é\r\nSet-Cookie: a=b']], body: 'x' }],
  [
    'bytes',
    {
      status: 404,
      headers: [
        ['Vary', 'A'],
        ['Vary', 'B'],
      ],
      body: Uint8Array.of(0, 255, 10),
    },
  ],
  ['a date of its own', { status: 200, headers: [['date', 'Wed, 11 Jan 1984 05:00:00 GMT']], body: 'x' }],
  ['nothing', { status: 200, headers: [], body: '' }],
  ['204', { status: 204, headers: [['X-A', '']], body: 'never' }],
  ['205', { status: 205, headers: [], body: 'never' }],
  ['304', { status: 304, headers: [['ETag', '"a"']], body: 'never' }],
  [
    'a list that comes again',
    { status: 200, headers: Object.freeze([['X-A', 'é'] as const]), requestId: 'b', body: 'x' },
  ],
]

for (const [what, response] of responses)
  test(`the response is the same on the fast path and on node:http: ${what}`, async (context) => {
    const { connection } = await open(context, () => response)
    for (const method of ['GET', 'HEAD']) {
      const bodiless = method === 'HEAD' || response.status === 204 || response.status === 304
      connection.send(simple('/', method))
      const direct = await connection.response({ bodiless })
      const other = new RawConnection(connection.socket.remotePort ?? 0)
      context.after(() => other.close())
      other.send(unusual('/', method))
      const byNode = await other.response({ bodiless })
      assert.deepEqual(
        { ...direct, headers: withoutDate(direct.headers) },
        { ...byNode, headers: withoutDate(byNode.headers) },
      )
    }
  })

/** The date may pass to the next second; what Node says of the length of no body is its own affair. */
function withoutDate({ date = '', ...headers }: Readonly<Record<string, string>>) {
  return { ...headers, date: date !== '', 'transfer-encoding': '' }
}
