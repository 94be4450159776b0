// What reaches the handler, as the compiler sees it. Compiled by every TypeScript that `types.test.ts` knows.
import {
  AsRestRoute,
  currentUserCan,
  defineConfig,
  endpoint,
  RecordStore,
  RestError,
  RestResponse,
  restNamespace,
  route,
  type RequestOf,
  type RestRequest,
} from 'as-rest-route'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = { [Name in keyof T]: T[Name] }
/** What `get_param` gives, by name. */
type Read<R> = R extends RestRequest<infer P> ? Flat<P> : never
/** What `get_params` gives. */
type ReadAll<R> = R extends { get_params(): infer All } ? Flat<All> : never
const same = <_ extends true>() => {}

// Names of the path
const path = route({ namespace: 'shop/v1', route: '/a/(?P<id>\\d+)/(?P<slug>[a-z-]+)' })
same<Equal<Read<RequestOf<typeof path>>, { id: string; slug: string }>>()

const none = route({ namespace: 'shop/v1', route: '/a' })
same<Equal<Read<RequestOf<typeof none>>, {}>>()

const optional = route({ namespace: 'shop/v1', route: '/a/(?P<id>\\d+)(?:/(?P<page>\\d+))?' })
same<Equal<Read<RequestOf<typeof optional>>, { id: string; page: string | null }>>()

const nested = route({ namespace: 'shop/v1', route: '/(?P<year>\\d{4})(?:/(?P<month>\\d\\d)(?:/(?P<day>\\d\\d))?)?/x' })
same<Equal<Read<RequestOf<typeof nested>>, { year: string; month: string | null; day: string | null }>>()

const outer = route({ namespace: 'shop/v1', route: '/(?P<whole>(?P<part>[a-z])+)' })
same<Equal<Read<RequestOf<typeof outer>>, { whole: string; part: string }>>()

const alternatives = route({
  namespace: 'shop/v1',
  route: '/(?:by-id/(?P<id>\\d+)|by-name/(?P<name>\\w+))/(?P<part>a|b)',
})
same<Equal<Read<RequestOf<typeof alternatives>>, { id: string | null; name: string | null; part: string }>>()

const topLevel = route({ namespace: 'shop/v1', route: '/a/(?P<id>\\d+)|/b/(?P<slug>\\w+)' })
same<Equal<Read<RequestOf<typeof topLevel>>, { id: string | null; slug: string | null }>>()

const repeated = route({ namespace: 'shop/v1', route: '/(?P<a>x)*(?P<b>y){0,2}(?P<c>z){2}(?P<d>w)+' })
same<Equal<Read<RequestOf<typeof repeated>>, { a: string | null; b: string | null; c: string; d: string }>>()

const classes = route({ namespace: 'shop/v1', route: '/(?P<a>[]()|?]+)/(?P<b>[^]|)]?\\)?)/(?P<c>[[:alpha:])?|]+)' })
same<Equal<Read<RequestOf<typeof classes>>, { a: string; b: string; c: string }>>()

const spellings = route({ namespace: 'shop/v1', route: "/(?<a>\\d+)/(?'b'\\d+)(?=/)/(?P<c>\\d+)(?:/(?<d>x))?(?<=y)" })
same<Equal<Read<RequestOf<typeof spellings>>, { a: string; b: string; c: string; d: string | null }>>()

const typedPath = route({
  namespace: 'shop/v1',
  route: '/a/(?P<id>\\d+)(?:/(?P<page>\\d+))?(?:/(?P<size>\\d+))?(?:/(?P<note>\\w+))?',
  args: {
    id: { type: 'integer' },
    page: { type: 'integer', default: 1 },
    size: { type: 'integer' },
    note: { description: 'Says nothing about the value.' },
  },
})
same<Equal<Read<RequestOf<typeof typedPath>>, { id: number; page: number; size: number | null; note: string | null }>>()

