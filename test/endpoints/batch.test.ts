import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { AsRestRoute, RestResponse, type RestRequest } from '../../src/index.js'
import { LibraryApi } from './library-api.js'
import { openService } from './open-service.js'

const library = new LibraryApi()

/** The class that the service builds, with the books of this test. */
class TestLibraryApi extends LibraryApi {
  override readonly books = library.books
}

/** Tells what was done before. */
class Turns {
  static readonly seen: string[] = []

  @AsRestRoute({ namespace: 'turns/v1', route: '/slow', method: 'POST', permission: 'public', allow_batch: true })
  async slow() {
    Turns.seen.push('slow begins')
    const seen = [...Turns.seen]
    await new Promise((resolve) => setTimeout(resolve, 50))
    Turns.seen.push('slow ends')
    return new RestResponse({ seen })
  }

  @AsRestRoute({ namespace: 'turns/v1', route: '/quick', method: 'POST', permission: 'public', allow_batch: true })
  quick() {
    Turns.seen.push('quick')
    return new RestResponse({ seen: Turns.seen })
  }

  @AsRestRoute({ namespace: 'turns/v1', route: '/full', method: 'POST', permission: 'public', allow_batch: true })
  full(request: RestRequest) {
    for (let count = 0; count <= 1_000; count += 1) request.defer(() => Promise.resolve())
    return new RestResponse(null)
  }

  @AsRestRoute({ namespace: 'turns/v1', route: '/request', method: 'POST', permission: 'public', allow_batch: true })
  request(request: RestRequest) {
    return new RestResponse({ title: request.route, header: request.get_header('X-Many'), query: request.get_params() })
  }
}

const faults: object[] = []
const log = { info() {}, warn() {}, error: (fields: object) => void faults.push(fields) }
const site = await openService([TestLibraryApi, Turns], { log })
after(() => site.close())
const mia = await site.join('mia', 'editor')
const initial = Array.from(library.books)
beforeEach(() => library.books.splice(0, Infinity, ...initial))

interface Envelope {
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Record<string, string> | []
}

async function batch(requests: readonly unknown[], { as = mia.headers, validation = 'normal' } = {}) {
  const { status, body } = await site.call('POST', '/batch/v1', { as, json: { validation, requests } })
  const { failed, responses = [] } = body as { failed?: string; responses?: (Envelope | null)[] }
  return { status, body, failed, responses }
}

const outcomes = (responses: readonly (Envelope | null)[]) =>
  responses.map(
    (response) => response && [response.status, response.body?.['code'] ?? response.body?.['title'] ?? null],
  )

const add = (title: string, more: object = {}) => ({ path: '/library/v1/books', body: { title, ...more } })

test('each request begins when the one before it has come to its end', async () => {
  for (const validation of ['normal', 'require-all-validate']) {
    const { responses } = await batch([{ path: '/turns/v1/slow' }, { path: '/turns/v1/quick' }], { validation })
    assert.deepEqual(
      responses.map((response) => response?.body['seen']),
      [['slow begins'], ['slow begins', 'slow ends', 'quick']],
    )
    Turns.seen.length = 0
  }
})

test('requests have a response each, with an envelope of its own', async () => {
  const { status, responses } = await batch([
    add('One', { author: '4', tags: ['a', 'b'], details: { pages: '12', other: { deep: [1, true, null] } } }),
    { path: '/library/v1/books?title=Two', method: 'POST' },
    { path: '/library/v1/books/6', method: 'DELETE' },
    { path: '/library/v1/books?_fields=title', method: 'POST', body: { title: 'Three' } },
  ])
  assert.equal(status, 207)
  assert.deepEqual(outcomes(responses), [
    [201, 'One'],
    [201, 'Two'],
    [204, null],
    [201, 'Three'],
  ])
  const [first, , third, fourth] = responses
  const { _links, ...one } = (first?.body ?? {}) as { _links: { self: object[] } }
  const details = { pages: 12, other: { deep: [1, true, null] } }
  assert.deepEqual(one, { id: 6, title: 'One', author: 4, tags: ['a', 'b'], details })
  assert.deepEqual(_links.self, [
    { href: `${site.root}library/v1/books/6`, targetHints: { allow: ['GET', 'PUT', 'PATCH', 'DELETE'] } },
  ])
  assert.deepEqual(first?.headers, { Allow: 'GET, POST' })
  assert.deepEqual([third?.body, third?.headers], [null, { Allow: 'GET, PUT, PATCH, DELETE' }])
  assert.deepEqual(Object.keys(fourth?.body ?? {}), ['title', '_links'])
  assert.equal(library.books.length, 7)
})

