import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
import { TrustedProxies } from '../../src/http/trusted-proxies.js'
import { NodeServer } from '../../src/server/server.js'
import { RawConnection } from '../support/raw-socket.js'
import { startService } from '../support/start-service.js'
import { respondBy, type Responder } from '../support/responder.js'

/** The service reads a request itself, or `node:http` does: at once, or after something that only `node:http` reads. */
const ways: [way: string, http: 'fast' | 'node', header: string][] = [
  ['read directly', 'fast', ''],
  ['read by node:http', 'node', ''],
  ['handed over', 'fast', 'TE: trailers\r\n'],
]

/** Up to 65,536 characters of ASCII are sent together with their head. */
const sizes = [65_535, 65_536, 65_537, 300_000]
const letters = { ascii: 'a', latin: 'é', euro: '€', emoji: '😀' }
const isLetter = (name: string): name is keyof typeof letters => name in letters

/** A JSON text of `size` UTF-16 units, which ends with the letter. */
function bodyOf(size: number, name: string): string {
  const letter = isLetter(name) ? letters[name] : ''
  return letter.padStart(size - 2, 'x')
}

class LargeApi {
  @AsRestRoute({ namespace: 'large/v1', route: '/fresh/(?P<size>[\\d]+)/(?P<name>[a-z]+)', permission: 'public' })
  fresh(request: RestRequest) {
    return bodyOf(Number(request.get_param('size')), String(request.get_param('name')))
  }

  @AsRestRoute({
    namespace: 'large/v1',
    route: '/cached/(?P<size>[\\d]+)/(?P<name>[a-z]+)',
    permission: 'public',
    cache: 60,
  })
  cached(request: RestRequest) {
    return new RestResponse(bodyOf(Number(request.get_param('size')), String(request.get_param('name'))), 200, {
      'X-Letter': 'é',
    })
  }
}

/** The head as text, and the body as bytes, of the next response. */
interface Received {
  readonly head: string
  readonly body: Buffer
}

/**
 * Sends requests on one connection and reads a little at a time, with pauses, so that the service has to wait for this client.
 * @param isPaced each request is sent when the head of the response before it has arrived, which is still being read then.
 *   Several requests that arrive together are left to `node:http`. Otherwise all are sent at once.
 */
async function exchangeSlowly(
  context: TestContext,
  port: number,
  requests: readonly { readonly method: string; readonly path: string }[],
  header: string,
  isPaced: boolean,
): Promise<Received[]> {
  const connection = new RawConnection(port)
  context.after(() => connection.close())
  const { socket } = connection
  socket.removeAllListeners('data')
  socket.pause()
  const texts = requests.map(({ method, path }) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n${header}\r\n`)
  let sent = isPaced ? 1 : texts.length
  connection.send(texts.slice(0, sent).join(''))
  let bytes = Buffer.alloc(0)
  const received: Received[] = []
  while (received.length < requests.length) {
    const headEnd = bytes.indexOf('\r\n\r\n')
    if (headEnd >= 0) {
      if (sent === received.length + 1 && sent < texts.length) connection.send(texts[sent++] ?? '')
      const head = bytes.subarray(0, headEnd).toString('latin1')
      const isHead = requests[received.length]?.method === 'HEAD'
      const end = headEnd + 4 + (isHead ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1]))
      if (bytes.length >= end) {
        received.push({ head, body: bytes.subarray(headEnd + 4, end) })
        bytes = bytes.subarray(end)
        continue
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
    const chunk = socket.read() as Buffer | null
    if (chunk !== null) bytes = Buffer.concat([bytes, chunk])
    else if (socket.readableEnded) throw new Error(`The connection ended after ${received.length} responses.`)
  }
  assert.equal(bytes.length, 0, 'bytes behind the last response')
  return received
}

function assertReceived({ head, body }: Received, method: string, expected: Buffer, what: string): void {
  assert.match(head, /^HTTP\/1\.1 200 OK\r\n/, what)
  if (method === 'HEAD') return
  assert.match(head, new RegExp(`^content-length: ${expected.length}$`, 'im'), what)
  assert.ok(body.equals(expected), `${what} has other bytes`)
}

const names = Object.keys(letters)

for (const [way, http, header] of ways) {
  test(`JSON of up to 300,000 characters arrives whole at a client that reads slowly: ${way}`, async (context) => {
    const site = await startService([LargeApi], { http })
    context.after(() => site.close())
    for (const name of names) {
      const requests = sizes.flatMap((size) =>
        // The second request for a path of `cached` is served from the cache.
        ['fresh', 'cached', 'cached'].flatMap((kind) =>
          ['GET', 'HEAD'].map((method) => ({ method, kind, size, path: `/wp-json/large/v1/${kind}/${size}/${name}` })),
        ),
      )
      const received = await exchangeSlowly(context, site.port, requests, header, way === 'read directly')
      for (const [index, { method, kind, size, path }] of requests.entries()) {
        const response = received[index] ?? { head: '', body: Buffer.alloc(0) }
        const json = JSON.stringify(bodyOf(size, name)).replace(
          /[^\0-\x7f]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )
        assertReceived(response, method, Buffer.from(json), `${method} ${path}, response ${index}`)
        // The two bytes of the letter in UTF-8.
        if (kind === 'cached') assert.match(response.head, /^x-letter: Ã©\r?$/im)
      }
    }
  })

  test(`text and bytes of up to 300,000 characters arrive whole at a client that reads slowly: ${way}`, async (context) => {
    const respond: Responder = ({ path }) => {
      const [, kind, size, name = ''] = path.split('/')
      const text = bodyOf(Number(size) + 2, name)
      return { status: 200, headers: [['X-Letter', 'é']], body: kind === 'bytes' ? Buffer.from(text) : text }
    }
    const server = new NodeServer(respondBy(respond), {
      bodyLimit: 1_000_000,
      hasFastPath: http === 'fast',
      trustedProxies: new TrustedProxies([]),
    })
    const { port } = await server.listen(0, '127.0.0.1')
    context.after(() => server.close(100))
    const requests = sizes.flatMap((size) =>
      names.flatMap((name) =>
        ['text', 'bytes'].flatMap((kind) =>
          ['GET', 'HEAD'].map((method) => ({ method, size, name, path: `/${kind}/${size}/${name}` })),
        ),
      ),
    )
    const received = await exchangeSlowly(context, port, requests, header, way === 'read directly')
    for (const [index, { method, size, name, path }] of requests.entries()) {
      const response = received[index] ?? { head: '', body: Buffer.alloc(0) }
      assertReceived(response, method, Buffer.from(bodyOf(size + 2, name)), `${method} ${path}, response ${index}`)
      assert.match(response.head, /^x-letter: Ã©\r?$/im)
    }
  })
}
