import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  AsRestRoute,
  boot,
  currentUserCan,
  endpoint,
  inject,
  RecordStore,
  RestError,
  RestResponse,
  restNamespace,
  route,
  type RestRequest,
} from '../../src/index.js'
import { openService } from './open-service.js'
import { temporaryDatabase } from '../support/test-database.js'
import { withoutResponseCache } from '../support/response-cache.js'

class Counter {
  #count = 0
  next(): number {
    return (this.#count += 1)
  }
}

const show = endpoint(
  { namespace: 'shop/v1', route: '/products/(?P<id>[^/]+)', permission: 'public' },
  function showProduct(request) {
    return { id: request.get_param('id'), number: request.pathId('id') }
  },
)

const save = endpoint(
  {
    namespace: 'shop/v1',
    route: '/products',
    method: 'POST',
    permission: () => currentUserCan('edit_posts'),
    args: { title: { type: 'string', required: true, minLength: 2 } },
    dependencies: { records: RecordStore },
    allow_batch: true,
  },
  async (request, { records }) => {
    const { id } = await records.insert({ type: 'post', title: request.get_param('title'), status: 'publish' })
    return new RestResponse({ id }, 201)
  },
)

const titles = endpoint(
  { namespace: 'shop/v1', route: '/titles', permission: 'public', cache: 60, dependencies: { records: RecordStore } },
  async (_request, { records }) => (await records.list({ type: 'post' })).map(({ title }) => title),
)

const shared = route({ namespace: 'shop/v1', route: '/shared', permission: 'public' })
const count = endpoint({ ...shared, dependencies: { counter: Counter } }, (_request, { counter }) => counter.next())

const plain = restNamespace('plain/v1')
const values: readonly (readonly [name: string, value: unknown])[] = [
  ['null', null],
  ['text', 'hello'],
  ['zero', 0],
  ['false', false],
  ['list', [1, { two: 2 }]],
  ['map', { a: { b: null } }],
  ['date', new Date(0)],
]
const plainValues = values.map(([name, value]) =>
  plain.endpoint({ route: `/${name}`, permission: 'public' }, () => value),
)
const later = plain.endpoint({ route: '/later', permission: 'public' }, async () => ({ later: true }))
const refused = plain.endpoint({ route: '/refused', permission: 'public' }, () => {
  throw new RestError('gone', 'It is gone.', { status: 410 })
})
const twoCallbacks: string[] = []
const countingPermission = (request: RestRequest) => {
  twoCallbacks.push(request.route)
  return request.pathId('id') === 7
}
const guardedGet = plain.endpoint({ route: '/guarded/(?P<id>\\d+)', permission: countingPermission }, () => 'read')
const guardedPut = plain.endpoint(
  { route: '/guarded/(?P<id>\\d+)', method: 'PUT', permission: countingPermission },
  () => 'written',
)

class NotesApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @plain.AsRestRoute({ route: '/notes/(?P<id>\\d+)', permission: 'public' })
  async show(request: RestRequest<{ id: string }>) {
    const record = await this.records.get(request.pathId('id'))
    return record === null ? new RestResponse(null, 404) : { title: record.title }
  }

  @AsRestRoute({
    namespace: 'other/v1',
    route: '/id/(?P<id>\\d+)',
    permission: 'public',
    args: { id: { type: 'integer' } },
  })
  id(request: RestRequest<{ id: number }>) {
    return [request.pathId('id'), request.get_param('id')]
  }
}

const sources = [show, save, titles, count, ...plainValues, later, refused, guardedGet, guardedPut, NotesApi]
const site = await openService(sources)
after(() => site.close())

test('an endpoint reads its path parameter as text and as the id of a record', async () => {
  assert.deepEqual((await site.call('GET', '/shop/v1/products/12')).body, { id: '12', number: 12 })
})

const ids: readonly (readonly [text: string, id: number])[] = [
  ['0', 0],
  ['007', 7],
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 0],
  ['99999999999999999999', 0],
  ['1e3', 0],
  ['-4', 0],
  ['4.0', 0],
  ['0x10', 0],
  ['%204', 0],
  ['NaN', 0],
]
for (const [text, id] of ids)
  test(`the id in the path /products/${text} is ${id}`, async () => {
    const { body } = await site.call('GET', `/shop/v1/products/${text}?id=5`)
    assert.equal((body as { number: number }).number, id)
  })

test('an id is read from the path only, also where the argument is declared as an integer', async () => {
  assert.deepEqual((await site.call('GET', '/other/v1/id/5?id=6')).body, [5, 5])
})