// Types of the arguments
const values = route({
  namespace: 'shop/v1',
  route: '/values',
  args: {
    text: { type: 'string' },
    whole: { type: 'integer', required: true },
    part: { type: 'number', default: 0.5 },
    flag: { type: 'boolean', default: false },
    nothing: { type: 'string', default: null },
    several: { type: ['integer', 'string'], required: true },
    maybe: { type: ['integer', 'null'], required: true },
    free: {},
    freeButThere: { required: true },
    choice: { type: 'string', enum: ['date', 'title'], default: 'date' },
    numbers: { type: 'integer', enum: [1, 2, 3], required: true },
    mixed: { type: ['integer', 'string'], enum: [1, 'all', true], required: true },
    structures: { type: 'array', enum: [[1], [2]], required: true },
  },
})
same<
  Equal<
    Read<RequestOf<typeof values>>,
    {
      text: string | null
      whole: number
      part: number
      flag: boolean
      nothing: string | null
      several: string | number
      maybe: number | null
      free: unknown
      freeButThere: unknown
      choice: 'date' | 'title'
      numbers: 1 | 2 | 3
      mixed: 1 | 'all'
      structures: unknown[]
    }
  >
>()

const inside = route({
  namespace: 'shop/v1',
  route: '/inside',
  method: 'POST',
  args: {
    tags: { type: 'array', items: { type: 'string' }, default: ['new'] },
    matrix: { type: 'array', items: { type: 'array', items: { type: ['number', 'null'] } }, required: true },
    any: { type: 'array', required: true },
    box: {
      type: 'object',
      required: true,
      properties: {
        width: { type: 'number', required: true },
        height: { type: 'number' },
        color: { type: 'string', enum: ['red', 'blue'], required: true },
      },
    },
    listed: {
      type: 'object',
      required: ['width'],
      properties: { width: { type: 'number' }, height: { type: 'number', required: true } },
    },
    map: { type: 'object', required: true, additionalProperties: { type: 'integer' } },
    open: { type: 'object', required: true },
    closed: { type: 'object', required: true, additionalProperties: false },
    either: {
      type: 'array',
      required: true,
      items: { anyOf: [{ type: 'integer' }, { type: 'string', enum: ['all'] }] },
    },
    nullable: { type: ['object', 'null'], required: true, properties: { id: { type: 'integer', required: true } } },
  },
})
same<
  Equal<
    Read<RequestOf<typeof inside>>,
    {
      tags: string[]
      matrix: (number | null)[][]
      any: unknown[]
      box: { width: number; color: 'red' | 'blue'; height?: number }
      listed: { width: number; height?: number } | null
      map: Record<string, number>
      open: Record<string, unknown>
      closed: Record<string, never>
      either: (number | 'all')[]
      nullable: { id: number } | null
    }
  >
>()

declare const mapped: RequestOf<typeof half>
const half = route({
  namespace: 'shop/v1',
  route: '/half',
  args: {
    some: {
      type: 'object',
      required: true,
      properties: { id: { type: 'integer', required: true } },
      additionalProperties: { type: 'string' },
    },
  },
})
const { id, other }: { id: number; other?: string | number | undefined } = mapped.get_param('some')

