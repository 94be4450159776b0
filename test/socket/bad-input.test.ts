import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { EchoApi } from '../support/echo-api.js'
import { exchange } from '../support/raw-socket.js'
import { startService, type StartedService } from '../support/start-service.js'

let site: StartedService
before(async () => {
  site = await startService([EchoApi])
})
after(() => site.close())

interface ResponseBody {
  readonly code?: string
  readonly data?: { readonly status: number; readonly params?: Readonly<Record<string, string>> }
  readonly params?: Readonly<Record<string, unknown>>
  readonly route?: string
}

async function ask(target: string, init: RequestInit = {}): Promise<{ status: number; body: ResponseBody }> {
  const response = await fetch(`${site.rest}${target}`, init)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=UTF-8')
  return { status: response.status, body: (await response.json()) as ResponseBody }
}

const json = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json'): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': type },
  body,
})
const form = (body: string): RequestInit => json(body, 'application/x-www-form-urlencoded')
const repeated = (text: string, times: number): string => text.repeat(times)

const refused: [what: string, target: string, init: RequestInit, status: number, code: string][] = [
  ['incomplete JSON', 'test/v1/echo', json('{"a":'), 400, 'rest_invalid_json'],
  ['JSON followed by more JSON', 'test/v1/echo', json('{} {}'), 400, 'rest_invalid_json'],
  ['JSON with a NUL', 'test/v1/echo', json('{"a":"\0"}'), 400, 'rest_invalid_json'],
  ['JSON that is not UTF-8', 'test/v1/echo', json(Uint8Array.of(0x22, 0xff, 0x22)), 400, 'rest_invalid_json'],
  ['JSON with half a surrogate pair', 'test/v1/echo', json('"\\ud800"'), 400, 'rest_invalid_json'],
  ['a megabyte of open brackets', 'test/v1/echo', json(repeated('[', 1_000_000)), 400, 'rest_invalid_json'],
  [
    'a megabyte of nested arrays',
    'test/v1/echo',
    json(repeated('[', 500_000) + repeated(']', 500_000)),
    400,
    'rest_invalid_json',
  ],
  ['a megabyte of nested objects', 'test/v1/echo', json(repeated('{"a":', 150_000)), 400, 'rest_invalid_json'],
  [
    'the wrong type of content',
    'test/v1/typed',
    json('<name>x</name>', 'text/xml'),
    400,
    'rest_missing_callback_param',
  ],
  [
    'no type of content that anybody knows',
    'test/v1/typed',
    json('{"name":"x"}', 'nonsense'),
    400,
    'rest_missing_callback_param',
  ],
  [
    'a form without a boundary',
    'test/v1/typed',
    json('name=x', 'multipart/form-data'),
    400,
    'rest_missing_callback_param',
  ],
  ['a map for the name of a namespace', 'test/v1?namespace[0]=a&namespace[b]=c', {}, 404, 'rest_invalid_namespace'],
  ['too many parameters in the query', `test/v1/echo?${repeated('a&', 1001)}`, {}, 400, 'rest_too_many_params'],
  ['too many parameters in a form', 'test/v1/echo', form(repeated('a=1&', 10_000)), 400, 'rest_too_many_params'],
  [
    'brackets that are too deep in the query',
    `test/v1/echo?a${repeated('[b]', 65)}=1`,
    {},
    400,
    'rest_params_too_deep',
  ],
  [
    'brackets that are too deep in a form',
    'test/v1/echo',
    form(`a${repeated('[]', 100_000)}=1`),
    400,
    'rest_params_too_deep',
  ],
  ['a value that is not of its type', 'test/v1/typed?page=ten', {}, 400, 'rest_invalid_param'],
  ['a list for a number', 'test/v1/typed?page[]=1', {}, 400, 'rest_invalid_param'],
  ['an unknown route', 'test/v1/nothing', {}, 404, 'rest_no_route'],
  ['an unknown namespace', 'other/v1', {}, 404, 'rest_no_route'],
  ['a bad escape in the path', 'test/v1/%zz', {}, 404, 'rest_no_route'],
  ['a NUL in the path', 'test/v1/echo%00', {}, 404, 'rest_no_route'],
  ['a path that goes up', 'test/v1/%2e%2e/%2e%2e/etc/passwd', {}, 404, 'rest_no_route'],
  ['a method without a handler', 'test/v1/typed', { method: 'DELETE' }, 404, 'rest_no_route'],
  ['an unknown override', 'test/v1/typed?_method=EXPLODE', {}, 404, 'rest_no_route'],
  ['an override that is a list', 'test/v1/typed?_method[]=GET', {}, 404, 'rest_no_route'],
  ['a callback that is code', 'test/v1/echo?_jsonp=alert(1)', {}, 400, 'rest_callback_invalid'],
  ['a route that is a list', '?rest_route[]=/test/v1/echo', {}, 400, 'rest_path_invalid_type'],
  ['an invalid nonce', 'test/v1/echo?_wpnonce=abc', {}, 403, 'rest_cookie_invalid_nonce'],
]

