import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous } from './caller.js'
import type { IncomingRequest } from './exchange.js'
import { HttpRequest, parseRequest } from './rest-request.js'
import { bagOf } from './variables.js'

type Sent = Partial<Omit<IncomingRequest, 'body' | 'headers'>> & {
  type?: string
  body?: string
  headers?: Record<string, string>
}

function incoming({ type, body = '', headers = {}, ...sent }: Sent): IncomingRequest {
  const all = Object.assign(Object.create(null) as Record<string, string>, headers)
  if (type !== undefined) all['content-type'] = type
  const rest = { method: 'GET', path: '/', query: '', address: '127.0.0.1', secure: false, local: true, ...sent }
  return { ...rest, headers: all, body: Buffer.from(body, 'latin1') }
}

function request(sent: Sent, captures: Record<string, string> = {}, defaults: Record<string, unknown> = {}) {
  const received = incoming(sent)
  const made = new HttpRequest({
    incoming: received,
    parsed: parseRequest(received),
    route: '/shop/v1/x',
    user: anonymous,
  })
  made.matched(bagOf(captures), defaults)
  return made
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

const bodies: [sent: Sent, expected: unknown][] = [
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
  // WordPress decodes these bodies itself, and numbers integer names anew where it puts them with what PHP decoded.
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
for (const [sent, expected] of bodies)
  test(`${JSON.stringify(sent)} has the parameters ${JSON.stringify(expected)}`, () => {
    const made = request(sent)
    assert.equal(made.problem, null)
    assert.deepEqual(plain(made.get_params()), expected)
  })

test('a multipart POST has fields among its parameters and files apart', () => {
  const part = (head: string, value: string) => `--X\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
  const body = `${part('name="title"', 'Lamp')}${part('name="image"; filename="lamp.png"', 'PNG')}--X--`
  const type = 'multipart/form-data; boundary=X'
  const made = request({ method: 'POST', type, body })
  assert.deepEqual(plain(made.get_params()), { title: 'Lamp' })
  const { image } = made.get_file_params() as { image: { name: string; bytes: Uint8Array } }
  assert.deepEqual([image.name, Buffer.from(image.bytes).toString()], ['lamp.png', 'PNG'])
  assert.deepEqual(plain(request({ method: 'PUT', type, body }).get_params()), {})
})

const problems: [sent: Sent, code: string | undefined][] = [
  [{ type: json, body: '{bad' }, 'rest_invalid_json'],
  [{ type: form, body: '{bad' }, undefined],
  [{ query: 'a&'.repeat(1001) }, 'rest_too_many_params'],
  [{ method: 'POST', type: form, body: 'a&'.repeat(1001) }, 'rest_too_many_params'],
  [{ method: 'PUT', type: form, body: `a${'[b]'.repeat(65)}` }, 'rest_params_too_deep'],
  [{ method: 'GET', type: form, body: 'a&'.repeat(1001) }, undefined],
]
for (const [sent, code] of problems)
  test(`${sent.method ?? 'GET'} ${sent.type ?? ''} with ${(sent.body ?? sent.query ?? '').slice(0, 8)}… is ${code ?? 'taken'}`, () => {
    assert.equal(request(sent).problem?.code, code)
  })

test('only a real POST has a posted form, which may carry a nonce', () => {
  const sent = { type: form, body: '_wpnonce=1' }
  for (const [method, count] of [
    ['POST', 1],
    ['PUT', 0],
    ['GET', 0],
  ] as const) {
    assert.equal(Object.keys(parseRequest(incoming({ ...sent, method })).posted).length, count)
  }
})

test('a request tells what it is made of', () => {
  const made = request(
    { method: 'POST', query: 'q=1', type: json, body: '{"j":1}', headers: { 'x-a': '1' }, address: '10.0.0.1' },
    { id: '7' },
    { d: [1] },
  )
  assert.deepEqual([made.method, made.route, made.address, made.user], ['POST', '/shop/v1/x', '10.0.0.1', anonymous])
  assert.deepEqual([made.get_header('X_A'), made.get_header('X-B')], ['1', null])
  assert.deepEqual(plain([made.get_url_params(), made.get_query_params(), made.get_body_params()]), [
    { id: '7' },
    { q: '1' },
    {},
  ])
  assert.deepEqual(plain([made.get_json_params(), made.get_default_params()]), [{ j: 1 }, { d: [1] }])
  assert.equal(Buffer.from(made.body).toString(), '{"j":1}')
})

test('before a route matched, a request has what was sent and no more', () => {
  const received = incoming({ query: '_fields=id' })
  const made = new HttpRequest({ incoming: received, parsed: parseRequest(received), route: '/', user: anonymous })
  assert.deepEqual([made.get_param('_fields'), made.has_param('id')], ['id', false])
})

test('a handler that changes a default does not change it for the next request', () => {
  const defaults = { tags: ['a'] }
  ;(request({}, {}, defaults).get_param('tags') as string[]).push('b')
  assert.deepEqual(request({}, {}, defaults).get_param('tags'), ['a'])
})
