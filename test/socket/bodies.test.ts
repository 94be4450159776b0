import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { AsRestRoute, RestError, RestResponse, type RestRequest } from '../../src/index.js'
import { exchange, RawConnection } from '../support/raw-socket.js'
import { startService, type StartedService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!isTrue()) {
    assert.ok(Date.now() < deadline, `${what}: not within 5 seconds`)
    await pause(5)
  }
}

/** The message of the error in the latest line of the log. */
function loggedMessage({ log }: StartedService): string {
  return (log.at(-1)?.fields['err'] as Error | undefined)?.message ?? 'no error'
}

const html = { 'Content-Type': 'text/html' }
const bytes = new Uint8Array([0, 1, 2, 254, 255])

async function* lines(...texts: readonly (string | Uint8Array)[]) {
  yield* texts
}

/** Bodies by name, and what a client gets. */
const bodies: Readonly<Record<string, readonly [make: () => unknown, type: string | null, content: string]>> = {
  text: [() => new RestResponse('<p>Käse</p>', 200, html), 'text/html; charset=UTF-8', '<p>Käse</p>'],
  'text-with-charset': [
    () => new RestResponse('a', 200, { 'content-type': 'text/plain; charset=us-ascii' }),
    'text/plain; charset=us-ascii',
    'a',
  ],
  'text-as-json': [
    () => new RestResponse('a "quoted" text'),
    'application/json; charset=UTF-8',
    '"a \\"quoted\\" text"',
  ],
  'text-of-a-json-type': [
    () => new RestResponse('a', 200, { 'Content-Type': 'application/problem+json' }),
    'application/problem+json',
    '"a"',
  ],
  'empty-text': [() => new RestResponse('', 200, html), 'text/html; charset=UTF-8', ''],
  bytes: [() => bytes, 'application/octet-stream', '\0\x01\x02\xfe\xff'],
  'array-buffer': [() => new RestResponse(bytes.buffer), 'application/octet-stream', '\0\x01\x02\xfe\xff'],
  view: [() => new RestResponse(new DataView(bytes.buffer, 1, 2)), 'application/octet-stream', '\x01\x02'],
  buffer: [
    () => new RestResponse(Buffer.from('%PDF'), 200, { 'Content-Type': 'application/pdf' }),
    'application/pdf',
    '%PDF',
  ],
  blob: [() => new Blob(['a,b\n'], { type: 'text/csv' }), 'text/csv', 'a,b\n'],
  'async-iterable': [() => lines('a,b\n', '', Buffer.from('c,d\n')), 'application/octet-stream', 'a,b\nc,d\n'],
  'empty-stream': [() => lines(), 'application/octet-stream', ''],
  'readable-stream': [() => new RestResponse(new Blob(['abc']).stream(), 200, html), 'text/html', 'abc'],
  'node-stream': [() => Readable.from(['a', 'b']), 'application/octet-stream', 'ab'],
  response: [() => new Response('<p>hello</p>', { headers: html }), 'text/html', '<p>hello</p>'],
  'response-json': [() => Response.json({ a: 1 }), 'application/json', '{"a":1}'],
  'response-promise': [() => Promise.resolve(new Response('later')), 'text/plain;charset=UTF-8', 'later'],
}