// Sanitisers
const throws = (): never => {
  throw new RestError('never', 'Never.')
}
const sanitized = route({
  namespace: 'shop/v1',
  route: '/sanitized',
  args: {
    named: { type: 'string', sanitize_callback: 'sanitize_text_field' },
    number: { type: 'string', required: true, sanitize_callback: 'absint' },
    email: { type: 'string', default: '', sanitize_callback: 'is_email' },
    color: { type: 'string', required: true, sanitize_callback: 'sanitize_hex_color' },
    made: { type: 'string', required: true, sanitize_callback: (value) => new Date(String(value)) },
    refusing: {
      type: 'string',
      required: true,
      sanitize_callback: (value: unknown) => (value === '' ? new RestError('empty', 'It is empty.') : (7 as const)),
    },
    throwing: { type: 'string', required: true, sanitize_callback: throws },
    schema: { type: 'integer', required: true, sanitize_callback: 'rest_sanitize_request_arg' },
    raw: { type: 'integer', required: true, sanitize_callback: null },
    rawText: { type: 'string', required: true, sanitize_callback: '' },
    checked: { type: 'string', required: true, validate_callback: (value) => value !== 'no' },
    judged: {
      type: 'string',
      required: true,
      validate_callback: (value, _, name) =>
        value === '' ? new RestError('empty', `${name} is empty.`, { status: 400 }) : null,
    },
    complaining: {
      type: 'string',
      required: true,
      validate_callback: (value) => {
        if (value === '') throw new RestError('empty', 'It is empty.', { status: 400 })
      },
    },
    never: { type: 'string', required: true, validate_callback: throws },
    html: { required: true, sanitize_callback: 'wp_kses_post' },
    htmlText: { type: 'string', required: true, sanitize_callback: 'wp_kses_post' },
    textOrList: { type: ['string', 'array'], required: true, sanitize_callback: 'wp_kses_data' },
  },
})
same<
  Equal<
    Read<RequestOf<typeof sanitized>>,
    {
      named: string | null
      number: number
      email: string | false
      color: string | null
      made: Date
      refusing: 7
      throwing: never
      schema: number
      raw: unknown
      rawText: string
      checked: string
      judged: string
      complaining: string
      never: string
      html: string | string[] | Record<string, string>
      htmlText: string
      textOrList: string | string[] | Record<string, string>
    }
  >
>()

// All at once: a name that may be absent is missing from the map when it is
same<
  Equal<ReadAll<RequestOf<typeof typedPath>>, { id: number; page: number; size?: number | null; note?: string | null }>
>()
same<Equal<ReadAll<RestRequest>, Record<string, unknown>>>()
same<Equal<ReadAll<RestRequest<{ a: number; b: string | null }>>, { a: number; b?: string | null }>>()

// A declaration keeps what it was given
same<Equal<(typeof inside)['method'], 'POST'>>()
same<Equal<(typeof path)['method'], 'GET'>>()
same<Equal<(typeof path)['permission'], null>>()
const open = route({ namespace: 'shop/v1', route: '/open', permission: 'public', allow_batch: true })
same<Equal<(typeof open)['permission'], 'public'>>()
same<Equal<(typeof open)['allow_batch'], boolean>>()

// A declaration that is not written in place says as much as its types do
declare const anywhere: { namespace: string; route: string; permission: string }
const held = {
  namespace: 'shop/v1',
  route: '/held/(?P<id>\\d+)',
  args: { price: { type: 'number', required: true } },
} as const
same<Equal<Read<RequestOf<typeof held>>, { id: string; price: number }>>()
const productArgs = { title: { type: 'string', required: true } } as const
const elsewhere = route({ namespace: 'my/version/v12', route: '/elsewhere/(?P<id>\\d+)', args: productArgs })
same<Equal<Read<RequestOf<typeof elsewhere>>, { id: string; title: string }>>()
// String.raw gives the compiler no literal, so nothing is known of such a route
const raw = route({ namespace: 'shop/v1', route: String.raw`/raw/(?P<id>\d+)`, args: productArgs })
same<Equal<Read<RequestOf<typeof raw>>, Record<string, unknown>>>()

type WithId = RestRequest<{ id: string }>
const idOf = (request: WithId) => request.get_param('id')

abstract class Base<Item> {
  abstract find(id: number): Item | null
  mayRead() {
    return true
  }
  mayReadItem(request: WithId) {
    return Promise.resolve(request.get_param('id') !== '')
  }
  @AsRestRoute({ namespace: 'shop/v1', route: '/generic/(?P<id>\\d+)', permission: 'mayReadItem' })
  async generic(request: RestRequest<{ id: string }>) {
    return new RestResponse<Item>(this.find(Number(request.get_param('id'))))
  }
  @AsRestRoute({ namespace: 'shop/v1', route: '/generic', permission: 'mayRead' })
  all(): RestResponse<Item[]> {
    return new RestResponse<Item[]>([])
  }
}

