import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { TrustedProxies } from '../../src/http/trusted-proxies.js'
import { NodeServer } from '../../src/server/server.js'
import type { Timeouts } from '../../src/server/timeouts.js'
import { RawConnection, type RawResponse } from '../support/raw-socket.js'
import { until } from '../support/until.js'
import { respondBy, type Responder } from '../support/responder.js'

const quick: Timeouts = {
  headers: 150,
  body: 300,
  bytesPerSecond: 20_000,
  idle: 200,
  stalled: 300,
  linger: 100,
  interval: 30,
}
/** For requests that are to arrive in time, also on a machine that stands still for a moment. */
const lenient: Timeouts = { ...quick, headers: 600, body: 900, idle: 1_200 }
/** For connections whose end is not that of a time-out. */
const endless: Timeouts = { ...quick, headers: 60_000, body: 60_000, idle: 60_000 }
const sent = (body: string) => ({ status: 200, headers: [], body })

async function open(
  context: TestContext,
  respond: Responder,
  timeouts = quick,
  routeLimit = 1_000_000,
): Promise<RawConnection> {
  const hasFastPath = process.env['AS_REST_ROUTE_HTTP'] !== 'node'
  const trustedProxies = new TrustedProxies([])
  const server = new NodeServer(respondBy(respond), {
    // Some other route takes no more.
    bodyLimit: 1_000,
    usualBodyLimit: 1_000_000,
    bodyLimitOf: () => routeLimit,
    hasFastPath,
    trustedProxies,
    timeouts,
  })
  const { port } = await server.listen(0, '127.0.0.1')
  const connection = new RawConnection(port)
  context.after(async () => {
    connection.close()
    await server.close(100)
  })
  return connection
}

/** A whole request is read by the server itself, or by `node:http` when it says something about its connection. */
const heads: [spelling: string, head: string][] = [
  ['spelt simply', 'POST / HTTP/1.1\r\nHost: x\r\n'],
  ['spelt for node:http', 'POST / HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n'],
]