test('reading an id leaves the description of the route as it was', async () => {
  const { body } = await site.call('OPTIONS', '/shop/v1/products/1')
  const { endpoints } = body as { endpoints: { args: unknown }[] }
  // WordPress writes an empty map as a list.
  assert.deepEqual(endpoints[0]?.args, [])
})

test('a permission function closes an endpoint to visitors and opens it to an editor', async () => {
  const visitor = await site.call('POST', '/shop/v1/products', { json: { title: 'Lamp' } })
  assert.deepEqual([visitor.status, (visitor.body as { code: string }).code], [401, 'rest_forbidden'])
  const editor = await site.join('ed', 'editor')
  const created = await site.call('POST', '/shop/v1/products', { as: editor.headers, json: { title: 'Lamp' } })
  assert.equal(created.status, 201)
  const refusal = await site.call('POST', '/shop/v1/products', { as: editor.headers, json: { title: 'L' } })
  assert.deepEqual([refusal.status, (refusal.body as { code: string }).code], [400, 'rest_invalid_param'])
  const { id } = created.body as { id: number }
  assert.deepEqual((await site.call('GET', `/plain/v1/notes/${id}`)).body, { title: 'Lamp' })
  assert.deepEqual((await site.call('GET', '/plain/v1/notes/999')).status, 404)
})

test('a batch carries requests to an endpoint that allows it', async () => {
  const author = await site.join('ann', 'author')
  const json = { requests: [{ path: '/shop/v1/products', body: { title: 'Chair' } }, { path: '/plain/v1/later' }] }
  const { body } = await site.call('POST', '/batch/v1', { as: author.headers, json })
  const { responses } = body as { responses: { status: number }[] }
  assert.deepEqual(
    responses.map(({ status }) => status),
    [201, 404],
  )
})

test('a cached endpoint answers from the cache until a record is written', { skip: withoutResponseCache }, async () => {
  const before = await site.call('GET', '/shop/v1/titles')
  assert.equal(before.headers.get('cache-control'), 'public, max-age=60')
  await site.service.records.insert({ type: 'post', title: 'Newest', status: 'publish' })
  const titlesNow = (await site.call('GET', '/shop/v1/titles')).body as string[]
  assert.equal(titlesNow.length, (before.body as string[]).length + 1)
})

test('a dependency is built once for the service', async () => {
  const first = (await site.call('GET', '/shop/v1/shared')).body
  assert.deepEqual([first, (await site.call('GET', '/shop/v1/shared')).body], [1, 2])
})

for (const [name, value] of values)
  test(`a handler that returns the plain value '${name}' answers 200`, async () => {
    const response = await fetch(`${site.root}plain/v1/${name}`)
    const text = await response.text()
    assert.deepEqual([response.status, text], [200, value === null ? '' : JSON.stringify(value)])
  })

test('a promise of a plain value answers 200, and a thrown RestError its own status', async () => {
  assert.deepEqual((await site.call('GET', '/plain/v1/later')).body, { later: true })
  assert.equal((await site.call('GET', '/plain/v1/refused')).status, 410)
})

test('endpoints of one route with the same permission function ask it once in a request', async () => {
  twoCallbacks.length = 0
  const response = await site.call('GET', '/plain/v1/guarded/7')
  assert.deepEqual([response.status, response.body], [200, 'read'])
  assert.equal(response.headers.get('allow'), 'GET, PUT')
  assert.equal(twoCallbacks.length, 1)
})

test('service.routes names an endpoint by its export, by its function, or says that it has neither', () => {
  const named = site.service.routes.map(({ handler, route: path }) => [handler, path])
  assert.deepEqual(named[0], ['showProduct', '/products/(?P<id>[^/]+)'])
  assert.deepEqual(named[1], ['(an endpoint)', '/products'])
})

test('boot finds exported endpoints in a folder, in the order of the source', async () => {
  const folder = new URL('../fixtures/start/sound-endpoints/', import.meta.url)
  const service = await boot(folder, { database: await temporaryDatabase() })
  assert.deepEqual(
    service.routes.map(({ handler, method, namespace, route: path }) => [handler, `${method} ${namespace}${path}`]),
    [
      ['zebra', 'GET shop/v1/first'],
      ['Api.list', 'GET shop/v1/second'],
      ['ant', 'GET shop/v1/third'],
      ['(an endpoint)', 'GET shop/v1/fourth'],
    ],
  )
  for (const { place } of service.routes) assert.match(place?.file ?? '', /sound-endpoints\/endpoints\.ts$/)
  assert.deepEqual(
    service.routes.map(({ place }) => place?.line),
    [5, 8, 14, 16],
  )
  await service.close()
})
