import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
import { TrustedProxies } from '../../src/http/trusted-proxies.js'
import { NodeServer } from '../../src/server/server.js'
import type { Timeouts } from '../../src/server/timeouts.js'
import { RawConnection } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'
import { respondBy, type Responder } from '../support/responder.js'

/** The service reads a request itself, or `node:http` does: at once, or after something that only `node:http` reads. */
const ways: [way: string, hasFastPath: boolean, header: string][] = [
  ['read directly', true, ''],
  ['read by node:http', false, ''],
  ['handed over', true, 'TE: trailers\r\n'],
]

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
const get = (path: string, header = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`

/** Answers with the path; `/large` with 2 MB behind it, `/endless` with 50 MB, `/later` after a moment. */
const echo: Responder = async ({ path }) => {
  if (path === '/later') await pause(40)
  const body = path === '/large' ? path.padEnd(2_000_000, 'x') : path.padEnd(path === '/endless' ? 50_000_000 : 0, 'x')
  return { status: 200, headers: [], body }
}

async function open(
  context: TestContext,
  hasFastPath: boolean,
  timeouts: Partial<Timeouts> = {},
  respond: Responder = echo,
): Promise<RawConnection> {
  const trustedProxies = new TrustedProxies([])
  const server = new NodeServer(respondBy(respond), { bodyLimit: 1_000_000, hasFastPath, trustedProxies, timeouts })
  const { port } = await server.listen(0, '127.0.0.1')
  const connection = new RawConnection(port)
  context.after(async () => {
    connection.close()
    await server.close(100)
  })
  return connection
}

/** Sends the bytes again and again, until the connection ends. */
function drip(context: TestContext, connection: RawConnection, bytes: string): void {
  const timer = setInterval(() => connection.socket.writable && connection.send(bytes), 15)
  context.after(() => clearInterval(timer))
}

class WritingApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/write', permission: 'public' })
  write(request: RestRequest) {
    const before = request.headers['x-seen'] ?? null
    Object.assign(request.headers, { 'x-seen': 'yes' })
    return new RestResponse([before, request.headers['x-seen'], request.get_header('X-Seen')])
  }
}

for (const [way, hasFastPath, header] of ways) {
  test(`a handler may write into the headers of its request, and no other request sees it: ${way}`, async (context) => {
    const site = await startService([WritingApi], { http: hasFastPath ? 'fast' : 'node' })
    context.after(() => site.close())
    const connection = new RawConnection(site.port)
    context.after(() => connection.close())
    for (let round = 0; round < 3; round += 1) {
      connection.send(get('/wp-json/test/v1/write', header))
      const { status, text } = await connection.response()
      assert.deepEqual([status, JSON.parse(text)], [200, [null, 'yes', 'yes']])
    }
  })

  test(`line ends after a request are no request: ${way}`, async (context) => {
    for (const second of ['', get('/2', header)]) {
      // They would otherwise be late headers before the connection is idle for too long.
      const timeouts = second === '' ? { headers: 300, idle: 900, interval: 10 } : {}
      const connection = await open(context, hasFastPath, timeouts)
      connection.send(get('/1', header))
      assert.equal((await connection.response()).text, '/1')
      for (const bytes of ['\r\n', '\r', '\n\r\n']) {
        connection.send(bytes)
        await pause(5)
      }
      connection.send(second)
      if (second !== '') {
        assert.equal((await connection.response()).text, '/2')
        connection.socket.end()
      }
      assert.equal(await connection.ended(), '')
    }
  })

  test(`line ends do not keep a connection open: ${way}`, async (context) => {
    const connection = await open(context, hasFastPath, { idle: 150 })
    connection.send(get('/', header))
    assert.equal((await connection.response()).status, 200)
    drip(context, connection, '\r\n')
    assert.equal(await connection.ended(), '')
  })

  test(`a client that sends, but takes nothing of its response, loses the connection: ${way}`, async (context) => {
    const connection = await open(context, hasFastPath, { stalled: 150 })
    connection.socket.pause()
    connection.send(get('/endless', header))
    drip(context, connection, 'X')
    await connection.ended()
    assert.ok(connection.socket.bytesRead < 50_000_000, `${connection.socket.bytesRead} bytes came`)
  })

  test(`a response after which the connection closes arrives whole, whatever is sent behind its request: ${way}`, async (context) => {
    const connection = await open(context, hasFastPath)
    connection.socket.pause()
    connection.send(get('/large', `${header}Connection: close\r\n`))
    for (let round = 0; round < 10; round += 1) {
      await pause(5)
      connection.send(get('/behind').repeat(10))
    }
    connection.socket.resume()
    const { headers, text } = await connection.response()
    assert.deepEqual([headers['connection'], text.length], ['close', 2_000_000])
    assert.equal(await connection.ended(), '')
  })

  test(`so does one before a refusal: ${way}`, async (context) => {
    const connection = await open(context, hasFastPath)
    connection.socket.pause()
    connection.send(get('/large', header))
    for (let round = 0; round < 10; round += 1) {
      await pause(5)
      connection.send('nonsense\r\n\r\n')
    }
    connection.socket.resume()
    assert.equal((await connection.response()).text.length, 2_000_000)
    assert.equal((await connection.response()).status, 400)
    assert.equal(await connection.ended(), '')
  })

  test(`a client that closes its side behind nonsense is refused after its response: ${way}`, async (context) => {
    for (const isAtOnce of [true, false]) {
      const connection = await open(context, hasFastPath)
      connection.send(get('/later', header) + (isAtOnce ? 'nonsense\r\n\r\n' : ''))
      if (!isAtOnce) {
        await pause(5)
        connection.send('nonsense\r\n\r\n')
      }
      connection.socket.end()
      assert.equal((await connection.response()).text, '/later')
      assert.equal((await connection.response()).status, 400)
      assert.equal(await connection.ended(), '')
    }
  })

  test(`a client that was told of the end gets no refusal behind it: ${way}`, async (context) => {
    const connection = await open(context, hasFastPath)
    connection.send(`${get('/later', `${header}Connection: close\r\n`)}nonsense\r\n\r\n`)
    assert.equal((await connection.response()).headers['connection'], 'close')
    assert.equal(await connection.ended(), '')
  })

  test(`status 306 is sent as WordPress sends it: ${way}`, async (context) => {
    const connection = await open(context, hasFastPath, {}, () => ({ status: 306, headers: [], body: '' }))
    const first = new Promise<Buffer>((resolve) => connection.socket.once('data', resolve))
    connection.send(get('/', header))
    assert.match((await first).toString(), /^HTTP\/1\.1 306 Reserved\r\n/)
  })

  test(`RTSP is no HTTP, unless node:http hides it: ${way}`, async (context) => {
    const connection = await open(context, hasFastPath)
    if (header !== '') {
      connection.send(get('/', header))
      await connection.response()
    }
    connection.send('GET / RTSP/1.0\r\nHost: x\r\n\r\n')
    assert.equal((await connection.response()).status, way === 'read directly' ? 400 : 200)
  })
}

test('white space around a length is read in the same way by all', async (context) => {
  const lengths = ['3', ' 3', ' 3 ', '3\t', '\t3', ' \t 3', '3 \t']
  const statuses: number[][] = []
  for (const [, hasFastPath, header] of ways) {
    const responses: number[] = []
    for (const length of lengths) {
      const connection = await open(context, hasFastPath)
      connection.send(`POST / HTTP/1.1\r\nHost: x\r\n${header}Content-Length:${length}\r\n\r\nabc`)
      responses.push((await connection.response()).status)
    }
    statuses.push(responses)
  }
  assert.deepEqual(statuses[0], statuses[1])
  assert.deepEqual(statuses[0], statuses[2])
})