export class Accepted extends Base<{ readonly name: string }> {
  override find(wanted: number) {
    return wanted === id ? { name: String(other) } : null
  }

  @AsRestRoute(path)
  @AsRestRoute({ namespace: 'shop/v1', route: '/b/(?P<id>\\d+)', method: 'DELETE', permission: null })
  @AsRestRoute({ namespace: 'shop/v1', route: '/c/(?P<id>\\d+)', permission: 'mayRead', args: {} })
  narrow(request: WithId) {
    return new RestResponse(idOf(request))
  }

  @AsRestRoute(values)
  passesOn(request: RequestOf<typeof values>) {
    const wider: RestRequest<{ whole: number; text: string | null }> = request
    return new RestResponse([wider.get_param('text'), request.has_param('flag')])
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/any/(?P<id>\\d+)', permission: 'mayReadItem' })
  any(request: RestRequest) {
    const value: unknown = request.get_param('whatever')
    return new RestResponse(value)
  }

  @AsRestRoute(anywhere)
  @AsRestRoute(held)
  unknownRoute(request: RestRequest) {
    return new RestResponse(request.get_params())
  }

  @AsRestRoute(anywhere)
  trustsTheAuthor(request: RestRequest<{ id: string }>) {
    return new RestResponse(request.get_param('id'))
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/optional', permission: 'isOpen' })
  optional(request?: RestRequest, _extra = 1) {
    return new RestResponse(request === undefined)
  }

  @AsRestRoute({ namespace: 'shop/v1', route: '/wider/(?P<id>\\d+)(?:/(?P<page>\\d+))?' })
  wider(request: RestRequest<{ id: string | number; page: string | null }>) {
    return Math.random() > 2 ? new RestResponse(request.get_param('page')) : Promise.resolve(new RestResponse(null))
  }

  @AsRestRoute({
    namespace: 'shop/v1',
    route: '/inline',
    method: 'POST',
    permission: 'public',
    args: {
      price: { type: 'number', required: true, minimum: 0 },
      tags: { type: 'array', items: { type: 'string' } },
      slug: { type: 'string', sanitize_callback: (value) => String(value).toLowerCase() },
    },
  })
  inline(request: RestRequest<{ price: number; tags: string[] | null; slug: string | null }>) {
    const { price, tags = [] } = request.get_params()
    return new RestResponse([price, tags])
  }

  async isOpen() {
    return true
  }
}

// A cached route keeps its types, in a constant too.
const kept = route({ namespace: 'shop/v1', route: '/kept/(?P<id>\\d+)', permission: 'public', cache: 60 })
const tagged = route({
  namespace: 'shop/v1',
  route: '/tagged',
  permission: 'public',
  cache: { seconds: 5, tags: ['post'] },
})
export class Kept {
  @AsRestRoute(kept)
  one(request: RequestOf<typeof kept>) {
    const id: string = request.get_param('id')
    return new RestResponse(id)
  }
  @AsRestRoute(tagged)
  list() {
    return new RestResponse([])
  }
}

// A read has its own type wherever it stands, whatever the place first seems to want
declare const any: RestRequest
declare const read: RestRequest<{
  id: string
  size: number
  price: number | null
  tags: string[] | null
  box: { w: number; h?: number }
  choice: '' | 'a'
}>
const response = new RestResponse(read.get_param('id'))
same<Equal<typeof response, RestResponse<string, 200>>>()
const body = new RestResponse({ id: read.get_param('id'), price: read.get_param('price') })
same<Equal<typeof body, RestResponse<{ readonly id: string; readonly price: number | null }, 200>>>()
const promised = Promise.resolve(read.get_param('price'))
same<Equal<typeof promised, Promise<number | null>>>()
const both = Promise.all([read.get_param('id'), Promise.resolve(read.get_param('size'))])
same<Equal<typeof both, Promise<[string, number]>>>()
const set = new Set(read.get_param('tags'))
same<Equal<typeof set, Set<string>>>()
const map = new Map([[read.get_param('id'), read.get_param('size')]])
same<Equal<typeof map, Map<string, number>>>()
const [, price] = [read.get_param('id'), read.get_param('price')]
same<Equal<typeof price, number | null>>()
const { w = 3, ...others } = read.get_param('box')
same<Equal<typeof w, number>>()
same<Equal<typeof others, { h?: number }>>()
async function later() {
  return read.get_param('price')
}
same<Equal<ReturnType<typeof later>, Promise<number | null>>>()

// A fallback, a test and a cast
const withFallback: number = read.get_param('price') ?? 0
const orOther: 'a' | 5 = read.get_param('choice') || 5
const orMissing: number | undefined = read.get_param('price') ?? undefined
const cast: number = read.get_param('price') as number
const narrowed = read.get_param('id') as `${number}`
const castAny = any.get_param('x') as string[]
const asserted = <'a' | 'b'>read.get_param('id')
const chained: string | undefined = read.get_param('price')?.toFixed()
const tested = read.get_param('price')
const certain: number = tested === null ? 0 : tested
function castTo<T>(name: string): T {
  return any.get_param(name) as T
}
function castText<T extends string>(): T {
  return read.get_param('id') as T
}

// An overload that does not come first
declare function overloaded(value: number): 1
declare function overloaded(value: string): 2
declare function overloaded(value: { w: number }): 3
declare function overloaded(value: unknown): 4
const second: 2 = overloaded(read.get_param('id'))
const third: 3 = overloaded(read.get_param('box'))
const fourth: 4 = overloaded(any.get_param('x'))
const sum: number = ['a'].reduce((total, text) => total + text.length, read.get_param('size'))
const hex: string = Buffer.from(read.get_param('id')).toString('hex')
const texts: string[] = [read.get_param('id')].concat(read.get_param('tags') ?? [])

// Helpers over requests, by name, by interface and by type parameter
interface Named {
  id: string
}
interface Own extends RestRequest<Named> {
  readonly own: true
}
declare const named: RestRequest<Named>
declare const own: Own
const helper = (request: RestRequest<Named>): string => request.get_param('id')
const anyHelper = (request: RestRequest) => request.get_param('whatever')
function generic<P extends { id: string }>(request: RestRequest<P>): string {
  return request.get_param('id')
}
function byName<P extends object, N extends keyof P & string>(request: RestRequest<P>, name: N): P[N] {
  return request.get_param(name)
}
const size: number = byName(read, 'size')
const eitherName: string | number = read.get_param(Math.random() > 2 ? 'id' : 'size')
export const used = [
  [withFallback, orOther, orMissing, cast, narrowed, castAny, asserted, chained, certain, castTo, castText],
  [second, third, fourth, sum, hex, texts, size, eitherName],
  [helper(read), helper(named), helper(own), own.get_param('id'), anyHelper(read), anyHelper(named), generic(read)],
]

// Endpoints: request and dependencies are inferred from the declaration.
export const shown = endpoint({ namespace: 'shop/v1', route: '/a/(?P<id>\\d+)', permission: 'public' }, (request) => {
  same<Equal<Read<typeof request>, { id: string }>>()
  const id: number = request.pathId('id')
  return { id }
})

export const changed = endpoint(
  {
    namespace: 'shop/v1',
    route: '/a/(?P<id>\\d+)',
    method: 'PUT',
    permission: (request, { records }) => {
      same<Equal<Read<typeof request>, { id: string; price: number; note: string | null }>>()
      same<Equal<typeof records, RecordStore>>()
      return currentUserCan('edit_post', request.pathId('id'))
    },
    args: { price: { type: 'number', required: true }, note: { type: 'string' } },
    dependencies: { records: RecordStore },
  },
  async (request, { records }) => {
    same<Equal<Read<typeof request>, { id: string; price: number; note: string | null }>>()
    const record = await records.get(request.pathId('id'))
    return record === null ? new RestResponse(null, 404) : { title: record.title, price: request.get_param('price') }
  },
)

export const ofShared = endpoint(path, (request) => {
  same<Equal<Read<typeof request>, { id: string; slug: string }>>()
  return null
})

const shop = restNamespace('shop/v1')
same<Equal<typeof shop.namespace, 'shop/v1'>>()
const list = shop.route({ route: '/list', args: { page: { type: 'integer', default: 1 } } })
same<Equal<(typeof list)['namespace'], 'shop/v1'>>()
same<Equal<Read<RequestOf<typeof list>>, { page: number }>>()

export class ShopApi {
  @shop.AsRestRoute({ route: '/b/(?P<id>\\d+)', permission: 'mayRead' })
  show(request: RestRequest<{ id: string }>) {
    return [request.pathId('id')]
  }

  mayRead(request: RestRequest<{ id: string }>) {
    return request.pathId('id') > 0
  }

  @shop.AsRestRoute(list)
  list(request: RequestOf<typeof list>): Promise<number> | number {
    return request.get_param('page')
  }
}

export const counted = shop.endpoint({ route: '/c', permission: 'public', cache: 60 }, (): unknown => JSON.parse('1'))

// A cached declaration in a constant says so.
const cached = route({ namespace: 'shop/v1', route: '/cached', permission: 'public', cache: 60 })
export const cacheOf: unknown = cached.cache

export const configuration = defineConfig({ rest_default_capability: null, record_types: { note: {} } })

// Response schemas: what a handler may return
const answered = {
  type: 'object',
  properties: {
    id: { type: 'integer', required: true },
    title: { type: ['string', 'null'], required: true },
    status: { type: 'string', enum: ['draft', 'publish'] },
    tags: { type: 'array', items: { type: 'string' } },
    counts: { type: 'object', additionalProperties: { type: 'integer' } },
    free: {},
  },
} as const
const failed = { type: 'object', properties: { error: { type: 'string', required: true } } } as const
const answering = route({
  namespace: 'shop/v1',
  route: '/answering/(?P<id>\\d+)',
  permission: 'public',
  responses: { 200: answered, 201: answered, 404: failed },
})
const answeringList = route({
  namespace: 'shop/v1',
  route: '/answering',
  permission: 'public',
  args: answered.properties,
  responses: { 200: { type: 'array', items: answered } },
})
interface Row {
  id: number
  title: string | null
  password: string
  tags?: string[]
}
declare const row: Row

export class Answers {
  @AsRestRoute(answering)
  row() {
    return row
  }
  @AsRestRoute(answering)
  async promised() {
    return Promise.resolve(row)
  }
  @AsRestRoute(answering)
  all(request: RequestOf<typeof answering>) {
    if (request.pathId('id') === 0) return new RestResponse({ error: 'none' }, 404)
    if (request.pathId('id') === 1) return new RestResponse(null, 204)
    if (request.pathId('id') === 2) return new Response('text')
    const parts = { status: 'draft', tags: ['a'], counts: { a: 1 }, free: [1], at: undefined } as const
    return new RestResponse({ id: 1, title: null, ...parts }, 201, { 'X-Own': '1' })
  }
  @AsRestRoute(answering)
  literal() {
    return new RestResponse({ id: 1, title: 'a', status: 'draft', tags: undefined })
  }
  @AsRestRoute(answering)
  file() {
    return new RestResponse(new Uint8Array(1))
  }
  @AsRestRoute(answering)
  helped(): RestResponse<{ error: string }> {
    return new RestResponse({ error: 'a' }, 404)
  }
  @AsRestRoute(answeringList)
  list(request: RequestOf<typeof answeringList>) {
    const title: string | null = request.get_param('title')
    return [{ id: request.get_param('id'), title }]
  }
  @AsRestRoute(answeringList)
  responses() {
    return new RestResponse([new RestResponse(row).addLink('self', 'https://a.example/'), row])
  }
}
export const answeringFunction = endpoint(
  { namespace: 'shop/v1', route: '/answering/own', responses: { 200: answered } },
  () => ({ id: 1, title: 'a', status: 'draft' }),
)
restNamespace('shop/v1').endpoint({ route: '/answering/other', responses: { 200: answered } }, async () => row)