const bad = [
  add('Good'),
  { path: '/library/v1/books', body: {} },
  { path: '/library/v1/books', body: { title: 'x', author: 'x' } },
  { path: '/library/v1/closed' },
  { path: '/library/v1/nowhere' },
  { path: 'library/v1/books', body: { title: 'x' } },
  { path: 'http://127.0.0.1:99999:x' },
  { path: '/batch/v1', body: { requests: [] } },
]

const badOutcomes = [
  [400, 'rest_missing_callback_param'],
  [400, 'rest_invalid_param'],
  [400, 'rest_batch_not_allowed'],
  [404, 'rest_no_route'],
  [404, 'rest_no_route'],
  [400, 'parse_path_failed'],
  [400, 'rest_batch_not_allowed'],
]

test('an error in one request does not stop the others', async () => {
  const { responses } = await batch([...bad, add('Last')])
  assert.deepEqual(outcomes(responses), [[201, 'Good'], ...badOutcomes, [201, 'Last']])
  assert.deepEqual(responses[1]?.headers, { Allow: 'GET, POST' })
  assert.deepEqual(responses[4]?.headers, [])
})

const paths: [path: string, status: number, outcome: string][] = [
  ['/turns/v1/request', 200, '/turns/v1/request'],
  ['https://shop.example/turns/v1/request?a=1', 200, '/turns/v1/request'],
  ['shop:/turns/v1/request', 200, '/turns/v1/request'],
  ['shop.example:80/turns/v1/request', 200, '/turns/v1/request'],
  ['', 404, 'rest_no_route'],
  ['?a=1', 404, 'rest_no_route'],
  [':/turns/v1/request', 404, 'rest_no_route'],
  ['":"/turns/v1/request', 404, 'rest_no_route'],
  [':', 400, 'parse_path_failed'],
  [':80/turns/v1/request', 400, 'parse_path_failed'],
  ['///turns/v1/request', 400, 'parse_path_failed'],
  ['//:80/turns/v1/request', 400, 'parse_path_failed'],
]

test('the path of a request is read as PHP reads URLs', async () => {
  const { responses } = await batch(paths.map(([path]) => ({ path })))
  assert.deepEqual(
    outcomes(responses),
    paths.map(([, status, outcome]) => [status, outcome]),
  )
})

test('the values of a header are joined with a comma, and the query `0` is none', async () => {
  const headers = { 'X-Many': ['a', 'b'] }
  const { responses } = await batch([
    { path: '/turns/v1/request?a=1', headers },
    { path: '/turns/v1/request?0', headers },
  ])
  assert.deepEqual(
    responses.map((response) => [response?.body['header'], response?.body['query']]),
    [
      ['a,b', { a: '1' }],
      ['a,b', {}],
    ],
  )
})

test('with require-all-validate an error stops all of them before the first', async () => {
  const { status, failed, responses } = await batch(bad, { validation: 'require-all-validate' })
  assert.deepEqual([status, failed], [207, 'validation'])
  assert.deepEqual(outcomes(responses), [null, ...badOutcomes])
  assert.deepEqual(responses[1]?.headers, [])
  assert.equal(library.books.length, initial.length)
})

test('with require-all-validate and no error, all of them run', async () => {
  const { failed, responses } = await batch([add('One'), add('Two')], { validation: 'require-all-validate' })
  assert.equal(failed, undefined)
  assert.deepEqual(outcomes(responses), [
    [201, 'One'],
    [201, 'Two'],
  ])
})

test('an error in one request is a 500 in its place, is logged, and the others are answered', async () => {
  faults.length = 0
  const { status, responses } = await batch([add('Before'), add('explode'), add('After')])
  assert.equal(status, 207)
  assert.deepEqual(outcomes(responses), [
    [201, 'Before'],
    [500, 'internal_server_error'],
    [201, 'After'],
  ])
  assert.doesNotMatch(JSON.stringify(responses), /shelf/)
  const [fault] = faults as { err: Error; requestId: string; route: string }[]
  assert.equal(faults.length, 1)
  assert.deepEqual([fault?.err.message, fault?.route], ['the shelf broke', '/library/v1/books'])
  assert.match(fault?.requestId ?? '', /^\w+-\w+$/)
})

