// What reaches the handler, as the compiler sees it. Compiled by every TypeScript that `types.test.ts` knows.
import { RestError, route, type RequestOf, type RestRequest } from 'as-rest-route'
import { same, type Equal, type Read, type ReadAll } from './equal.js'

// Names of the path
export const path = route({ namespace: 'shop/v1', route: '/a/(?P<id>\\d+)/(?P<slug>[a-z-]+)' })
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
export const values = route({
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
export const { id, other }: { id: number; other?: string | number | undefined } = mapped.get_param('some')

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
