import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { AsRestRoute, endpoint, EventStream, RestResponse, type RestRequest, type ServerSentEvent } from 'as-rest-route'
import { clientSource } from '../../src/documents/client-source.js'
import { openApiDocument } from '../../src/documents/openapi-document.js'
import { startService, type StartedService } from '../support/start-service.js'
import { ways, type OpenedWay } from '../support/three-ways.js'
import { until } from '../support/until.js'

const declared = { namespace: 'live/v1', permission: 'public', event_stream: true } as const

/** Events that the test sends, and what became of their readers. */
class Channel {
  readonly #waiting: ServerSentEvent[] = []
  #wake = (): void => undefined
  taken = 0
  ended = 0
  aborted = 0

  send(event: ServerSentEvent): void {
    this.#waiting.push(event)
    this.#wake()
  }

  async *events(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    signal.addEventListener('abort', () => {
      this.aborted += 1
      this.#wake()
    })
    try {
      for (;;) {
        const event = this.#waiting.shift()
        if (event !== undefined) {
          this.taken += 1
          yield event
        } else if (signal.aborted) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      this.ended += 1
    }
  }
}

class LiveApi {
  static channel = new Channel()

  @AsRestRoute({ ...declared, route: '/changes' })
  changes(request: RestRequest) {
    return new EventStream(LiveApi.channel.events(request.signal), { retry: 2500 })
  }

  @AsRestRoute({ ...declared, route: '/mine', permission: null })
  mine(request: RestRequest) {
    return new RestResponse(new EventStream(LiveApi.channel.events(request.signal)), 200, { 'X-Own': 'yes' })
  }

  @AsRestRoute({ ...declared, route: '/count' })
  count(request: RestRequest) {
    return new EventStream(LiveApi.numbers(Number(request.lastEventId ?? 0)))
  }

  @AsRestRoute({ ...declared, route: '/slow' })
  slow({ signal }: RestRequest) {
    return new EventStream(LiveApi.slowEvents(signal))
  }

  @AsRestRoute({ ...declared, route: '/odd/(?P<kind>\\w+)' })
  odd(request: RestRequest<{ kind: string }>) {
    return new EventStream(LiveApi.oddEvents(request.get_param('kind')))
  }

  private static async *numbers(after: number): AsyncGenerator<ServerSentEvent> {
    yield { id: after + 1, event: 'number', data: { value: after + 1 } }
    yield { id: after + 2, data: 'one\ntwo\r\nthree\r', retry: 10 }
    yield { data: 'é ☕' }
    yield { data: null }
  }

  private static async *slowEvents(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    try {
      yield { data: 'first' }
      await pause(60_000, undefined, { signal })
    } finally {
      LiveApi.channel.ended += 1
    }
  }

  private static async *oddEvents(kind: string): AsyncGenerator<ServerSentEvent> {
    yield { data: 'first' }
    if (kind === 'id') yield { id: 'a\nb', data: 1 }
    if (kind === 'name') yield { event: 'a\r', data: 1 }
    if (kind === 'data') yield {} as ServerSentEvent
    throw new Error('out of order')
  }
}

const undeclared = endpoint({ namespace: 'live/v1', route: '/undeclared', permission: 'public' }, () => {
  return new EventStream(LiveApi.channel.events(new AbortController().signal)) as unknown as object
})

async function opened(t: TestContext, open: (typeof ways)[number]['open'], options = {}): Promise<OpenedWay> {
  LiveApi.channel = new Channel()
  return open(t, [LiveApi, undeclared], options)
}

/** Reads a stream piece by piece. */
class Reader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  #text = ''

  constructor({ body }: Response) {
    assert.ok(body)
    this.#reader = body.getReader()
  }

  /** Waits for a text, and drops everything up to the end of that text. */
  async until(wanted: string): Promise<void> {
    while (!this.#text.includes(wanted)) {
      const { done, value } = await this.#reader.read()
      if (done) assert.fail(`The stream ended without ${JSON.stringify(wanted)} after ${JSON.stringify(this.#text)}.`)
      this.#text += Buffer.from(value).toString()
    }
    this.#text = this.#text.slice(this.#text.indexOf(wanted) + wanted.length)
  }

