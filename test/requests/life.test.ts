import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as abortablePause } from 'node:timers/promises'
import { AsRestRoute, currentUser, endpoint, inject, RecordStore, RestError, RestResponse } from 'as-rest-route'
import type { RestRequest } from 'as-rest-route'
import { startService } from '../support/start-service.js'
import { ways } from '../support/three-ways.js'
import { until } from '../support/until.js'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** The request of `/kept`. */
let kept: RestRequest | null = null
/** What happened, in order. */
const events: string[] = []

class Api {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({ namespace: 'life/v1', route: '/id', permission: 'public' })
  id(request: RestRequest) {
    request.log.info({ order: 5 }, 'sold')
    return { id: request.id }
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/slow', permission: 'public', timeout: 0.1 })
  slow(request: RestRequest) {
    return new Promise((_resolve, reject) => {
      request.signal.addEventListener('abort', () => {
        events.push((request.signal.reason as DOMException).name)
        reject(request.signal.reason as DOMException)
      })
    })
  }

  @AsRestRoute({
    namespace: 'life/v1',
    route: '/aborted',
    method: 'POST',
    allow_batch: true,
    permission: 'public',
    timeout: 0.1,
    args: { cause: { type: 'string', enum: ['timer', 'own', 'other'] } },
  })
  async aborted(request: RestRequest<{ cause: string | null }>) {
    try {
      await abortablePause(60_000, null, { signal: request.signal })
    } catch (error) {
      events.push(`${(error as Error).name} ${request.get_param('cause')}`)
      if (request.get_param('cause') === 'timer') throw error
      if (request.get_param('cause') === 'own') throw new DOMException('Left.', 'AbortError')
      throw new Error('The cleaning failed.', { cause: error })
    }
    return null
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/unlimited', permission: 'public', timeout: 0 })
  async unlimited() {
    await pause(400)
    return { done: true }
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/endless', permission: 'public' })
  endless() {
    return new Promise(() => {})
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/waiting', permission: 'public' })
  waiting(request: RestRequest) {
    events.push('reached')
    return new Promise((_resolve, reject) => {
      request.signal.addEventListener('abort', () => {
        events.push((request.signal.reason as DOMException).message)
        reject(request.signal.reason as DOMException)
      })
    })
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/stream', permission: 'public', timeout: 0.1 })
  stream(request: RestRequest) {
    const { signal } = request
    async function* chunks() {
      yield 'one '
      await pause(300)
      events.push(`aborted: ${signal.aborted}`)
      yield 'two'
    }
    return new RestResponse(chunks(), 200, { 'Content-Type': 'text/plain' })
  }

  @AsRestRoute({
    namespace: 'life/v1',
    route: '/orders',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
    args: { fails: { type: 'boolean', default: false } },
  })
  order(request: RestRequest<{ fails: boolean }>) {
    request.defer(async () => {
      events.push('deferred')
      await pause(50)
      if (request.get_param('fails')) throw new Error('no mail server')
      await this.records.insert({ type: 'post', title: 'mailed' })
      events.push(`mailed as ${currentUser().login || 'nobody'}`)
    })
    events.push('handled')
    return new RestResponse(null, 201)
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/refused', method: 'POST', permission: 'public' })
  refused(request: RestRequest): RestResponse {
    request.defer(() => events.push('deferred'))
    throw new RestError('refused', 'Refused.', { status: 409 })
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/afterwards', method: 'POST', permission: 'public' })
  afterwards(request: RestRequest) {
    request.defer(() => request.defer(() => events.push('by deferred work')))
    setTimeout(() => request.defer(() => events.push('after the response')), 100)
    return null
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/kept', method: 'POST', permission: 'public' })
  keep(request: RestRequest) {
    kept = request
    return null
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/attached', permission: 'public' })
  attached(request: RestRequest): RestResponse {
    throw Object.assign(new Error('it failed'), { request })
  }

  @AsRestRoute({ namespace: 'life/v1', route: '/many', method: 'POST', permission: 'public' })
  many(request: RestRequest) {
    for (let index = 0; index < 1_001; index += 1) request.defer(() => pause(1))
    return null
  }
}

const usual = await startService([Api])
after(() => usual.close())
/** Begins before the tests, which run meanwhile. */
const endless = fetch(`${usual.rest}life/v1/endless`).then(async (response) => ({
  status: response.status,
  body: await response.json(),
}))

for (const way of ways)
  test(`a request that takes too long is a 503, and its signal aborts (${way.name})`, async (context) => {
    events.length = 0
    const { send, site } = await way.open(context, [Api], { request_timeout: 0.2 })
    const slow = await send('/life/v1/slow')
    assert.equal(slow.status, 503)
    const { code, message } = (await slow.json()) as { code: string; message: string }
    assert.deepEqual([code, message], ['rest_timeout', 'The request took longer than 0.1 s.'])
    assert.deepEqual(events, ['TimeoutError'])
    const { fields } = site.log.find((line) => line.fields['code'] === 'request-timed-out') ?? { fields: {} }
    assert.deepEqual(
      { ...fields, requestId: slow.headers.get('X-Request-Id') },
      {
        code: 'request-timed-out',
        requestId: slow.headers.get('X-Request-Id'),
        method: 'GET',
        path: '/wp-json/life/v1/slow',
        handler: 'Api.slow',
        seconds: 0.1,
      },
    )
    // The option for routes without a limit of their own.
    const waiting = await send('/life/v1/waiting')
    assert.equal(waiting.status, 503)
    assert.equal(events.at(-1), 'The time limit of 0.2 s is over.')
    assert.deepEqual(await (await send('/life/v1/unlimited')).json(), { done: true })
    // The limit ends with the head of the response.
    assert.equal(await (await send('/life/v1/stream')).text(), 'one two')
    assert.equal(events.at(-1), 'aborted: false')
    assert.deepEqual(
      site.log.filter((line) => line.fields['code'] === 'request-failed'),
      [],
    )
  })

for (const [cause, codes] of [
  ['timer', ['request-timed-out']],
  ['own', ['request-timed-out']],
  ['other', ['request-timed-out', 'request-failed']],
] as const)
  test(`a handler that ends by its time limit with the error '${cause}' logs ${codes.join(' and ')}`, async (context) => {
    events.length = 0
    const site = await startService([Api])
    context.after(() => site.close())
    assert.equal((await fetch(`${site.rest}life/v1/aborted?cause=${cause}`, { method: 'POST' })).status, 503)
    await until(() => events.includes(`AbortError ${cause}`))
    // A stop waits for the handler.
    await site.close()
    const logged = site.log.map(({ fields }) => fields['code'])
    assert.deepEqual(
      logged.filter((code) => code === 'request-timed-out' || code === 'request-failed'),
      codes,
    )
  })

for (const [cause, codes] of [
  ['timer', ['request-timed-out']],
  ['other', ['request-timed-out', 'inner-request-failed']],
] as const)
  test(`an item of a batch that ends by the time limit with the error '${cause}' logs ${codes.join(' and ')}`, async (context) => {
    events.length = 0
    const site = await startService([Api], { request_timeout: 0.1 })
    context.after(() => site.close())
    const requests = [{ method: 'POST', path: `/life/v1/aborted?cause=${cause}` }]
    const response = await fetch(`${site.rest}batch/v1`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ requests }),
    })
    assert.equal(response.status, 503)
    await until(() => events.includes(`AbortError ${cause}`))
    await site.close()
    const logged = site.log.map(({ fields }) => fields['code'])
    assert.deepEqual(
      logged.filter((code) => /-timed-out$|-failed$/.test(String(code))),
      codes,
    )
  })

for (const way of ways)
  test(`the signal aborts when the client leaves (${way.name})`, async (context) => {
    events.length = 0
    const { send, site } = await way.open(context, [Api])
    const client = new AbortController()
    const response = send('/life/v1/waiting', { signal: client.signal })
    await until(() => events.includes('reached'))
    client.abort()
    if (way.name !== 'service.fetch') await assert.rejects(response)
    await until(() => events.length > 1)
    assert.deepEqual(events, ['reached', 'The client has left.'])
    await site.service.close()
    // Clients can leave in any number: that is no failure.
    assert.deepEqual(
      site.log.filter(({ level }) => level !== 'info'),
      [],
    )
  })

test('requests that use the signal leave no listener behind on their connection', async (context) => {
  const site = await startService([Api])
  context.after(() => site.close())
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  context.after(() => process.off('warning', onWarning))
  const socket = connect(site.port, '127.0.0.1')
  context.after(() => socket.destroy())
  for (let index = 0; index < 20; index += 1) {
    socket.write('GET /wp-json/life/v1/slow HTTP/1.1\r\nHost: a\r\n\r\n')
    const [bytes] = (await once(socket, 'data')) as [Buffer]
    assert.match(bytes.toString(), /^HTTP\/1\.1 503 /)
  }
  assert.deepEqual(warnings, [])
})

test('the signal aborts when the grace period of a stop is over', async () => {
  events.length = 0
  const site = await startService([Api])
  const response = fetch(`${site.rest}life/v1/waiting`).catch(() => null)
  await until(() => events.includes('reached'))
  await site.service.close({ gracePeriod: 100 })
  await response
  assert.deepEqual(events, ['reached', 'The service stops.'])
})

for (const way of ways)
  test(`the id of a trusted proxy is kept, in the log and in the response (${way.name})`, async (context) => {
    const { send, site } = await way.open(context, [Api], { trusted_proxies: ['127.0.0.1'] })
    const idFor = async (headers: Record<string, string>) => {
      const response = await send('/life/v1/id', { headers })
      const { id } = (await response.json()) as { id: string }
      assert.equal(response.headers.get('X-Request-Id'), id)
      assert.deepEqual(site.log.at(-1), { level: 'info', message: 'sold', fields: { requestId: id, order: 5 } })
      return id
    }
    assert.equal(await idFor({ 'X-Request-Id': 'proxy-1:a/b' }), 'proxy-1:a/b')
    const trace = '0af7651916cd43dd8448eb211c80319c'
    assert.equal(await idFor({ traceparent: `00-${trace}-b7ad6b7169203331-01` }), trace)
    for (const headers of [
      { 'X-Request-Id': 'a b' },
      { 'X-Request-Id': 'x'.repeat(129) },
      { 'X-Request-Id': 'a"b' },
      { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` },
    ] as Record<string, string>[])
      assert.match(await idFor(headers), /^[\da-f]{12}-[\da-z]+$/)
    const { send: sendUntrusted } = await way.open(context, [Api])
    const untrusted = await sendUntrusted('/life/v1/id', { headers: { 'X-Request-Id': 'forged' } })
    assert.notEqual(untrusted.headers.get('X-Request-Id'), 'forged')
  })

for (const way of ways)
  test(`deferred work runs after the response, and a failure is logged with the id (${way.name})`, async (context) => {
    events.length = 0
    const { send, site } = await way.open(context, [Api])
    const post = (path: string) => send(path, { method: 'POST' })
    assert.equal((await post('/life/v1/orders')).status, 201)
    assert.deepEqual(events.slice(0, 1), ['handled'])
    await until(() => events.length === 3)
    assert.deepEqual(events, ['handled', 'deferred', 'mailed as nobody'])
    const failed = await post('/life/v1/orders?fails=1')
    assert.equal(failed.status, 201)
    const isFailure = ({ fields }: (typeof site.log)[number]) => fields['code'] === 'deferred-failed'
    await until(() => site.log.some(isFailure))
    const fields = site.log.find(isFailure)?.fields
    assert.equal(fields?.['requestId'], failed.headers.get('X-Request-Id'))
    assert.match(String(fields?.['err']), /no mail server/)
    events.length = 0
    assert.equal((await post('/life/v1/refused')).status, 409)
    await until(() => events.includes('deferred'))
    // More than fits is refused as a whole request, and what was accepted still runs.
    assert.equal((await post('/life/v1/many')).status, 503)
  })

for (const way of ways)
  test(`a client has the whole response before deferred work begins (${way.name})`, async (context) => {
    let begun = false
    const patient = endpoint(
      { namespace: 'life/v1', route: '/patient', method: 'POST', permission: 'public' },
      (request) => {
        request.defer(() => (begun = true))
        async function* chunks() {
          yield 'one '
          await pause(100)
          yield `two ${begun}`
        }
        return new RestResponse(chunks(), 200, { 'Content-Type': 'text/plain' })
      },
    )
    const { send } = await way.open(context, [patient])
    assert.equal(await (await send('/life/v1/patient', { method: 'POST' })).text(), 'one two false')
    await until(() => begun)
  })

test('work that is deferred after the response runs, and keeps no place', async (context) => {
  events.length = 0
  const site = await startService([Api])
  context.after(() => site.close())
  assert.equal((await fetch(`${site.rest}life/v1/afterwards`, { method: 'POST' })).status, 200)
  await until(() => events.length === 2)
  assert.deepEqual(events, ['by deferred work', 'after the response'])
  await site.service.close()
  assert.deepEqual(
    site.log.filter(({ fields }) => fields['code'] === 'deferred-cut-off'),
    [],
  )
})

test('nothing is deferred any more once the service has stopped', async () => {
  events.length = 0
  const site = await startService([Api])
  await fetch(`${site.rest}life/v1/kept`, { method: 'POST' })
  await site.service.close()
  assert.throws(() => kept?.defer(() => events.push('too late')), /The service has stopped/)
  await pause(50)
  assert.deepEqual(events, [])
})

test('a request in a line of the log is its id, method and route', async (context) => {
  const site = await startService([Api])
  context.after(() => site.close())
  const headers = { 'X-Key': 'hush', Cookie: 'key=hush' }
  const response = await fetch(`${site.rest}life/v1/attached?key=hush`, { headers })
  const error = site.log.find(({ fields }) => fields['code'] === 'request-failed')?.fields['err']
  assert.deepEqual(JSON.parse(JSON.stringify((error as { request: unknown }).request)), {
    id: response.headers.get('X-Request-Id'),
    method: 'GET',
    route: '/life/v1/attached',
  })
})

test('a stop waits for deferred work, also that of the items of a batch, which runs as the user', async () => {
  events.length = 0
  const site = await startService([Api], { environment: 'local' })
  const user = await site.service.users.create({
    login: 'ann',
    email: 'ann@example.com',
    password: 'x',
    role: 'editor',
  })
  const { password } = await site.service.applicationPasswords.create(user.id, { name: 'test' })
  const requests = [{ path: '/life/v1/orders' }, { path: '/life/v1/orders' }]
  const response = await fetch(`${site.rest}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Basic ${btoa(`ann:${password}`)}` },
    body: JSON.stringify({ requests }),
  })
  assert.equal(response.status, 207)
  await site.service.close({ gracePeriod: 60_000 })
  assert.deepEqual(events.sort(), ['deferred', 'deferred', 'handled', 'handled', 'mailed as ann', 'mailed as ann'])
})

class Endless {
  @AsRestRoute({ namespace: 'life/v1', route: '/endless', method: 'POST', permission: 'public' })
  begin(request: RestRequest) {
    request.defer(() => new Promise(() => {}))
    return null
  }
}

test('deferred work that outlasts the grace period is cut off and logged', async () => {
  const site = await startService([Endless])
  assert.equal((await fetch(`${site.rest}life/v1/endless`, { method: 'POST' })).status, 200)
  await site.service.close({ gracePeriod: 200 })
  assert.deepEqual(
    site.log.map(({ fields }) => fields).filter(({ code }) => code === 'deferred-cut-off'),
    [{ code: 'deferred-cut-off', works: 1 }],
  )
})

test('without an option, a request that takes 30 seconds is a 503', async () => {
  const body = { code: 'rest_timeout', message: 'The request took longer than 30 s.', data: { status: 503 } }
  assert.deepEqual(await endless, { status: 503, body })
})