test('a request that meets a full queue is a 503 with Retry-After in its place, with one log line for all of them', async () => {
  faults.length = 0
  const full = { path: '/turns/v1/full' }
  const { status, responses } = await batch([full, full, { path: '/turns/v1/quick' }])
  assert.equal(status, 207)
  assert.deepEqual(
    responses.map((item) => [
      item?.status,
      item?.body['code'],
      (item?.headers as Record<string, string> | undefined)?.['Retry-After'],
    ]),
    [
      [503, 'service_unavailable', '10'],
      [503, 'service_unavailable', '10'],
      [200, undefined, undefined],
    ],
  )
  assert.equal(faults.length, 1)
})

test('each request is answered for the caller of the batch, whatever its headers say', async () => {
  const request = { ...add('One'), headers: { Authorization: mia.headers['Authorization'], 'X-Many': ['a', 'b'] } }
  assert.deepEqual(outcomes((await batch([request], { as: {} })).responses), [[401, 'rest_forbidden']])
  const ben = await site.join('ben', 'subscriber')
  assert.deepEqual(outcomes((await batch([request], { as: ben.headers })).responses), [[403, 'rest_forbidden']])
  assert.equal(library.books.length, initial.length)
})

const refusals: [json: unknown, message: string | null][] = [
  [{}, null],
  [{ requests: Array(26).fill(add('x')) }, 'requests must contain at most 25 items.'],
  [{ requests: [{ path: '/x', method: 'GET' }] }, 'requests[0][method] is not one of POST, PUT, PATCH, and DELETE.'],
  [{ requests: [{}] }, 'path is a required property of requests[0].'],
  [{ requests: [{ path: '/x', body: 'x' }] }, 'requests[0][body] is not of type object.'],
  [{ requests: [], validation: 'maybe' }, 'validation is not one of require-all-validate and normal.'],
]

for (const [json, message] of refusals)
  test(`a batch of ${JSON.stringify(json).slice(0, 60)} is refused as a whole`, async () => {
    const { status, body } = await site.call('POST', '/batch/v1', { as: mia.headers, json })
    assert.equal(status, 400)
    const { data } = body as { data: { params: Record<string, string> } }
    if (message !== null) assert.deepEqual(Object.values(data.params), [message])
  })

test('25 requests are allowed, none as well; GET is not', async () => {
  assert.equal((await batch(Array(25).fill(add('x')))).responses.length, 25)
  assert.deepEqual((await batch([])).body, { responses: [] })
  assert.equal((await site.call('GET', '/batch/v1')).status, 404)
})

test('a query with too many parameters is refused, not cut', async () => {
  const path = `/library/v1/books?${Array.from({ length: 1001 }, (_, index) => `p${index}=1`).join('&')}`
  const { responses } = await batch([{ path, body: { title: 'x' } }])
  assert.deepEqual(outcomes(responses), [[400, 'rest_too_many_params']])
})

test('names of ordinary objects are names like others', async () => {
  const json =
    '{"requests":[{"path":"/library/v1/books","body":{"title":"x","__proto__":{"author":7},"constructor":1}}]}'
  const response = await fetch(`${site.root}batch/v1`, {
    method: 'POST',
    headers: { ...mia.headers, 'Content-Type': 'application/json' },
    body: json,
  })
  const { responses } = (await response.json()) as { responses: Envelope[] }
  assert.deepEqual([responses[0]?.status, responses[0]?.body['author']], [201, 1])
  assert.equal(({} as { author?: number }).author, undefined)
})

test('the route describes itself with an empty namespace, and empty maps as lists', async () => {
  const { body } = await site.call('OPTIONS', '/batch/v1', { as: mia.headers })
  const { namespace, endpoints } = body as { namespace: string; endpoints: Description[] }
  assert.equal(namespace, '')
  const { properties } = endpoints[0]?.args['requests']?.items ?? {}
  assert.deepEqual(properties?.['body'], { type: 'object', properties: [], additionalProperties: true })
})

interface Description {
  readonly args: Record<string, { readonly items?: { readonly properties: Record<string, object> } }>
}
