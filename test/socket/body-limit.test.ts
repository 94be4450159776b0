import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { EchoApi } from '../support/echo-api.js'
import { exchange, RawConnection, type RawResponse } from '../support/raw-socket.js'
import { startService, type StartedService } from '../support/start-service.js'

const limit = 10_000
let site: StartedService
before(async () => {
  site = await startService([EchoApi], { body_limit: limit })
})
after(() => site.close())

const head = 'POST /wp-json/test/v1/count HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n'

function isTooLarge(response: RawResponse): void {
  assert.equal(response.status, 413)
  assert.equal(response.headers['connection'], 'close')
  const { code, data } = JSON.parse(response.text) as { code: string; data: unknown }
  assert.deepEqual([code, data], ['rest_request_too_large', { status: 413 }])
}

const sizes: [size: number, status: number][] = [
  [0, 200],
  [limit - 1, 200],
  [limit, 200],
  [limit + 1, 413],
  [limit * 500, 413],
]

for (const [size, status] of sizes) {
  test(`a body of ${size} bytes: ${status}`, async () => {
    const response = await fetch(`${site.rest}test/v1/count`, { method: 'POST', body: 'a'.repeat(size) })
    assert.equal(response.status, status)
    const body = (await response.json()) as { bytes?: number }
    if (status === 200) assert.equal(body.bytes, size)
  })

  test(`a body of ${size} bytes in chunks: ${status}`, async () => {
    const connection = new RawConnection(site.port)
    connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    for (let sent = 0; sent < size; sent += 5_000) {
      const chunk = 'a'.repeat(Math.min(5_000, size - sent))
      connection.send(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    }
    connection.send('0\r\n\r\n')
    const response = await connection.response()
    assert.equal(response.status, status)
    if (status === 413) isTooLarge(response)
    connection.close()
  })

  test(`service.fetch: a body of ${size} bytes: ${status}`, async () => {
    const request = new Request('http://x/wp-json/test/v1/count', { method: 'POST', body: 'a'.repeat(size) })
    assert.equal((await site.service.fetch(request)).status, status)
  })
}

test('a length above the limit is refused before a byte of the body', async () => {
  isTooLarge(await exchange(site.port, `${head}Content-Length: ${limit + 1}\r\n\r\n`))
  isTooLarge(await exchange(site.port, `${head}Content-Length: 99999999999999999\r\n\r\n`))
})

test('a request with Expect: 100-continue and a length above the limit is refused without 100 Continue', async () => {
  const connection = new RawConnection(site.port)
  connection.send(`${head}Expect: 100-continue\r\nContent-Length: ${limit + 1}\r\n\r\n`)
  isTooLarge(await connection.response())
  connection.close()
})

test('a request with Expect: 100-continue and a small body gets 100 Continue', async () => {
  const connection = new RawConnection(site.port)
  connection.send(`${head}Expect: 100-continue\r\nContent-Length: 3\r\n\r\n`)
  const first = await new Promise<Buffer>((resolve) => connection.socket.once('data', resolve))
  assert.match(first.toString(), /^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  connection.send('abc')
  const response = await connection.response()
  assert.deepEqual(JSON.parse(response.text), { bytes: 3, params: 0 })
  connection.close()
})

test('a client that never stops sending reads its response, and is cut off', async () => {
  const connection = new RawConnection(site.port)
  connection.send(`${head}Transfer-Encoding: chunked\r\n\r\n`)
  const chunk = `1000\r\n${'a'.repeat(0x1000)}\r\n`
  const pump = (): void => {
    while (connection.socket.writable && connection.send(chunk));
    if (connection.socket.writable) connection.socket.once('drain', pump)
  }
  pump()
  isTooLarge(await connection.response())
  await connection.ended()
  connection.close()
})

test('afterwards the service answers as before', async () => {
  const response = await fetch(`${site.rest}test/v1/count`, { method: 'POST', body: 'abc' })
  assert.deepEqual(await response.json(), { bytes: 3, params: 0 })
  assert.deepEqual(site.log, [])
})

test('a body that breaks off inside service.fetch is a 400', async () => {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new Error('gone'))
    },
  })
  const request = new Request('http://x/wp-json/test/v1/count', { method: 'POST', body, duplex: 'half' } as RequestInit)
  assert.equal((await site.service.fetch(request)).status, 400)
})

test('the JSON body of a request without a route is not parsed', async () => {
  // `_pretty` is a parameter. Its effect shows whether the body was read as parameters.
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"_pretty":1}' }
  const [served, unknown] = await Promise.all(
    ['echo', 'nothing'].map(async (route) => (await fetch(`${site.rest}test/v1/${route}`, init)).text()),
  )
  assert.match(served ?? '', /\n/)
  assert.doesNotMatch(unknown ?? '', /\n/)
})
