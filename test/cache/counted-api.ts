import { inject } from '../../src/container/container.js'
import { RecordStore } from '../../src/content/record-store.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'

/** How often each handler ran, and what the slow one waits for. */
export class Runs {
  #counts = new Map<string, number>()
  gate: Promise<void> = Promise.resolve()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  count(name: string): void {
    this.#counts.set(name, this.of(name) + 1)
  }
}

const args = {
  page: { type: 'integer', default: 1, minimum: 1 },
  size: { type: 'integer', default: 10 },
  word: { type: 'string' },
} as const

/** Headers with which a handler says that a response is for one caller only. */
export const sayings: Readonly<Record<string, readonly [name: string, value: string]>> = {
  'no-cache': ['Cache-Control', 'no-cache'],
  'no-store': ['Cache-Control', 'max-age=0, No-Store'],
  private: ['Cache-Control', 'private'],
  vary: ['Vary', '*'],
  nonce: ['X-WP-Nonce', '0123456789'],
}

/** Cached routes that count how often they are really asked. */
export class CountedApi {
  constructor(
    private readonly records = inject(RecordStore),
    private readonly runs = inject(Runs),
  ) {}

  @AsRestRoute({ namespace: 'test/v1', route: '/list', permission: 'public', cache: 60 })
  @AsRestRoute({ namespace: 'test/v1', route: '/anew', permission: 'public' })
  async list() {
    this.runs.count('list')
    const records = await this.records.list({ type: 'post' })
    return new RestResponse(records.map(({ title }) => title))
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/in/(?P<category>[a-z]+)', permission: 'public', cache: 60 })
  async inCategory(request: RestRequest<{ category: string }>) {
    this.runs.count('inCategory')
    return new RestResponse(await this.records.count({ type: 'post', category: request.get_param('category') }))
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/one/(?P<id>\\d+)', permission: 'public', cache: 60 })
  async one(request: RestRequest<{ id: string }>) {
    this.runs.count('one')
    const record = await this.records.get(Number(request.get_param('id')))
    return new RestResponse(record && { title: record.title }, record ? 200 : 404)
  }

  /** Not an error where there is none: this response is kept as well. */
  @AsRestRoute({ namespace: 'test/v1', route: '/title/(?P<id>\\d+)', permission: 'public', cache: 60 })
  async title(request: RestRequest<{ id: string }>) {
    this.runs.count('title')
    const record = await this.records.get(Number(request.get_param('id')))
    return new RestResponse(record ? record.title : 'nothing yet')
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/slow', permission: 'public', cache: 60 })
  async slow() {
    this.runs.count('slow')
    const count = await this.records.count({ type: 'post' })
    await this.runs.gate
    return new RestResponse({ count })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/named/(?P<name>[^/]+)', permission: 'public', cache: 60 })
  named(request: RestRequest<{ name: string }>) {
    this.runs.count('named')
    return new RestResponse(request.get_param('name'))
  }

  /** Tells everything that a handler can learn from a request. */
  @AsRestRoute({ namespace: 'test/v1', route: '/echo', permission: 'public', cache: 60, args })
  echo(request: RestRequest) {
    this.runs.count('echo')
    const { headers, address, route, method } = request
    const query = request.get_query_params()
    return new RestResponse({ headers: { ...headers }, address, route, method, query, all: request.get_params() })
  }

  @AsRestRoute({
    namespace: 'test/v1',
    route: '/typed/(?P<id>\\d+)',
    permission: 'public',
    cache: 60,
    args: { id: { type: 'integer' } },
  })
  typed(request: RestRequest<{ id: number }>) {
    this.runs.count('typed')
    return new RestResponse(request.get_param('id'))
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/pages', permission: 'public', cache: { seconds: 60, tags: ['page'] } })
  async pages() {
    this.runs.count('pages')
    return new RestResponse(await this.records.count({ type: 'post' }))
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/text/(?P<size>\\d+)', permission: 'public', cache: 60 })
  text(request: RestRequest<{ size: string }>) {
    this.runs.count('text')
    return new RestResponse('x'.repeat(Number(request.get_param('size'))))
  }

  @AsRestRoute({
    namespace: 'test/v1',
    route: '/greeting',
    permission: 'public',
    cache: 60,
    args: { _locale: { type: 'string', default: 'en' } },
  })
  greeting(request: RestRequest<{ _locale: string }>) {
    return new RestResponse(`Hello in ${request.get_param('_locale')}`)
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/own', permission: 'public', cache: 60 })
  own() {
    this.runs.count('own')
    return new RestResponse({}, 200, { 'Set-Cookie': `visit=${this.runs.of('own')}` })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/kept-by-nobody/(?P<says>[a-z-]+)', permission: 'public', cache: 60 })
  keptByNobody(request: RestRequest<{ says: string }>) {
    this.runs.count('keptByNobody')
    const [name, value] = sayings[request.get_param('says')] ?? ['X-Says', 'nothing']
    return new RestResponse(this.runs.of('keptByNobody'), 200, { [name]: value })
  }

  @AsRestRoute({ namespace: 'test/v1', route: '/broken', permission: 'public', cache: 60 })
  async broken(): Promise<RestResponse> {
    this.runs.count('broken')
    await this.runs.gate
    throw new Error('broken')
  }
}
