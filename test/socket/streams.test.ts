import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AsRestRoute } from '../../src/index.js'
import { RawConnection } from '../support/raw-socket.js'
import { startService, type StartedService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'
import { until } from '../support/until.js'
import { BodiesApi } from './bodies-api.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The message of the error in the latest line of the log. */
function loggedMessage({ log }: StartedService): string {
  return (log.at(-1)?.fields['err'] as Error | undefined)?.message ?? 'no error'
}

/** Streams that tell what became of them. */
class StreamsApi {
  readonly ended: string[] = []
  chunks = 0

  @AsRestRoute({ namespace: 'test/v1', route: '/endless', permission: 'public' })
  async *endless() {
    try {
      for (;;) {
        this.chunks += 1
        yield Buffer.alloc(65_536, 'x')
        await pause(0)
      }
    } finally {
      this.ended.push('endless')
    }
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/silent', permission: 'public' })
  silent() {
    const { ended } = this
    return new ReadableStream({
      start: (controller) => controller.enqueue('begun'),
      cancel: () => void ended.push('silent'),
    })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/failing', permission: 'public' })
  async *failing() {
    yield 'the first half'
    await pause(5)
    throw new Error('The disk is gone.')
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/odd-chunk', permission: 'public' })
  async *oddChunk() {
    yield 'one'
    yield { a: 1 }
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/large', permission: 'public' })
  async *large() {
    for (let index = 0; index < 160; index += 1) yield Buffer.alloc(65_536, index)
  }
}

let api: StreamsApi

class ObservedStreams extends StreamsApi {
  constructor() {
    super()
    // oxlint-disable-next-line no-this-alias -- the test looks at the instance that the service builds
    api = this
  }
}

for (const way of ways) {
  test(`10 MB arrive as they were sent: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [ObservedStreams])
    const content = Buffer.from(await (await send('/test/v1/large')).arrayBuffer())
    assert.equal(content.length, 160 * 65_536)
    for (let index = 0; index < 160; index += 1) assert.equal(content[index * 65_536], index)
  })

  test(`a source is read no faster than the client reads, and ended when it leaves: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [ObservedStreams])
    const leaving = new AbortController()
    const response = await send('/test/v1/endless', { signal: leaving.signal })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    // What the buffers of both sides hold is read; then the source waits.
    let before = -1
    for (let same = 0; same < 20; same = api.chunks === before ? same + 1 : 0) {
      before = api.chunks
      assert.ok(api.chunks < 1_000, `${api.chunks} chunks were read ahead`)
      await pause(5)
    }
    leaving.abort()
    await reader.cancel().catch(() => undefined)
    await until(() => api.ended.includes('endless'), 'the generator is ended')
  })

  test(`a source that waits is cancelled when the client leaves: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [ObservedStreams])
    const leaving = new AbortController()
    const response = await send('/test/v1/silent', { signal: leaving.signal })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    assert.equal(Buffer.from((await reader.read()).value ?? []).toString(), 'begun')
    leaving.abort()
    await reader.cancel().catch(() => undefined)
    await until(() => api.ended.includes('silent'), 'the stream is cancelled')
  })

  test(`a body that fails in the middle never looks complete, and is logged: ${way.name}`, async (context) => {
    const { send, site } = await way.open(context, [ObservedStreams])
    for (const [path, message] of [
      ['/test/v1/failing', /The disk is gone/],
      ['/test/v1/odd-chunk', /the stream gave an object \(Object\) as a chunk/],
    ] as const) {
      const response = await send(path)
      assert.equal(response.status, 200)
      await assert.rejects(response.text())
      const line = site.log.at(-1)
      assert.equal(line?.fields['code'], 'stream-failed')
      assert.match(loggedMessage(site), message)
      assert.equal(line?.fields['requestId'], response.headers.get('x-request-id'))
      assert.match(String(line?.fields['handler']), /^ObservedStreams\./)
    }
  })

  test(`a source that gives nothing for stream_timeout is ended, and its client told: ${way.name}`, async (context) => {
    const { send, site } = await way.open(context, [ObservedStreams], { stream_timeout: 0.05 })
    const response = await send('/test/v1/silent')
    await assert.rejects(response.text())
    await until(() => api.ended.includes('silent'), 'the stream is cancelled')
    assert.match(loggedMessage(site), /gave nothing for 0\.05 seconds/)
  })

  test(`HEAD ends a stream unread: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [ObservedStreams])
    assert.equal((await send('/test/v1/silent', { method: 'HEAD' })).status, 200)
    assert.deepEqual([api.ended, api.chunks], [['silent'], 0])
  })
}

for (const http of ['fast', 'node'] as const) {
  test(`the next request of a connection is served after a stream: ${http}`, async (context) => {
    const site = await startService([ObservedStreams, BodiesApi], { http })
    context.after(() => site.close())
    const get = (path: string) => `GET /wp-json/test/v1/${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    const connection = new RawConnection(site.port)
    context.after(() => connection.close())
    connection.send(get('body/async-iterable'))
    connection.send(get('body/blob'))
    connection.send(get('body/text').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    const all = await connection.ended()
    assert.equal(all.match(/HTTP\/1\.1 200/g)?.length, 3)
    // Node 26 sends two writes of one turn of the event loop as one chunk.
    assert.match(
      all,
      /Transfer-Encoding: chunked[\s\S]*?\r\n\r\n(?:4\r\na,b\n\r\n4\r\nc,d\n|8\r\na,b\nc,d\n)\r\n0\r\n\r\nHTTP/,
    )
    assert.match(all, /Content-Length: 4\r\n[\s\S]*?\r\n\r\na,b\nHTTP/)
  })

  test(`HTTP/1.0 has no chunks, and a failed body ends with a reset: ${http}`, async (context) => {
    const site = await startService([ObservedStreams, BodiesApi], { http })
    context.after(() => site.close())
    const complete = new RawConnection(site.port)
    complete.send('GET /wp-json/test/v1/body/async-iterable HTTP/1.0\r\n\r\n')
    assert.match(await complete.ended(), /\r\n\r\na,b\nc,d\n$/)
    const failing = new RawConnection(site.port)
    const failure = new Promise<string>((resolve) => {
      failing.socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      failing.socket.on('end', () => resolve('end'))
    })
    failing.send('GET /wp-json/test/v1/failing HTTP/1.0\r\n\r\n')
    assert.equal(await failure, 'ECONNRESET')
  })

  test(`a stop waits for a stream within the grace period, and then cuts it off: ${http}`, async (context) => {
    const site = await startService([ObservedStreams], { http })
    context.after(() => site.close())
    const connection = new RawConnection(site.port)
    context.after(() => connection.close())
    connection.send('GET /wp-json/test/v1/endless HTTP/1.1\r\nHost: x\r\n\r\n')
    await until(() => api.chunks > 0, 'the stream has begun')
    await site.service.close({ gracePeriod: 50 })
    await until(() => api.ended.includes('endless'), 'the generator is ended')
  })
}