/** What cannot be an answer, and the sentence of the log. */
const refused: Readonly<Record<string, readonly [make: () => unknown, sentence: RegExp]>> = {
  'read-response': [
    () => {
      const response = new Response('a')
      void response.text()
      return response
    },
    /^BodiesApi\.refused: the body of the Response was read before\. Return the Response unread/,
  ],
  'locked-stream': [
    () => {
      const stream = new Blob(['a']).stream()
      stream.getReader()
      return stream
    },
    /^BodiesApi\.refused: the body is a stream that other code reads/,
  ],
  'network-error': [() => Response.error(), /^BodiesApi\.refused: RestResponse: 0 is not a status/],
  circular: [
    () => {
      const body: Record<string, unknown> = { a: [1] }
      body['self'] = body
      return body
    },
    /^BodiesApi\.refused: the body contains itself at \.self\.$/,
  ],
  nan: [() => ({ items: [{ price: NaN }] }), /^BodiesApi\.refused: the body holds NaN at \.items\[0\]\.price/],
  'nested-stream': [() => ({ file: new Blob(['a']).stream() }), /^BodiesApi\.refused: .*ReadableStream.* \.file\.$/],
  'nested-blob': [() => [new Blob(['a'])], /^BodiesApi\.refused: .*Blob.* \[0\]\.$/],
  'nested-response': [() => new RestResponse({ upstream: new Response('a') }), /Response.* \.upstream\.$/],
  'response-in-a-response': [() => new RestResponse(new Response('a')), /Response.* the body itself\.$/],
  'nested-iterable': [() => ({ rows: lines('a') }), /async iterable.* \.rows\.$/],
}

class BodiesApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/body/(?P<name>[\\w-]+)', permission: 'public' })
  body(request: RestRequest<{ name: string }>) {
    return bodies[request.get_param('name')]?.[0]() ?? null
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/refused/(?P<name>[\\w-]+)', permission: 'public' })
  refused(request: RestRequest<{ name: string }>) {
    return refused[request.get_param('name')]?.[0]() ?? null
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/error', permission: 'public' })
  error(): null {
    throw new RestError('wait', 'Wait.', { status: 429, headers: { 'Retry-After': '7' } })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/created', method: 'POST', permission: 'public', allow_batch: true })
  created() {
    const response = new Response('<b>made</b>', { status: 201, headers: { ...html, Location: '/x', 'X-Own': 'yes' } })
    response.headers.append('Set-Cookie', 'a=1')
    response.headers.append('Set-Cookie', 'b=2')
    response.headers.set('Access-Control-Allow-Origin', 'https://elsewhere.example')
    return response
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/written', method: 'POST', permission: 'public', allow_batch: true })
  written() {
    return new RestResponse('<b>made</b>', 201, html)
  }
}

for (const way of ways) {
  test(`bodies that are not JSON: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    for (const [name, [, type, content]] of Object.entries(bodies)) {
      const response = await send(`/test/v1/body/${name}`)
      const raw = Buffer.from(await response.arrayBuffer())
      assert.deepEqual(
        [name, response.status, response.headers.get('content-type'), raw.toString('latin1')],
        [name, 200, type, content.includes('ä') ? Buffer.from(content).toString('latin1') : content],
      )
      assert.equal(response.headers.get('allow'), 'GET', name)
      assert.match(response.headers.get('x-request-id') ?? '', /./, name)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff', name)
      const head = await send(`/test/v1/body/${name}`, { method: 'HEAD' })
      assert.deepEqual([head.status, head.headers.get('content-type'), await head.text()], [200, type, ''], name)
    }
  })

  test(`status, headers, cookies and CORS of a Response: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    for (const [method, path] of [
      ['POST', '/test/v1/created'],
      ['GET', '/test/v1/created?_method=POST'],
    ] as const) {
      const response = await send(path, { method, headers: { Origin: 'https://shop.example' } })
      assert.equal(response.status, 201)
      assert.equal(await response.text(), '<b>made</b>')
      const { headers } = response
      assert.deepEqual(headers.getSetCookie(), ['a=1', 'b=2'])
      assert.deepEqual(
        ['location', 'x-own', 'access-control-allow-origin', 'access-control-allow-credentials'].map((name) =>
          headers.get(name),
        ),
        ['/x', 'yes', 'https://shop.example', 'true'],
      )
    }
  })

  test(`_fields and _embed leave such a body alone, _envelope and _jsonp take text only: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    assert.equal(await (await send('/test/v1/body/text?_fields=a&_embed')).text(), '<p>Käse</p>')
    assert.equal(await (await send('/test/v1/body/async-iterable?_fields=a&_embed')).text(), 'a,b\nc,d\n')
    const enveloped = await send('/test/v1/body/text?_envelope')
    const { body, status } = (await enveloped.json()) as { body: unknown; status: number }
    assert.deepEqual([enveloped.status, body, status], [200, '<p>Käse</p>', 200])
    const padded = await send('/test/v1/body/text?_jsonp=show')
    assert.equal(padded.headers.get('content-type'), 'application/javascript; charset=UTF-8')
    assert.equal(await padded.text(), '/**/show("<p>K\\u00e4se<\\/p>")')
    for (const name of ['bytes', 'blob', 'async-iterable', 'response']) {
      const refusal = (await (await send(`/test/v1/body/${name}?_envelope`)).json()) as Record<string, unknown>
      assert.equal(refusal['status'], 406, name)
      assert.equal((refusal['body'] as { code: string }).code, 'rest_body_not_json', name)
      const jsonp = await send(`/test/v1/body/${name}?_jsonp=show`)
      assert.deepEqual(
        [jsonp.status, (await jsonp.text()).slice(0, 36)],
        [406, '/**/show({"code":"rest_body_not_json'],
        name,
      )
    }
  })

  test(`what cannot be an answer is a 500, and the log names the handler and the place: ${way.name}`, async (context) => {
    const { send, site } = await way.open(context, [BodiesApi])
    for (const [name, [, sentence]] of Object.entries(refused)) {
      const response = await send(`/test/v1/refused/${name}`)
      assert.equal(response.status, 500, name)
      assert.doesNotMatch(await response.text(), /BodiesApi/)
      assert.match(loggedMessage(site), sentence, name)
    }
  })

  test(`a RestError has headers: ${way.name}`, async (context) => {
    const { send } = await way.open(context, [BodiesApi])
    const response = await send('/test/v1/error')
    assert.deepEqual([response.status, response.headers.get('retry-after')], [429, '7'])
    assert.deepEqual(await response.json(), { code: 'wait', message: 'Wait.', data: { status: 429 } })
  })
}

test('an item of a batch is answered with text as a JSON string, and with 406 for a stream', async (context) => {
  const site = await startService([BodiesApi])
  context.after(() => site.close())
  const requests = ['/test/v1/written', '/test/v1/created'].map((path) => ({ path }))
  const response = await fetch(`${site.rest}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ requests }),
  })
  const { responses } = (await response.json()) as { responses: { status: number; body: unknown }[] }
  assert.deepEqual([responses[0]?.status, responses[0]?.body], [201, '<b>made</b>'])
  assert.deepEqual(
    [responses[1]?.status, (responses[1]?.body as { code: string } | undefined)?.code],
    [406, 'rest_body_not_json'],
  )
})

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

