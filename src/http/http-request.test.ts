import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous } from './caller.js'
import type { IncomingRequest } from './exchange.js'
import { HttpRequest } from './http-request.js'
import { parseRequest } from './parsed-request.js'
import { parameterMap } from './variables.js'
import type { UploadedFile } from './uploaded-file.js'

/** A request in short form. `type` is its content type, and `body` has one character per byte. */
type Message = Partial<Omit<IncomingRequest, 'body' | 'headers'>> & {
  type?: string
  body?: string
  headers?: Record<string, string>
}

function incomingOf({ type, body = '', headers = {}, ...others }: Message): IncomingRequest {
  const allHeaders = Object.assign(Object.create(null) as Record<string, string>, headers)
  if (type !== undefined) allHeaders['content-type'] = type
  const rest = { method: 'GET', path: '/', query: '', address: '127.0.0.1', secure: false, local: true, ...others }
  return { ...rest, headers: allHeaders, body: Buffer.from(body, 'latin1') }
}

function requestOf(message: Message, captures: Record<string, string> = {}, defaults: Record<string, unknown> = {}) {
  const incoming = incomingOf(message)
  const request = new HttpRequest({
    incoming,
    parsed: parseRequest(incoming),
    route: '/shop/v1/x',
    user: anonymous,
  })
  request.matched(parameterMap(captures), defaults)
  return request
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const bodies: [message: Message, expected: unknown][] = [
  [{ method: 'POST', type: form, body: 'a=1' }, { a: '1' }],
  [{ method: 'POST', type: `${form.toUpperCase()}; charset=utf-8`, body: 'a=1' }, { a: '1' }],
  [{ method: 'POST', type: `${form}, ${form}`, body: 'a=1' }, { a: '1' }],
  [{ method: 'POST', type: `${form} charset=utf-8`, body: 'a=1' }, { a: '1' }],
  [{ method: 'POST', body: 'a=1' }, {}],
  [{ method: 'POST', type: '', body: 'a=1' }, {}],
  [{ method: 'POST', type: 'text/plain', body: 'a=1' }, {}],
  [{ method: 'POST', type: 'multipart/form-data', body: 'a=1' }, {}],
  [{ method: 'PUT', type: form, body: 'a=1' }, { a: '1' }],
  [{ method: 'PUT', body: 'a=1' }, { a: '1' }],
  [{ method: 'PUT', type: `${form}, ${form}`, body: 'a=1' }, {}],
  [{ method: 'PUT', type: `;${form}`, body: 'a=1' }, {}],
  [{ method: 'PUT', body: '0' }, {}],
  [{ method: 'PUT', body: '00' }, { '00': '' }],
  [{ method: 'PUT', type: 'json', body: '{"a":1}' }, { '{"a":1}': '' }],
  [{ method: 'PATCH', type: 'text/plain', body: 'a=1' }, {}],
  [{ method: 'DELETE', type: `${form}x`, body: 'a=1' }, {}],
  [{ method: 'GET', type: form, body: 'a=1' }, {}],
  [
    { method: 'POST', query: '_method=PUT', type: form, body: 'a=1' },
    { _method: 'PUT', a: '1' },
  ],
  [
    { method: 'POST', query: '_method=PUT', body: 'a=1' },
    { _method: 'PUT', a: '1' },
  ],
  // WordPress decodes these bodies itself. It renumbers integer names when it merges them with the form decoded by PHP.
  [
    { method: 'PUT', type: form, body: '5=x&7=y&a=1&05=z' },
    { 0: 'x', 1: 'y', a: '1', '05': 'z' },
  ],
  [
    { method: 'PUT', type: form, body: '7=y&5=x&a=1' },
    { 0: 'y', 1: 'x', a: '1' },
  ],
  [{ method: 'POST', type: form, body: '5=x' }, { 5: 'x' }],
  [
    { method: 'POST', query: '_method=PUT', type: form, body: '5=x' },
    { _method: 'PUT', 0: 'x', 1: 'x' },
  ],
  [{ method: 'POST', query: '_method=GET', type: form, body: 'a=1' }, { _method: 'GET' }],
  [{ method: 'GET', type: json, body: '{"a":1}' }, { a: 1 }],
  [
    { method: 'POST', query: '_method=GET', type: json, body: '{"a":1}' },
    { _method: 'GET', a: 1 },
  ],
  [{ method: 'POST', type: json, body: '5' }, { 0: 5 }],
  [{ method: 'POST', type: json, body: '"str"' }, { 0: 'str' }],
  [
    { method: 'POST', type: json, body: '[1,{"a":2}]' },
    { 0: 1, 1: { a: 2 } },
  ],
  [{ method: 'POST', type: json, body: '[]' }, {}],
  [{ method: 'POST', type: json, body: 'null' }, {}],
  [{ method: 'POST', type: json, body: '0' }, {}],
  [{ method: 'POST', type: json }, {}],
  [{ method: 'POST', type: 'text/json', body: '{"a":1}' }, {}],
]
for (const [message, expected] of bodies)
  test(`${JSON.stringify(message)} has the parameters ${JSON.stringify(expected)}`, () => {
    const request = requestOf(message)
    assert.equal(request.problem, null)
    assert.deepEqual(plain(request.get_params()), expected)
  })

test('the parameters of a multipart POST include its fields, but not its files', async () => {
  const part = (head: string, value: string) => `--X\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const body = `${part('name="title"', 'Lamp')}${part('name="image"; filename="lamp.png"', 'PNG')}--X--`
  const type = 'multipart/form-data; boundary=X'
  const request = requestOf({ method: 'POST', type, body })
  assert.deepEqual(plain(request.get_params()), { title: 'Lamp' })
  const { image } = request.get_file_params() as { image: { name: string; file: UploadedFile } }
  assert.deepEqual([image.name, await image.file.text()], ['lamp.png', 'PNG'])
  assert.equal(await request.file('image')?.text(), 'PNG')
  assert.deepEqual(plain(requestOf({ method: 'PUT', type, body }).get_params()), {})
})

const problems: [message: Message, code: string | undefined][] = [
  [{ type: json, body: '{bad' }, 'rest_invalid_json'],
  [{ type: form, body: '{bad' }, undefined],
  [{ type: json, body: `[${'1,'.repeat(100_000)}1]` }, 'rest_too_many_json_values'],
  [{ query: 'a&'.repeat(1001) }, 'rest_too_many_params'],
  [{ method: 'POST', type: form, body: 'a&'.repeat(1001) }, 'rest_too_many_params'],
  [{ method: 'PUT', type: form, body: `a${'[b]'.repeat(65)}` }, 'rest_params_too_deep'],
  [{ method: 'GET', type: form, body: 'a&'.repeat(1001) }, undefined],
]
for (const [message, code] of problems)
  test(`${message.method ?? 'GET'} ${message.type ?? ''} with ${(message.body ?? message.query ?? '').slice(0, 8)}… is ${code === undefined ? 'accepted' : `rejected with ${code}`}`, () => {
    assert.equal(requestOf(message).problem?.code, code)
  })

test('only a POST has a posted form, which may contain a nonce', () => {
  const message = { type: form, body: '_wpnonce=1' }
  for (const [method, count] of [
    ['POST', 1],
    ['PUT', 0],
    ['GET', 0],
  ] as const) {
    assert.equal(Object.keys(parseRequest(incomingOf({ ...message, method })).posted).length, count)
  }
})

test('a handler can read each part and each parameter source of a request', () => {
  const request = requestOf(
    { method: 'POST', query: 'q=1', type: json, body: '{"j":1}', headers: { 'x-a': '1' }, address: '10.0.0.1' },
    { id: '7' },
    { d: [1] },
  )
  assert.deepEqual(
    [request.method, request.route, request.address, request.user],
    ['POST', '/shop/v1/x', '10.0.0.1', anonymous],
  )
  assert.deepEqual([request.get_header('X_A'), request.get_header('X-B')], ['1', null])
  assert.deepEqual(plain([request.get_url_params(), request.get_query_params(), request.get_body_params()]), [
    { id: '7' },
    { q: '1' },
    {},
  ])
  assert.deepEqual(plain([request.get_json_params(), request.get_default_params()]), [{ j: 1 }, { d: [1] }])
  assert.equal(Buffer.from(request.body).toString(), '{"j":1}')
})

test('before a route matches, a request has no captures and no defaults', () => {
  const incoming = incomingOf({ query: '_fields=id' })
  const request = new HttpRequest({ incoming, parsed: parseRequest(incoming), route: '/', user: anonymous })
  assert.deepEqual([request.get_param('_fields'), request.has_param('id')], ['id', false])
})

test('a handler that changes a default does not change it for the next request', () => {
  const defaults = { tags: ['a'] }
  ;(requestOf({}, {}, defaults).get_param('tags') as string[]).push('b')
  assert.deepEqual(requestOf({}, {}, defaults).get_param('tags'), ['a'])
})
