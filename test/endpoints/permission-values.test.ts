import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as fc from 'fast-check'
import { AsRestRoute, inject, RecordStore, RestResponse, type RestRequest } from '../../src/index.js'
import { openService } from './open-service.js'

/** A value that a permission callback was shown, and whether its declaration allows it. */
interface Sight {
  readonly name: string
  readonly value: unknown
  readonly fits: boolean
}
const sights: Sight[] = []

const isText = (value: unknown) => typeof value === 'string'
const isListOfIntegers = (value: unknown) => Array.isArray(value) && value.every(Number.isInteger)
const isBoolean = (value: unknown) => typeof value === 'boolean'
const isFruit = (value: unknown) => value === 'apple' || value === 'pear'

type Rules = Readonly<Record<string, (value: unknown) => boolean>>

/** Reads a request in every way there is. An absent value is null or undefined. */
function readEverything(request: RestRequest, rules: Rules): void {
  const sources: [string, () => unknown][] = [
    ['get_params', () => request.get_params()],
    ['get_url_params', () => request.get_url_params()],
    ['get_query_params', () => request.get_query_params()],
    ['get_body_params', () => request.get_body_params()],
    ['get_json_params', () => request.get_json_params()],
    ['get_default_params', () => request.get_default_params()],
  ]
  // An error of one way to read does not keep the callback from trying the next.
  const read = (way: string, name: string, value: () => unknown) => {
    try {
      const seen = value()
      sights.push({ name: `${name} by ${way}`, value: seen, fits: seen == null || (rules[name]?.(seen) ?? true) })
    } catch {
      // It was not shown.
    }
  }
  for (const name of Object.keys(rules)) read('get_param', name, () => request.get_param(name))
  for (const [way, getSource] of sources)
    for (const name of Object.keys(rules)) {
      // A source may say anything of a name in the path; the path counts.
      if (name === 'key' && way !== 'get_params' && way !== 'get_url_params') continue
      read(way, name, () => {
        const values = getSource()
        return typeof values === 'object' && values !== null && !Array.isArray(values)
          ? (values as Record<string, unknown>)[name]
          : null
      })
    }
}

const shared = { namespace: 'test/v1', route: '/things(?:/(?P<key>[a-z]+))?' } as const
const text = { type: 'string' } as const

class ThingsApi {
  constructor(private readonly records = inject(RecordStore)) {}

  @AsRestRoute({
    ...shared,
    permission: 'maySee',
    args: { slug: text, page: { type: 'integer', minimum: 1, default: 1 } },
  })
  @AsRestRoute({
    ...shared,
    method: 'POST',
    permission: 'mayAdd',
    args: { slug: { ...text, required: true }, fruit: { ...text, enum: ['apple', 'pear'] } },
  })
  @AsRestRoute({
    ...shared,
    method: 'PUT',
    permission: 'mayEdit',
    args: { slug: { type: 'array', items: { type: 'integer' } }, page: text },
  })
  @AsRestRoute({ ...shared, method: 'DELETE', permission: 'mayDelete', args: { slug: { type: 'boolean' } } })
  @AsRestRoute({ ...shared, method: 'PATCH', permission: 'mayChange' })
  respond() {
    return new RestResponse({})
  }

  async maySee(request: RestRequest<{ key: string | null; slug: string | null; page: number }>) {
    readEverything(request as RestRequest, { key: isText, slug: isText, page: Number.isInteger })
    return (await this.records.list({ slug: request.get_param('slug'), page: request.get_param('page') })).length === 0
  }

  async mayAdd(request: RestRequest<{ key: string | null; slug: string; fruit: 'apple' | 'pear' | null }>) {
    await Promise.resolve()
    readEverything(request as RestRequest, { key: isText, slug: isText, fruit: isFruit })
    await this.records.list({ slug: request.get_param('slug') })
    return true
  }

  mayEdit(request: RestRequest<{ key: string | null; slug: number[] | null; page: string | null }>) {
    readEverything(request as RestRequest, { key: isText, slug: isListOfIntegers, page: isText })
    return true
  }

  mayDelete(request: RestRequest<{ key: string | null; slug: boolean | null }>) {
    readEverything(request as RestRequest, { key: isText, slug: isBoolean })
    return true
  }

  mayChange(request: RestRequest<{ key: string | null }>) {
    readEverything(request as RestRequest, { key: isText })
    return true
  }
}

const service = await openService([ThingsApi])
after(() => service.close())