class CachedApi {
  runs = 0

  @AsRestRoute({ namespace: 'test/v1', route: '/page', permission: 'public', cache: 60 })
  page() {
    this.runs += 1
    return new RestResponse(`<p>Käse ${this.runs}</p>`, 200, html)
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/picture', permission: 'public', cache: 60 })
  picture() {
    this.runs += 1
    return new RestResponse(bytes, 200, { 'Content-Type': 'image/png' })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/stream', permission: 'public', cache: 60 })
  stream() {
    return lines('a')
  }
}

test('text and bytes are cached, and a stream with cache is refused', async (context) => {
  const site = await startService([CachedApi])
  context.after(() => site.close())
  for (let round = 0; round < 3; round += 1) {
    const page = await fetch(`${site.rest}test/v1/page`)
    assert.deepEqual(
      [await page.text(), page.headers.get('content-type')],
      ['<p>Käse 1</p>', 'text/html; charset=UTF-8'],
    )
    const picture = await fetch(`${site.rest}test/v1/picture`)
    assert.deepEqual(new Uint8Array(await picture.arrayBuffer()), bytes)
    const etag = picture.headers.get('etag') ?? ''
    const again = await exchange(
      site.port,
      `GET /wp-json/test/v1/picture HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n\r\n`,
    )
    assert.equal(again.status, 304)
  }
  assert.equal((await fetch(`${site.rest}test/v1/stream`)).status, 500)
  assert.match(loggedMessage(site), /^CachedApi\.stream: a stream cannot be cached\. Remove 'cache'/)
})
