import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { start } from '../../src/app/boot.js'
import { inspect } from '../../src/app/plan.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { startService, type StartedService } from '../support/start-service.js'
import { temporaryDatabase } from '../support/test-database.js'
import { secret, boom, deeds, unwritable, written, Faulty } from './faulty-api.js'

let site: StartedService

let patient: Promise<Response>

before(async () => {
  site = await startService([Faulty])
  patient = fetch(`${site.rest}faulty/v1/patient`)
})

after(() => site.close())

function loggedUnder(id: string | null) {
  return site.log.filter(({ level, fields }) => level === 'error' && fields['requestId'] === id)
}

const faults = [
  ...Object.keys(deeds).map((name) => `do/${name}`),
  'at-once',
  'permission',
  'permission-later',
  'validator?a=1',
  'sanitiser?a=1',
]

for (const target of faults)
  test(`${target}: a 500 without details, which are logged`, async () => {
    const response = await fetch(`${site.rest}faulty/v1/${target}`)
    const text = await response.text()
    assert.equal(response.status, 500)
    assert.match(text, /^\{"code":"internal_server_error",.*"data":\{"status":500\},"additional_errors":\[\]\}$/)
    assert.equal(text.includes(secret), false)
    for (const name of ['allow', 'access-control-allow-headers', 'access-control-expose-headers'])
      assert.equal(response.headers.get(name), null, name)
    assert.match(response.headers.get('cache-control') ?? '', /no-store/)
    const [line, ...more] = loggedUnder(response.headers.get('x-request-id'))
    assert.equal(more.length, 0)
    assert.ok(line && 'err' in line.fields)
    if (line.fields['err'] instanceof Error) assert.match(line.fields['err'].stack ?? '', /\n {4}at /)
  })

test('a permission callback that fails is no fault of the methods beside it, which Allow names without its own', async () => {
  for (const method of ['GET', 'OPTIONS']) {
    const response = await fetch(`${site.rest}faulty/v1/beside`, { method })
    assert.equal(response.status, 200, method)
    assert.equal(response.headers.get('allow'), 'GET', method)
  }
  for (const method of ['PUT', 'POST'])
    assert.equal((await fetch(`${site.rest}faulty/v1/beside`, { method })).status, 500, method)
})

test('a permission callback that says neither yes nor no refuses, and is named in the log', async () => {
  assert.equal((await fetch(`${site.rest}faulty/v1/oddly-guarded`)).status, 401)
  const fields = {
    code: 'permission-result-invalid',
    handler: 'Faulty.oddlyGuarded',
    callback: 'answersOddly',
    returned: 'number',
  }
  const message = 'a permission callback must return a boolean; the caller was refused'
  assert.deepEqual(
    site.log.filter(({ level }) => level === 'warn'),
    [{ level: 'warn', message, fields }],
  )
})

for (const target of ['odd-verdict/undefined', 'odd-verdict-later/undefined', 'odd-verdict/null', 'odd-verdict/string'])
  test(`${target}: what a permission callback returned that is no boolean refuses, and is in the log`, async () => {
    const before = site.log.length
    const response = await fetch(`${site.rest}faulty/v1/${target}`)
    assert.deepEqual([response.status, ((await response.json()) as { code: string }).code], [401, 'rest_forbidden'])
    const warned = site.log.slice(before).filter(({ level, message }) => level === 'warn' && /permission/.test(message))
    assert.deepEqual(
      warned.map(({ fields }) => (fields as { returned?: string }).returned),
      [target.split('/')[1]],
    )
  })

test('a status that is text is told from the number that it shows', () => {
  assert.throws(
    () => new RestResponse(null, '201' as never),
    /^RangeError: RestResponse: the text '201' is not a status/,
  )
  assert.throws(
    () => new RestResponse(null, 299),
    /^RangeError: RestResponse: 299 is not a status .* Use a number such as/,
  )
})

const places: [deed: string, told: RegExp][] = [
  ['body-is-a-promise', /^HandlerError: Faulty\.do: The body holds a promise, .* It is the body itself\.$/],
  ['body-holds-a-promise', /^HandlerError: Faulty\.do: The body holds a promise, .* It is at \.items\[1\]\.$/],
  ['body-holds-a-map', /: The body holds a Map, .* It is at \.map\.$/],
  ['body-holds-a-set', /: The body holds a Set, .* It is at \[0\]\.set\.$/],
  ['body-is-a-function', /^HandlerError: Faulty\.do returned a function as the body, which has no JSON form/],
  ['body-with-a-toJSON-that-throws', new RegExp(`^Error: ${secret}$`)],
]