for (const [what, target, init, status, code] of refused)
  test(`${what}: ${status} ${code}`, async () => {
    const response = await fetch(`${site.rest}${target}`, init)
    const body = (await response.json()) as ResponseBody
    assert.deepEqual([response.status, body.code], [status, code])
    assert.match(response.headers.get('x-request-id') ?? '', /^[0-9a-f]{12}-\w+$/)
    const again = await ask('test/v1/echo')
    assert.equal(again.status, 200)
  })

const read: [what: string, target: string, init: RequestInit, params: Readonly<Record<string, unknown>>][] = [
  ['a bad escape in the query stays as it is', 'test/v1/echo?a=%zz&b=%4', {}, { a: '%zz', b: '%4' }],
  ['bytes that are not UTF-8 are written as ?', 'test/v1/echo?a=%ff%fe', {}, { a: '??' }],
  ['bytes that are not UTF-8 in a form are written as ?', 'test/v1/echo', form('a=x%ffy'), { a: 'x?y' }],
  [
    'ten thousand keys of JSON are read',
    'test/v1/count',
    json(JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`k${n}`, n])))),
    {},
  ],
  ['a body of another type is not parsed', 'test/v1/echo', json('whatever', 'text/plain'), {}],
  ['a scalar of JSON is parameter 0', 'test/v1/echo', json('"text"'), { 0: 'text' }],
]

for (const [what, target, init, params] of read)
  test(what, async () => {
    const { status, body } = await ask(target, init)
    assert.equal(status, 200)
    if (target.endsWith('/count')) assert.equal(body.params, 10_000)
    else assert.deepEqual(body.params, params)
  })

const unencoded: [bytes: string, params: Readonly<Record<string, string>>][] = [
  ['caf\xc3\xa9', { word: 'café' }],
  ['\xff\xfe', { word: '??' }],
  ['a?q=\xc3(', { q: '?(', word: 'a' }],
]

// Whether such a target passes Node's parser depends on the version of Node.
for (const [bytes, params] of unencoded)
  test(`bytes of a target that are not percent-encoded are refused, or text: ${JSON.stringify(bytes)}`, async () => {
    const response = await exchange(site.port, `GET /wp-json/test/v1/echo/${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const body = JSON.parse(response.text) as ResponseBody
    if (response.status === 200) assert.deepEqual(body.params, params)
    else assert.deepEqual([response.status, body.code], [400, 'rest_bad_request'])
  })

test('raw bytes in headers are accepted or refused, and the service goes on', async () => {
  const bytes = '\xff\xfe\xc3('
  const headers = [
    'Authorization',
    'Cookie',
    'X-WP-Nonce',
    'Origin',
    'Content-Type',
    'X-HTTP-Method-Override',
    'User-Agent',
  ]
  for (const name of headers) {
    const response = await exchange(
      site.port,
      `POST /wp-json/test/v1/echo HTTP/1.1\r\nHost: x\r\n${name}: ${bytes}\r\nContent-Length: 3\r\n\r\na=1`,
    )
    assert.ok(response.status < 500, `${name}: ${response.status} ${response.text}`)
    assert.doesNotThrow(() => JSON.parse(response.text), name)
  }
})

const inherited = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype']

for (const name of inherited)
  test(`a parameter may be named ${name}`, async () => {
    const own = Object.fromEntries([[name, 'x']])
    const nested = `{"${name}":{"polluted":"yes"}}`
    const requests: [string, RequestInit, unknown][] = [
      [`test/v1/echo?${name}=x`, {}, own],
      [`test/v1/echo?${name}[polluted]=yes`, {}, JSON.parse(nested)],
      [`test/v1/echo?a[${name}][polluted]=yes`, {}, { a: JSON.parse(nested) as unknown }],
      ['test/v1/echo', form(`${name}=x`), own],
      ['test/v1/echo', json(nested), JSON.parse(nested)],
      ['test/v1/echo', json(`{"a":${nested}}`), { a: JSON.parse(nested) as unknown }],
    ]
    for (const [target, init, params] of requests) {
      const { status, body } = await ask(target, init)
      assert.equal(status, 200)
      assert.equal(JSON.stringify(body.params), JSON.stringify(params), target)
    }
    for (const target of [
      `test/v1/typed?${name}[polluted]=yes`,
      `test/v1/echo?_fields=${name}`,
      `test/v1/echo?_embed=${name}`,
    ])
      assert.equal((await ask(target)).status, 200, target)
    assert.equal('polluted' in {}, false)
    assert.equal('polluted' in Object.prototype.constructor, false)
  })

test('none of these requests is logged as an error', () => {
  assert.deepEqual(
    site.log.filter(({ level }) => level === 'error'),
    [],
  )
})