const slow: [what: string, rest: string][] = [
  ['headers that never end', 'X-A: a'],
  ['a body that never begins', 'Content-Length: 10\r\n\r\n'],
  ['a body that never ends', 'Content-Length: 10\r\n\r\nabc'],
  ['chunks that never end', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
]

const isTimeout = (response: RawResponse): void => {
  assert.equal(response.status, 408)
  assert.equal((JSON.parse(response.text) as { code: string }).code, 'rest_request_timeout')
}

for (const [spelling, head] of heads) {
  for (const [what, rest] of slow) {
    test(`${what}, ${spelling}: 408, and the connection ends`, async (context) => {
      const connection = await open(context, async () => sent('fine'))
      connection.send(head + rest)
      isTimeout(await connection.response())
      assert.equal(await connection.ended(), '')
    })

    test(`${what}, ${spelling}, behind whole requests: these are answered first`, async (context) => {
      const connection = await open(context, async ({ body }) => sent(`${body.length} bytes`), lenient)
      const whole = `${head}Content-Length: 1\r\n\r\na`
      connection.send(whole + whole + head + rest)
      for (let request = 0; request < 2; request += 1) assert.equal((await connection.response()).text, '1 bytes')
      isTimeout(await connection.response())
      assert.equal(await connection.ended(), '')
    })

    test(`${what}, ${spelling}, from a client that closes its side: the connection ends`, async (context) => {
      const connection = await open(context, async () => sent('fine'), endless)
      connection.socket.end(`${head}Content-Length: 1\r\n\r\na${head}${rest}`)
      assert.equal((await connection.response()).text, 'fine')
      assert.equal((await connection.response()).status, 400)
      assert.equal(await connection.ended(), '')
    })
  }

  /** Sends a body of 80,000 bytes in a second, and waits for the response. */
  const slowly = async (context: TestContext, routeLimit: number): Promise<RawResponse> => {
    const timeouts = { ...quick, bytesPerSecond: 4_000 }
    const connection = await open(context, async ({ body }) => sent(`${body.length} bytes`), timeouts, routeLimit)
    connection.send(`${head}Content-Length: 80000\r\n\r\n${'a'.repeat(4_000)}`)
    let sentBytes = 4_000
    const drip = setInterval(() => {
      connection.send('a'.repeat(4_000))
      sentBytes += 4_000
      if (sentBytes === 80_000) clearInterval(drip)
    }, 50)
    context.after(() => clearInterval(drip))
    return connection.response()
  }

  test(`a body that keeps up the rate, ${spelling}, may take as long as it needs on a route with a large limit`, async (context) => {
    const started = performance.now()
    assert.equal((await slowly(context, 10_000_000)).text, '80000 bytes')
    assert.ok(performance.now() - started > 3 * quick.body, 'it took no longer than any body may')
  })

  test(`a body that keeps up the rate, ${spelling}: 408 on other routes`, async (context) => {
    isTimeout(await slowly(context, 1_000_000))
  })

  test(`a large body a byte at a time, ${spelling}: 408`, async (context) => {
    const connection = await open(context, async () => sent('fine'), quick, 10_000_000)
    connection.send(`${head}Content-Length: 1000\r\n\r\n`)
    const drip = setInterval(() => connection.send('a'), 20)
    context.after(() => clearInterval(drip))
    isTimeout(await connection.response())
    assert.equal(await connection.ended(), '')
  })

  test(`a large body of which much arrives at once and then nothing, ${spelling}: 408`, async (context) => {
    // By what has arrived it might take three days.
    const timeouts = { ...quick, bytesPerSecond: 1 }
    const connection = await open(context, async () => sent('fine'), timeouts, 10_000_000)
    connection.send(`${head}Content-Length: 1000000\r\n\r\n${'a'.repeat(300_000)}`)
    isTimeout(await connection.response())
    assert.equal(await connection.ended(), '')
  })

  test(`a drop at a time, ${spelling}, does not buy more time`, async (context) => {
    const connection = await open(context, async () => sent('fine'))
    connection.send(head)
    const drip = setInterval(() => connection.send('X-A: a\r\n'), 40)
    context.after(() => clearInterval(drip))
    isTimeout(await connection.response())
  })

  test(`a connection that is idle between requests, ${spelling}, ends`, async (context) => {
    const connection = await open(context, async () => sent('fine'))
    connection.send(`${head}\r\n`)
    assert.equal((await connection.response()).status, 200)
    assert.equal(await connection.ended(), '')
  })

  test(`a connection is kept after a response that held up the whole process, ${spelling}`, async (context) => {
    const respond: Responder = async () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 900)
      return sent('fine')
    }
    const connection = await open(context, respond, { ...quick, idle: 600 })
    for (let request = 0; request < 2; request += 1) {
      connection.send(`${head}\r\n`)
      assert.equal((await connection.response()).text, 'fine')
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })

  test(`a handler may take longer than clients may, ${spelling}`, async (context) => {
    const connection = await open(context, async () => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      return sent('at last')
    })
    connection.send(`${head}\r\n`)
    assert.equal((await connection.response()).text, 'at last')
  })

  test(`so may one that is asked behind another, ${spelling}`, async (context) => {
    let count = 0
    const connection = await open(context, async () => {
      count += 1
      const response = `answer ${count}`
      if (count === 2) await new Promise((resolve) => setTimeout(resolve, 700))
      return sent(response)
    })
    connection.send(`${head}\r\n${head}\r\n`)
    assert.equal((await connection.response()).text, 'answer 1')
    assert.equal((await connection.response()).text, 'answer 2')
  })

  test(`a client that reads nothing of its response, ${spelling}, loses the connection`, async (context) => {
    const accepted: Socket[] = []
    const onAccepted = (message: unknown): void => void accepted.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', onAccepted)
    context.after(() => unsubscribe('net.server.socket', onAccepted))
    const connection = await open(context, async () => sent('a'.repeat(50_000_000)))
    connection.socket.pause()
    connection.send(`${head}\r\n`)
    await until(() => accepted.length > 0 && accepted.every(({ destroyed }) => destroyed), 'the server ends it')
    connection.socket.resume()
    await connection.ended()
    assert.ok(connection.socket.bytesRead < 50_000_000, `${connection.socket.bytesRead} bytes came`)
  })

  test(`a client that reads slowly, but goes on, gets everything, ${spelling}`, async (context) => {
    const connection = await open(context, async () => sent('a'.repeat(12_000_000)), { ...quick, stalled: 1_000 })
    const started = performance.now()
    connection.socket.on('data', () => {
      connection.socket.pause()
      setTimeout(() => connection.socket.resume(), 15)
    })
    connection.send(`${head}\r\n`)
    assert.equal((await connection.response()).text.length, 12_000_000)
    assert.ok(performance.now() - started > 1_500, 'it took no longer than a client may stand still')
  })
}

test('a client that was slow to read is not in a hurry afterwards: its next response may take as long as others', async (context) => {
  // Long beside what a busy machine takes to read it, so that only the handler is late.
  const unhurried = { ...quick, idle: 2_000, stalled: 1_000 }
  const long = 'x'.repeat(8_000_000)
  const connection = await open(
    context,
    async ({ path }) => {
      if (path === '/long') return sent(long)
      await new Promise((resolve) => setTimeout(resolve, 2 * unhurried.stalled))
      return sent('at last')
    },
    unhurried,
  )
  connection.socket.pause()
  connection.send('GET /long HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  connection.socket.resume()
  assert.equal((await connection.response()).text.length, long.length)
  connection.send('GET / HTTP/1.1\r\nHost: x\r\nTE: trailers\r\n\r\n')
  assert.equal((await connection.response()).text, 'at last')
})

test('an idle connection is closed', async (context) => {
  const connection = await open(context, async () => sent('fine'))
  await connection.ended()
})
