import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenApiDocument } from '../../src/documents/openapi-document.js'
import { componentsOf } from '../../src/documents/components.js'
import { Random } from '../support/random.js'
import { ResponseCheck } from './check.js'
import { growthFault } from './growth.js'
import { growRequest, wireBytes, type FuzzRequest } from './requests.js'

const operation = { method: 'GET', pattern: '/shop/v1/products/(?P<id>\\d+)', args: {} }
const document = {
  openapi: '3.1.0',
  paths: {
    '/shop/v1/products/{id}': {
      get: { responses: { 200: { description: '' }, 404: { $ref: '#/components/responses/NotFound' } } },
    },
  },
  components: componentsOf('login'),
} as unknown as OpenApiDocument
const request: FuzzRequest = {
  method: 'GET',
  target: '/wp-json/shop/v1/products/1',
  headers: [],
  body: null,
  operation,
  mayBePipelined: true,
}
const product = { id: 1, title: 'A', content: '', price: 1, link: 'http://shop.example/a/' }

const faults: readonly (readonly [what: string, status: number, body: unknown, fault: RegExp | null])[] = [
  ['a product', 200, product, null],
  ['a product without a price', 200, { ...product, price: undefined }, /must have required property 'price'/],
  ['an error of the document', 404, { code: 'rest_no_route', message: 'None', data: { status: 404 } }, null],
  ["the shop's own error", 404, { error: 'Product not found' }, null],
  ['an error without a code', 404, { message: 'None' }, /must have required property 'code'/],
  ['an error whose status is another one', 404, { code: 'a', message: 'b', data: { status: 400 } }, /another one/],
  ['a status that the document does not list', 403, { code: 'a', message: 'b' }, /does not list the status 403/],
  ['a fault', 500, { code: 'internal_server_error', message: 'b' }, /The status is 500/],
  ['a trace', 404, { code: 'a', message: 'at call (file:///a.js:1)' }, /The body shows/],
]

for (const [what, status, body, fault] of faults)
  test(`the check of responses ${fault ? 'reports' : 'accepts'} ${what}`, () => {
    const headers = [
      ['content-type', 'application/json; charset=UTF-8'],
      ['x-request-id', 'a'],
    ] as const
    const reported = new ResponseCheck(document, [operation]).faultOf(request, {
      status,
      headers,
      body: Buffer.from(JSON.stringify(body)),
    })
    if (fault === null) assert.equal(reported, null)
    else assert.match(reported ?? '', fault)
  })

test('the check compares a success with the schema of its own operation alone', () => {
  const of = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
  const described = {
    ...document,
    paths: {
      '/a/v1/one': { get: { responses: { 200: of({ type: 'object', required: ['one'] }) } } },
      '/a/v1/two': { get: { responses: { 200: of({ type: 'array' }) } } },
    },
  } as unknown as OpenApiDocument
  const operations = ['one', 'two'].map((name) => ({ method: 'GET', pattern: `/a/v1/${name}`, args: {} }))
  const check = new ResponseCheck(described, operations)
  const faultOf = (checked: FuzzRequest['operation'], body: object) =>
    check.faultOf(
      { ...request, operation: checked },
      {
        status: 200,
        headers: [
          ['x-request-id', 'a'],
          ['content-type', 'application/json'],
        ],
        body: Buffer.from(JSON.stringify(body)),
      },
    )
  assert.match(faultOf(operations[0] ?? null, { two: 2 }) ?? '', /must have required property 'one'/)
  assert.equal(faultOf(operations[0] ?? null, { one: 1 }), null)
  assert.match(faultOf(operations[1] ?? null, { one: 1 }) ?? '', /must be array/)
  assert.equal(faultOf(null, { anything: 1 }), null)
})

const changes: readonly (readonly [
  what: string,
  route: string,
  status: number,
  body: unknown,
  fault: RegExp | null,
])[] = [
  ['a created product', '/shop/v1/products', 201, product, null],
  ['a created product without a link', '/shop/v1/products', 201, { ...product, link: '' }, /must match pattern/],
  ['a created product with status 200', '/shop/v1/products', 200, product, /is not 200/],
  ['an argument of the wrong type', '/rules/v1/integer', 200, echo({ integer: '5' }), /must be integer/],
  ['an argument of its type', '/rules/v1/integer', 200, echo({ integer: 5, page: 1 }), null],
  ['a user without a name', '/wp/v2/users/me', 200, { id: 1 }, /must have required property 'name'/],
]

function echo(params: object) {
  return { method: 'POST', route: '/rules/v1/integer', params, files: [], header: null }
}

for (const [what, pattern, status, body, fault] of changes)
  test(`the check of responses to a POST with a body ${fault ? 'reports' : 'accepts'} ${what}`, () => {
    const headers = [
      ['content-type', 'application/json; charset=UTF-8'],
      ['x-request-id', 'a'],
    ] as const
    const posted = { ...request, method: 'POST', operation: { method: 'POST', pattern, args: {} } }
    const check = new ResponseCheck(document, [posted.operation])
    const response = { status, headers, body: Buffer.from(JSON.stringify(body)) }
    const reported = check.faultOf({ ...posted, body: Buffer.from('{"integer":5}') }, response)
    if (fault === null) assert.equal(reported, null)
    else assert.match(reported ?? '', fault)
  })

test('a response whose fields the body of the request selects is not compared', () => {
  const operation = { method: 'POST', pattern: '/rules/v1/integer', args: {} }
  const check = new ResponseCheck(document, [operation])
  const headers = [
    ['content-type', 'application/json; charset=UTF-8'],
    ['x-request-id', 'a'],
  ] as const
  const response = { status: 200, headers, body: Buffer.from('{"route":"x"}') }
  const posted = { ...request, method: 'POST', operation }
  assert.equal(check.faultOf({ ...posted, body: Buffer.from('{"_fields":"route"}') }, response), null)
  assert.match(check.faultOf({ ...posted, body: Buffer.from('{}') }, response) ?? '', /is not as declared/)
})

test('heap and handles that keep growing are reported, and a warm-up is not', () => {
  const measured = (heaps: readonly number[], handles = 1) =>
    heaps.map((heap) => ({ heapUsed: heap * 1_048_576, external: 0, rss: 0, handles: { TCPSocketWrap: handles } }))
  assert.equal(growthFault(measured([20, 26, 27, 30, 30, 30, 30, 31, 30])), null)
  assert.match(growthFault(measured([20, 30, 40, 50, 60, 70, 80, 90, 100])) ?? '', /heap grew/)
  const leaking = [...measured([30, 30, 30, 30, 30, 30]), ...measured([30, 30, 30], 20)]
  assert.match(growthFault(leaking) ?? '', /handles grew/)
})

test('equal seeds grow equal requests', () => {
  const member = { login: 'ada', id: 1, basic: 'Basic YTpi', cookie: 'a=b', nonce: '0123456789', uuid: 'u' }
  const ground = { operations: [operation], members: [member], host: 'shop.example' }
  const bytes = (seed: number) =>
    Array.from({ length: 50 }, (_, number) =>
      wireBytes(growRequest(new Random(seed, number), ground)).toString('latin1'),
    )
  assert.deepEqual(bytes(7), bytes(7))
  assert.notDeepEqual(bytes(7), bytes(8))
})