for (const [deed, told] of places)
  test(`${deed}: handler and place are in the log`, async () => {
    const response = await fetch(`${site.rest}faulty/v1/do/${deed}`)
    await response.text()
    const [line] = loggedUnder(response.headers.get('x-request-id'))
    assert.match(String(line?.fields['err']), told)
  })

const encodings: [deed: string, at: string][] = [
  ['circular', '.self'],
  ['infinity', '.n'],
  ['error-with-circular-data', '.data.circular.self'],
]

for (const [deed, at] of encodings)
  test(`${deed}: the log says ${at}, the caller does not`, async () => {
    const response = await fetch(`${site.rest}faulty/v1/do/${deed}`)
    assert.equal((await response.text()).includes(at), false)
    const [line] = loggedUnder(response.headers.get('x-request-id'))
    assert.deepEqual([line?.fields['handler'], line?.fields['at']], ['Faulty.do', at])
  })

const unsendable: [deed: string, told: RegExp][] = [
  ['returns-nothing', /it returned undefined\. Return null for an empty response\.$/],
  ['returns-an-error', /it returned an object of Error\. Throw the error\.$/],
  ['returns-a-function', /it returned a function\. It has no JSON form\.$/],
  ['returns-a-bigint', /it returned a bigint\. It has no JSON form\.$/],
]

for (const [deed, told] of unsendable)
  test(`${deed}: the log names the handler and the remedy`, async () => {
    const response = await fetch(`${site.rest}faulty/v1/do/${deed}`)
    const [line] = loggedUnder(response.headers.get('x-request-id'))
    const text = String(line?.fields['err'])
    assert.match(text, /Faulty\.do must return a RestResponse, a JSON value or null; /)
    assert.match(text, told)
  })

for (const name of Object.keys(unwritable))
  test(`${name}: rest_encode_error, and a line in the log`, async () => {
    const response = await fetch(`${site.rest}faulty/v1/do/${name}`)
    assert.equal(response.status, 500)
    assert.equal(((await response.json()) as { code: string }).code, 'rest_encode_error')
    assert.equal(loggedUnder(response.headers.get('x-request-id')).length, 1)
  })

for (const [name, , status, text] of written)
  test(`${name}: ${status} ${text}`, async () => {
    const response = await fetch(`${site.rest}faulty/v1/do/${name}`)
    assert.deepEqual([response.status, await response.text()], [status, text])
    assert.equal(response.headers.get('set-cookie'), null)
    assert.equal(response.headers.get('transfer-encoding'), null)
    // 501 says what is not there, not that it failed.
    const isLogged = status >= 500 && status !== 501
    assert.equal(loggedUnder(response.headers.get('x-request-id')).length, isLogged ? 1 : 0)
  })

test('an error that a handler or a permission callback answers with is logged with its cause', async () => {
  for (const target of ['do/error-with-a-cause', 'permission-fails']) {
    const response = await fetch(`${site.rest}faulty/v1/${target}`)
    assert.equal(response.status, 502)
    assert.equal((await response.text()).includes(secret), false)
    const [line, ...more] = loggedUnder(response.headers.get('x-request-id'))
    assert.deepEqual(more, [])
    assert.equal(line?.message, 'a request failed')
    assert.equal(line.fields['route'], `/faulty/v1/${target}`)
    assert.equal(line.fields['path'], `/wp-json/faulty/v1/${target}`)
    assert.equal(line.fields['method'], 'GET')
    assert.match(String((line.fields['err'] as Error).cause), new RegExp(secret))
  }
})

test('an error within a batch is logged once', async () => {
  const requests = [{ path: '/faulty/v1/batched' }]
  const response = await fetch(`${site.rest}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ requests }),
  })
  assert.equal(response.status, 207)
  const { responses } = (await response.json()) as { responses: { status: number }[] }
  assert.equal(responses[0]?.status, 502)
  assert.equal(loggedUnder(response.headers.get('x-request-id')).length, 1)
})

test('an item of a batch whose body has no JSON form leaves the responses to the others in place', async () => {
  const response = await fetch(`${site.rest}batch/v1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      requests: ['good', 'circular', 'infinity', 'map', 'good'].map((name) => ({
        path: `/faulty/v1/batched-body/${name}`,
      })),
    }),
  })
  assert.equal(response.status, 207)
  const { responses } = (await response.json()) as { responses: { status: number; body: { code?: string } | number }[] }
  assert.deepEqual(
    responses.map(({ status, body }) => [status, typeof body === 'number' ? body : body.code]),
    [
      [200, 1],
      [500, 'rest_encode_error'],
      [500, 'rest_encode_error'],
      [500, 'internal_server_error'],
      [200, 1],
    ],
  )
  const lines = loggedUnder(response.headers.get('x-request-id')).map(({ fields }) => String(fields['err']))
  assert.deepEqual(
    lines.map((line) => line.replace(/^.*?: /, '')),
    [
      '/faulty/v1/batched-body/circular: the body contains itself at .self.',
      '/faulty/v1/batched-body/infinity: the body holds Infinity at .n.',
      '/faulty/v1/batched-body/map: The body holds a Map, which has no JSON form: use Object.fromEntries(map) instead. It is the body itself.',
    ],
  )
})