/** Node's `fetch` sends no body with GET and HEAD. */
async function send(method: string, path: string, json: unknown): Promise<{ status: number; allow: string | null }> {
  const { request } = await import('node:http')
  return new Promise((resolve, reject) => {
    const body = JSON.stringify(json)
    const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
    const sent = request(`${service.root}test/v1${path}`, { method, headers }, (response) => {
      response.resume()
      const { statusCode = 0, headers: received } = response
      response.on('end', () => resolve({ status: statusCode, allow: received.allow ?? null }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const methods = ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

for (const method of methods)
  test(`${method} with a boolean for a text leaves the service running`, async () => {
    sights.length = 0
    await send(method, '/things', { slug: true })
    assert.deepEqual(
      sights.filter(({ fits }) => !fits),
      [],
    )
    assert.equal((await send('GET', '/things', {})).status, 200)
  })

const json = fc.oneof(
  fc.constantFrom(true, false, null, 0, 1, -1, 1.5, '', '5', 'apple', 'true', [], [1, '2'], ['x'], {}, { a: 1 }),
  fc.jsonValue({ maxDepth: 2 }),
)
const body = fc.record({ slug: json, page: json, fruit: json, key: json }, { requiredKeys: [] })
const query = fc.constantFrom(
  '',
  '?slug=a',
  '?slug[]=1',
  '?page=0',
  '?page=2&slug=1',
  '?fruit[a]=b',
  '?key[]=1',
  '?_method=DELETE',
)

test('a permission callback sees no value that its declaration excludes, whatever is sent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...methods),
      fc.constantFrom('', '/abc'),
      query,
      fc.oneof(body, json),
      async (...sent) => {
        const [method, key, search, values] = sent
        sights.length = 0
        const { status } = await send(method, `/things${key}${search}`, values)
        assert.ok([200, 400, 401].includes(status), `${status}`)
        assert.deepEqual(
          sights.filter(({ fits }) => !fits),
          [],
        )
      },
    ),
    { numRuns: 500 },
  )
})

let calls: string[] = []

class AllowApi {
  @AsRestRoute({ namespace: 'test/v1', route: '/pages', permission: 'public', args: { size: { type: 'integer' } } })
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/pages',
    method: 'POST',
    permission: 'small',
    args: { size: { type: 'integer' } },
  })
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/pages',
    method: 'PUT',
    permission: 'blind',
    args: { size: { type: 'integer' } },
  })
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/pages',
    method: 'PATCH',
    permission: 'stubborn',
    args: { size: { type: 'integer' } },
  })
  @AsRestRoute({ namespace: 'test/v1', route: '/pages', method: 'DELETE', permission: 'raw' })
  pages() {
    return new RestResponse({})
  }

  small(request: RestRequest<{ size: number | null }>) {
    calls.push(`small ${JSON.stringify(request.get_param('size'))}`)
    return true
  }

  blind() {
    calls.push('blind')
    return true
  }

  stubborn(request: RestRequest<{ size: number | null }>) {
    try {
      calls.push(`stubborn ${JSON.stringify(request.get_param('size'))}`)
    } catch {
      calls.push('stubborn caught')
    }
    return true
  }

  /** `size` is not declared for its method. */
  raw(request: RestRequest) {
    calls.push(`raw ${JSON.stringify(request.get_param('size'))}`)
    return true
  }

  @AsRestRoute({
    namespace: 'test/v1',
    route: '/shared',
    method: 'POST',
    permission: 'either',
    args: { size: { type: 'integer' } },
  })
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/shared',
    method: 'PUT',
    permission: 'either',
    args: { size: { type: 'string' } },
  })
  @AsRestRoute({
    namespace: 'test/v1',
    route: '/shared',
    method: 'PATCH',
    permission: 'either',
    args: { size: { type: 'string' } },
  })
  shared() {
    return new RestResponse({})
  }

  async either(request: RestRequest<{ size: number | string | null }>) {
    await Promise.resolve()
    calls.push(`either ${JSON.stringify(request.get_param('size'))}`)
    return true
  }

  @AsRestRoute({
    namespace: 'test/v1',
    route: '/lists',
    method: 'POST',
    permission: 'listed',
    args: { ids: { type: 'string', sanitize_callback: 'wp_parse_id_list' } },
  })
  async lists(): Promise<RestResponse> {
    await this.records.insert({ title: 'A note' })
    return new RestResponse({}, 201)
  }

  listed(request: RestRequest) {
    const ids = request.get_param('ids')
    calls.push(`listed ${JSON.stringify(ids)}`)
    return Array.isArray(ids) && ids[0] === 7
  }

  constructor(private readonly records = inject(RecordStore)) {}
}

const allowing = await openService([AllowApi])
after(() => allowing.close())

const allowed: [method: string, path: string, status: number, allow: string | null, calls: string[]][] = [
  // The value is sanitised for the sibling's callback as for its handler.
  ['GET', '/pages?size=5', 200, 'GET, POST, PUT, PATCH, DELETE', ['small 5', 'blind', 'stubborn 5', 'raw 5']],
  ['OPTIONS', '/pages?size=5', 200, 'GET, POST, PUT, PATCH, DELETE', ['small 5', 'blind', 'stubborn 5', 'raw "5"']],
  ['OPTIONS', '/pages', 200, 'GET, POST, PUT, PATCH, DELETE', ['small null', 'blind', 'stubborn null', 'raw null']],
  // A callback that does not read the value runs as before; one that catches the error does not admit.
  ['OPTIONS', '/pages?size=x', 200, 'GET, PUT, DELETE', ['blind', 'stubborn caught', 'raw "x"']],
  ['GET', '/pages?size=x', 400, 'GET, PUT, DELETE', ['blind', 'stubborn caught', 'raw "x"']],
  // A shared callback that a value ended under one declaration runs under another that allows the value, once for both.
  ['OPTIONS', '/shared?size=x', 200, 'PUT, PATCH', ['either "x"']],
  ['OPTIONS', '/shared', 200, 'POST, PUT, PATCH', ['either null']],
  ['POST', '/shared?size=x', 400, 'PUT, PATCH', ['either "x"']],
  // After a write the callback is asked again, and reads what its handler has read.
  ['POST', '/lists?ids=7,8', 201, 'POST', ['listed [7,8]', 'listed [7,8]']],
]
for (const [method, path, status, allow, callbacks] of allowed)
  test(`${method} ${path} asks ${callbacks.join(', ')}`, async () => {
    calls = []
    const answered = await allowing.call(method, `/test/v1${path}`)
    assert.deepEqual([answered.status, answered.headers.get('allow'), calls], [status, allow, callbacks])
  })

test('an item of a batch that is refused shows no excluded value to a callback', async () => {
  calls = []
  const requests = [{ path: '/test/v1/pages', method: 'PUT', body: { size: true } }]
  await allowing.call('POST', '/batch/v1', { json: { requests } })
  assert.deepEqual(calls, ['blind', 'stubborn caught', 'raw true'])
})
