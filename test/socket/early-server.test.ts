import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EarlyServer } from '../../src/app/early-server.js'
import { inspect } from '../../src/app/plan.js'
import { TrustedProxies } from '../../src/http/trusted-proxies.js'
import { AsRestRoute } from '../../src/index.js'
import { NodeServer } from '../../src/server/server.js'
import { exchange, RawConnection } from '../support/raw-socket.js'
import { respondBy } from '../support/responder.js'

class PingApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/ping', permission: 'public' })
  ping() {
    return 'pong'
  }
}

for (const http of ['fast', 'node'] as const)
  test(`a server of a start that waits, with http: '${http}', reads no bodies and gives its connections away`, async () => {
    const plan = await inspect([PingApi], { database: 'sqlite::memory:', body_limit: 1000, http })
    const early = new EarlyServer(0, '127.0.0.1')
    early.open(plan)
    const { server, port } = (await early.take()) ?? assert.fail('It does not listen.')
    await early.close()
    const post = (header: string) =>
      exchange(
        port,
        `POST /wp-json/test/v1/files HTTP/1.1\r\nHost: x\r\nOrigin: https://pages.example\r\n${header}\r\n\r\n`,
      )
    const open = new RawConnection(port)
    const unfinished = new RawConnection(port)
    try {
      open.send('GET /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
      assert.equal((await open.response()).text, 'the database is not ready\n')
      // No body is sent: those of other routes may be larger than the limit of most, and none is waited for.
      for (const header of ['Content-Length: 999', 'Content-Length: 5000000000', 'Transfer-Encoding: chunked']) {
        const { status, headers } = await post(header)
        assert.deepEqual([status, headers['retry-after'], headers['connection']], [503, '10', 'close'], header)
        assert.equal(headers['access-control-allow-origin'], 'https://pages.example', header)
        assert.match(String(headers['access-control-expose-headers']), /Retry-After/, header)
      }
      const preflight = await exchange(
        port,
        'OPTIONS /wp-json/test/v1/ping HTTP/1.1\r\nHost: x\r\nOrigin: https://pages.example\r\n' +
          'Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: x-wp-nonce\r\n\r\n',
      )
      assert.deepEqual([preflight.status, preflight.text], [200, '[]'])
      assert.equal(preflight.headers['access-control-allow-origin'], 'https://pages.example')
      assert.match(String(preflight.headers['access-control-allow-headers']), /X-WP-Nonce/)
      assert.match(String(preflight.headers['access-control-allow-methods']), /POST/)
      assert.equal((await exchange(port, 'OPTIONS / HTTP/1.1\r\nHost: x\r\n\r\n')).status, 503)
      // A head that is not complete when the service takes over.
      unfinished.send('GET /late HTTP/1.1\r\nHost: x\r\n')
      open.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.equal((await open.response()).text, 'ok\n')
      server.serve(
        respondBy(({ path }) => ({ status: 200, headers: [], body: `service ${path}` })),
        { bodyLimit: 10, trustedProxies: new TrustedProxies([]) },
      )
      unfinished.send('\r\n')
      assert.equal((await unfinished.response()).text, 'service /late')
      open.send('GET /kept HTTP/1.1\r\nHost: x\r\n\r\n')
      assert.equal((await open.response()).text, 'service /kept')
      assert.equal((await post('Content-Length: 11')).status, 413)
    } finally {
      open.close()
      unfinished.close()
      await server.close(0)
    }
  })

test('a server that does not begin to listen is not waited for, and is closed when it does', async (context) => {
  const listen = Reflect.get(NodeServer.prototype, 'listen') as NodeServer['listen']
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const closed = new Promise<void>((resolve) => {
    const close = Reflect.get(NodeServer.prototype, 'close') as NodeServer['close']
    context.mock.method(NodeServer.prototype, 'close', async function (this: NodeServer, gracePeriod: number) {
      const requests = await close.call(this, gracePeriod)
      resolve()
      return requests
    })
  })
  // As in a worker whose supervisor is stopped.
  context.mock.method(NodeServer.prototype, 'listen', async function (this: NodeServer, ...at: [number, string]) {
    await begun
    return listen.apply(this, at)
  })
  const early = new EarlyServer(0, '127.0.0.1')
  early.open(await inspect([PingApi], { database: 'sqlite::memory:' }))
  await early.close()
  begin()
  await closed
})