test('an embedded resource whose body has no JSON form is embedded as an error', async () => {
  const response = await fetch(`${site.rest}faulty/v1/links-to-circular?_embed`)
  assert.equal(response.status, 200)
  const { id, _embedded } = (await response.json()) as { id: number; _embedded: { other: { code: string }[] } }
  assert.deepEqual([id, _embedded.other[0]?.code], [1, 'rest_encode_error'])
})

test('header values are sent as UTF-8', async () => {
  const response = await fetch(`${site.rest}faulty/v1/do/header-with-accents`)
  assert.equal(Buffer.from(response.headers.get('x-a') ?? '', 'latin1').toString('utf8'), 'Café €')
})

const database: [fault: string, status: number, code: string, retryAfter: string | null][] = [
  ['busy', 503, 'service_unavailable', '1'],
  ['unavailable', 503, 'service_unavailable', '10'],
  ['full', 503, 'service_unavailable', '60'],
  ['read-only', 503, 'service_unavailable', '60'],
  ['failed', 500, 'internal_server_error', null],
]

for (const [fault, status, code, retryAfter] of database)
  test(`a database that is ${fault}: ${status}`, async () => {
    const response = await fetch(`${site.rest}faulty/v1/database/${fault}`)
    const text = await response.text()
    assert.deepEqual([response.status, response.headers.get('retry-after')], [status, retryAfter])
    assert.equal((JSON.parse(text) as { code: string }).code, code)
    assert.equal(text.includes(secret), false)
    assert.equal(loggedUnder(response.headers.get('x-request-id')).length, 1)
  })

test('a request that was in flight all the time is unharmed', async () => {
  assert.deepEqual(await (await patient).json(), { patient: true })
})

const unwritten = { 'that throws': boom, 'whose promise is rejected': async () => boom() }

for (const [kind, write] of Object.entries(unwritten))
  test(`with a log ${kind}, requests are answered and no rejection is unhandled`, async (context) => {
    const unhandled: unknown[] = []
    const onUnhandled = (err: unknown): unknown => unhandled.push(err)
    process.on('unhandledRejection', onUnhandled)
    context.after(() => process.off('unhandledRejection', onUnhandled))
    const log = { info: write, warn: write, error: write }
    const other = await startService([Faulty], { log, request_log: true })
    const response = await fetch(`${other.rest}faulty/v1/at-once`)
    assert.equal(response.status, 500)
    await response.text()
    await other.close()
    assert.deepEqual(unhandled, [])
  })

test("an error that the service's own log cannot write is answered like others", async (context) => {
  const plan = await inspect([Faulty], { database: await temporaryDatabase(), secrets: {} })
  const service = await start(plan)
  context.after(() => service.close())
  const { url } = await service.listen({ port: 0 })
  for (const moment of ['before the log is open', 'afterwards']) {
    const response = await fetch(`${url}/wp-json/faulty/v1/do/throws-what-is-frozen`)
    assert.equal(response.status, 500, moment)
    assert.equal(((await response.json()) as { code: string }).code, 'internal_server_error')
    await plan.deferredLog.flushed()
  }
})

let questions = 0

class Lazily {
  @AsRestRoute({ namespace: 'lazy/v1', route: '/question', permission: 'may' })
  get() {
    return new RestResponse('seen')
  }

  /** Asks anew for each who waits, as the queries of some libraries do. */
  may(): Promise<boolean> {
    return {
      // oxlint-disable-next-line unicorn/no-thenable -- that is what is shown here
      then(response: (may: boolean) => void) {
        questions += 1
        response(true)
      },
    } as Promise<boolean>
  }
}

test('the promise of a permission callback is awaited once', async (context) => {
  const { rest, close } = await startService([Lazily])
  context.after(close)
  const response = await fetch(`${rest}lazy/v1/question`)
  assert.equal(response.headers.get('allow'), 'GET')
  assert.equal(await response.json(), 'seen')
  assert.equal(questions, 1)
})