  /** What is left of the stream, up to its end. */
  async rest(): Promise<string> {
    for (;;) {
      const { done, value } = await this.#reader.read()
      if (done) return this.#text
      this.#text += Buffer.from(value).toString()
    }
  }

  leave(): Promise<void> {
    return this.#reader.cancel()
  }
}

/** Headers of a browser in which the user `ann` has logged in. */
async function logIn({ url }: StartedService, pwd: string): Promise<Record<string, string>> {
  const login = await fetch(`${url}/wp-login.php`, {
    method: 'POST',
    body: new URLSearchParams({ log: 'ann', pwd }),
    redirect: 'manual',
    headers: { Cookie: 'wordpress_test_cookie=WP%20Cookie%20check' },
  })
  const lines = login.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  const Cookie = lines.join('; ')
  const nonce = await fetch(`${url}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers: { Cookie } })
  return { Cookie, 'X-WP-Nonce': await nonce.text() }
}

for (const { name, open } of ways) {
  test(`events are sent in their format, and a client goes on after the last one that it has got (${name})`, async (t) => {
    const { send } = await opened(t, open)
    const response = await send('/live/v1/count')
    assert.equal(response.status, 200)
    for (const [header, value] of [
      ['Content-Type', 'text/event-stream'],
      ['Cache-Control', 'no-store'],
      ['X-Accel-Buffering', 'no'],
      ['Allow', 'GET'],
    ] as const)
      assert.equal(response.headers.get(header), value, header)
    const expected = (first: number) =>
      `:\n\nevent: number\nid: ${first}\ndata: {"value":${first}}\n\n` +
      `id: ${first + 1}\nretry: 10\ndata: one\ndata: two\ndata: three\ndata: \n\ndata: é ☕\n\ndata: null\n\n`
    assert.equal(await response.text(), expected(1))
    const again = await send('/live/v1/count', { headers: { 'Last-Event-ID': '7' } })
    assert.equal(await again.text(), expected(8))
    const head = await send('/live/v1/changes', { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('Content-Type')], [200, 'text/event-stream'])
    // None of these is open afterwards: there would be too many of one caller.
    for (let count = 0; count < 50; count += 1) await send('/live/v1/changes', { method: 'HEAD' })
    assert.equal((await send('/live/v1/count')).status, 200)
  })

  test(`an event is sent when it happens, and a source ends when its client leaves (${name})`, async (t) => {
    const { send } = await opened(t, open)
    const client = new AbortController()
    const reader = new Reader(await send('/live/v1/changes', { signal: client.signal }))
    await reader.until('retry: 2500\n\n')
    for (let number = 0; number < 3; number += 1) {
      LiveApi.channel.send({ data: number })
      await reader.until(`data: ${number}\n\n`)
    }
    client.abort()
    await reader.leave().catch(() => undefined)
    await until(() => LiveApi.channel.ended === 1)
    assert.equal(LiveApi.channel.aborted, 1)
  })

  test(`comments keep a silent stream alive, beyond the time for a chunk (${name})`, async (t) => {
    const { send, site } = await opened(t, open, { stream_timeout: 0.3 })
    const reader = new Reader(await send('/live/v1/changes'))
    for (let count = 0; count < 5; count += 1) await reader.until(': keep-alive\n\n')
    LiveApi.channel.send({ data: 'there' })
    await reader.until('data: there\n\n')
    await reader.leave()
    assert.deepEqual(
      site.log.filter(({ level }) => level !== 'info'),
      [],
    )
  })

  test(`a stream ends with the session of its caller: logout, another password, a revoked password (${name})`, async (t) => {
    const { send, site } = await opened(t, open, { environment: 'local', stream_timeout: 1 })
    const { users, applicationPasswords } = site.service
    const { id } = await users.create({ login: 'ann', email: 'ann@x.example', password: 'secret', role: 'editor' })
    const logOut = async ({ Cookie = '' }: Record<string, string>): Promise<void> => {
      const page = await (await fetch(`${site.url}/wp-admin/profile.php`, { headers: { Cookie } })).text()
      const link = /wp-login\.php\?action=logout[^"]*/.exec(page)?.[0].replaceAll('&amp;', '&') ?? ''
      await fetch(`${site.url}/${link}`, { headers: { Cookie }, redirect: 'manual' })
    }
    const watch = async (headers: Record<string, string>) => {
      const response = await send('/live/v1/mine', { headers })
      assert.equal(response.status, 200, await (response.status === 200 ? '' : response.text()))
      assert.equal(response.headers.get('X-Own'), 'yes')
      const reader = new Reader(response)
      await reader.until(':\n\n')
      return reader
    }
    const { password, item } = await applicationPasswords.create(id, { name: 'Test' })
    const byProgram = { Authorization: `Basic ${btoa(`ann:${password}`)}` }
    const stays = await watch({
      Authorization: `Basic ${btoa(`ann:${(await applicationPasswords.create(id, { name: 'Other' })).password}`)}`,
    })
    const program = await watch(byProgram)
    await stays.until(': keep-alive\n\n')
    await applicationPasswords.revoke(id, item.uuid)
    assert.match(await program.rest(), /^(?:: keep-alive\n\n)*$/)
    const browser = await logIn(site, 'secret')
    const [first, other] = [await watch(browser), await watch(await logIn(site, 'secret'))]
    await logOut(browser)
    assert.match(await first.rest(), /^(?:: keep-alive\n\n)*$/)
    await other.until(': keep-alive\n\n')
    await users.update(id, { password: 'another secret' })
    assert.match(await other.rest(), /^(?:: keep-alive\n\n)*$/)
    await stays.until(': keep-alive\n\n')
    await stays.leave()
    assert.equal((await send('/live/v1/mine', { headers: byProgram })).status, 401)
  })

  test(`a stream ends when an application password or a nonce expires (${name})`, async (t) => {
    let now = Date.UTC(2026, 5, 1)
    const { send, site } = await opened(t, open, { environment: 'local', stream_timeout: 1, clock: () => now })
    const { users, applicationPasswords } = site.service
    const { id } = await users.create({ login: 'ann', email: 'ann@x.example', password: 'secret', role: 'editor' })
    const expires = new Date(now + 3_600_000)
    const { password } = await applicationPasswords.create(id, { name: 'Test', expires })
    const program = { Authorization: `Basic ${btoa(`ann:${password}`)}` }
    for (const [headers, hours, status] of [
      [program, 1, 401],
      [await logIn(site, 'secret'), 24, 403],
    ] as const) {
      const reader = new Reader(await send('/live/v1/mine', { headers }))
      await reader.until(': keep-alive\n\n')
      now += hours * 3_600_000
      assert.match(await reader.rest(), /^(?:: keep-alive\n\n)*$/)
      assert.equal((await send('/live/v1/mine', { headers })).status, status)
    }
  })

  test(`a stop of the service ends streams in order, at once (${name})`, async (t) => {
    const { send, site } = await opened(t, open)
    const reader = new Reader(await send('/live/v1/changes'))
    await reader.until('retry: 2500\n\n')
    LiveApi.channel.send({ data: 'last' })
    await reader.until('data: last\n\n')
    const [rest] = await Promise.all([reader.rest(), site.service.close({ gracePeriod: 60_000 })])
    assert.equal(rest, '')
    assert.equal(LiveApi.channel.ended, 1)
    assert.deepEqual(
      site.log.filter(({ level }) => level !== 'info'),
      [],
    )
  })

  test(`a source that waits with the signal of the request ends with its client, which is no failure (${name})`, async (t) => {
    const { send, site } = await opened(t, open)
    const reader = new Reader(await send('/live/v1/slow'))
    await reader.until('data: first\n\n')
    await reader.leave()
    await until(() => LiveApi.channel.ended === 1)
    await site.service.close()
    assert.deepEqual(
      site.log.filter(({ level }) => level !== 'info'),
      [],
    )
  })

  test(`an event that would break the stream, and a source that fails, end the connection and are logged (${name})`, async (t) => {
    const { send, site } = await opened(t, open)
    for (const [kind, message] of [
      ['id', /The 'id' of an event contains a line break/],
      ['name', /The 'event' of an event contains a line break/],
      ['data', /An event has no 'data'/],
      ['source', /out of order/],
    ] as const) {
      const reader = new Reader(await send(`/live/v1/odd/${kind}`))
      await assert.rejects(reader.rest())
      assert.equal(site.log.at(-1)?.fields['code'], 'stream-failed')
      assert.match(String(site.log.at(-1)?.fields['err']), message)
    }
  })

  test(`a stream that is not declared is a fault, and one in an envelope or a batch is refused (${name})`, async (t) => {
    const { send, site } = await opened(t, open)
    assert.equal((await send('/live/v1/undeclared')).status, 500)
    assert.match(
      String(site.log.at(-1)?.fields['err']),
      /returned an EventStream\. Its declaration needs event_stream: true/,
    )
    const enveloped = await send('/live/v1/changes?_envelope')
    assert.match(await enveloped.text(), /"rest_body_not_json"/)
  })

  test(`the number of streams of one caller is bounded, and one that ends makes room (${name})`, async (t) => {
    const { send, site } = await opened(t, open)
    const readers: Reader[] = []
    for (let count = 0; count < 50; count += 1) {
      const reader = new Reader(await send('/live/v1/changes'))
      await reader.until('retry: 2500\n\n')
      readers.push(reader)
    }
    const refused = await send('/live/v1/changes')
    assert.deepEqual([refused.status, refused.headers.get('Retry-After')], [503, '10'])
    for (let count = 0; count < 30; count += 1) assert.equal((await send('/live/v1/changes')).status, 503)
    const lines = site.log.filter(({ fields }) => fields['code'] === 'request-failed')
    assert.equal(lines.length, 1, 'Refusals that clients can cause in any number have one line a minute.')
    await readers.pop()?.leave()
    let again = await send('/live/v1/changes')
    while (again.status === 503) again = await send('/live/v1/changes')
    assert.equal(again.status, 200)
    await again.body?.cancel()
    for (const reader of readers) await reader.leave()
  })

  test(`pages of other origins may send Last-Event-ID, to this route only (${name})`, async (t) => {
    const { send } = await opened(t, open)
    const headers = { Origin: 'https://elsewhere.example' }
    const allowed = async (path: string, method: string) =>
      (await send(path, { method, headers })).headers.get('Access-Control-Allow-Headers') ?? ''
    for (const method of ['OPTIONS', 'HEAD'])
      assert.match(await allowed('/live/v1/count', method), /Content-Type, Last-Event-ID$/)
    assert.match(await allowed('/live/v1/undeclared', 'OPTIONS'), /Content-Type$/)
  })
}

test('a client that takes nothing stops its source', async (t) => {
  const { site } = await opened(t, ways[0]?.open ?? assert.fail())
  const socket = connect(site.port, '127.0.0.1')
  t.after(() => socket.destroy())
  await once(socket, 'connect')
  socket.pause()
  socket.write('GET /wp-json/live/v1/changes HTTP/1.1\r\nHost: x\r\n\r\n')
  for (let count = 0; count < 2_000; count += 1) LiveApi.channel.send({ data: 'x'.repeat(10_000) })
  await until(() => LiveApi.channel.taken > 0)
  let taken = -1
  while (taken !== LiveApi.channel.taken) {
    taken = LiveApi.channel.taken
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  assert.ok(taken > 0 && taken < 2_000, `${taken} of 2,000 events`)
})

test('the OpenAPI document and the generated client name the stream', async (t) => {
  const site = await startService([LiveApi])
  t.after(() => site.close())
  const facts = { title: 'Live', baseUrl: 'https://live.example', restPrefix: 'wp-json' }
  const { paths } = openApiDocument(site.service.routes, facts) as unknown as {
    paths: Record<string, { get: { parameters: { name: string }[]; responses: Record<string, { content: object }> } }>
  }
  const { parameters, responses } = paths['/live/v1/count']?.get ?? { parameters: [], responses: {} }
  assert.deepEqual(Object.keys(responses['200']?.content ?? {}), ['text/event-stream'])
  assert.deepEqual(
    parameters.map(({ name }) => name),
    ['Last-Event-ID'],
  )
  assert.match(clientSource(site.service.routes, 'https://live.example'), /liveCount: \(args.*\): Promise<Response> =>/)
})
