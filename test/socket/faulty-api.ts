import { RestError } from '../../src/http/rest-error.js'
import type { RestRequest } from '../../src/http/rest-request.js'
import { RestResponse } from '../../src/http/rest-response.js'
import { AsRestRoute } from '../../src/routing/as-rest-route.js'
import { StorageError, type StorageFault } from '../../src/database/storage-error.js'

const circular: Record<string, unknown> = {}
circular['self'] = circular

export const secret = 'secret-detail'

export const boom = (): never => {
  throw new Error(secret)
}

const down = () => new RestError('shop_down', 'Down.', { status: 502, cause: new Error(secret) })

const brokenSanitiser = (value: unknown): string => (value === '' ? '' : boom())

/** What handlers may do wrong, by name. */
export const deeds: Readonly<Record<string, () => unknown>> = {
  throws: boom,
  rejects: () => Promise.reject(new Error(secret)),
  'throws-text': () => Promise.reject(secret),
  'throws-nothing': () => Promise.reject(undefined),
  'throws-what-is-frozen': () => Promise.reject(Object.freeze(new Error(secret))),
  'throws-an-object-that-throws': () =>
    Promise.reject(Object.defineProperty({}, 'message', { get: boom, enumerable: true })),
  'returns-nothing': () => undefined,
  'returns-an-error': () => new Error(secret),
  'returns-a-function': () => boom,
  'returns-a-bigint': () => 1n,
  'returns-a-promise-of-nothing': () => Promise.resolve(),
  'body-with-a-getter-that-throws': () =>
    new RestResponse(Object.defineProperty({}, 'x', { get: boom, enumerable: true })),
  'body-with-a-toJSON-that-throws': () => new RestResponse({ toJSON: boom }),
  'body-is-a-promise': () => new RestResponse(Promise.resolve([1])),
  'body-holds-a-promise': () => new RestResponse({ items: [1.5, Promise.resolve(1)] }),
  'body-holds-a-map': () => new RestResponse({ map: new Map([['a', 1]]) }),
  'body-holds-a-set': () => new RestResponse([{ set: new Set([1n]) }, 1n]),
  'body-is-a-function': () => new RestResponse(boom),
  'unknown-status': () => new RestResponse(null, 299),
  'interim-status': () => new RestResponse({}, 100),
  'header-with-a-bad-name': () => new RestResponse({}, 200, { 'not a name': 'x' }),
}

/** What is a 500 with a code of its own. */
export const unwritable: Readonly<Record<string, () => unknown>> = {
  circular: () => new RestResponse(circular),
  infinity: () => new RestResponse({ n: Infinity }),
  'error-with-circular-data': () => {
    throw new RestError('odd', 'Odd.', { status: 400, circular })
  },
}

const batchedBodies: Readonly<Record<string, unknown>> = {
  circular,
  infinity: { n: Infinity },
  map: new Map(),
  good: 1,
}

/** What is sent as JSON says it. */
export const written: [name: string, make: () => unknown, status: number, text: string][] = [
  ['bigint', () => new RestResponse({ n: 12345678901234567890n }), 200, '{"n":12345678901234567890}'],
  ['date', () => new RestResponse({ at: new Date(0) }), 200, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ['undefined-body', () => new RestResponse(undefined), 200, ''],
  [
    'error-without-data',
    () => Promise.reject(new RestError('odd', 'Odd.')),
    500,
    '{"code":"odd","message":"Odd.","data":null}',
  ],
  [
    'error-with-an-interim-status',
    () => Promise.reject(new RestError('odd', 'Odd.', { status: 101 })),
    500,
    '{"code":"odd","message":"Odd.","data":{"status":101}}',
  ],
  [
    'error-with-a-status-that-is-none',
    () => Promise.reject(new RestError('odd', 'Odd.', { status: 'many' as never })),
    500,
    '{"code":"odd","message":"Odd.","data":{"status":"many"}}',
  ],
  [
    'error-with-an-unknown-status',
    () => Promise.reject(new RestError('odd', 'Odd.', { status: 999 })),
    500,
    '{"code":"odd","message":"Odd.","data":{"status":999}}',
  ],
  [
    'error-with-a-cause',
    () => Promise.reject(down()),
    502,
    '{"code":"shop_down","message":"Down.","data":{"status":502}}',
  ],
  [
    'error-that-nothing-failed',
    () => Promise.reject(new RestError('no_such_thing', 'Not here.', { status: 501 })),
    501,
    '{"code":"no_such_thing","message":"Not here.","data":{"status":501}}',
  ],
  [
    'error-of-the-caller',
    () => Promise.reject(new RestError('odd', 'Odd.', { status: 404 })),
    404,
    '{"code":"odd","message":"Odd.","data":{"status":404}}',
  ],
  ['header-with-line-breaks', () => new RestResponse({}, 200, { 'X-A': 'a\r\nSet-Cookie: b=c\0' }), 200, '{}'],
  [
    'header-of-the-connection',
    () => new RestResponse({}, 200, { 'content-length': '1', 'Transfer-Encoding': 'chunked', Connection: 'upgrade' }),
    200,
    '{}',
  ],
  ['header-with-accents', () => new RestResponse({}, 200, { 'X-A': 'Café €' }), 200, '{}'],
]

const making = new Map<string, () => unknown>([
  ...Object.entries(deeds),
  ...Object.entries(unwritable),
  ...written.map(([name, make]) => [name, make] as const),
])

export class Faulty {
  @AsRestRoute({ namespace: 'faulty/v1', route: '/do/(?P<deed>[\\w-]+)', permission: 'public' })
  async do(request: RestRequest<{ deed: string }>): Promise<RestResponse> {
    return making.get(request.get_param('deed'))?.() as RestResponse
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/at-once', permission: 'public' })
  atOnce(): RestResponse {
    return boom()
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/permission', permission: 'refuses' })
  @AsRestRoute({ namespace: 'faulty/v1', route: '/permission-later', permission: 'refusesLater' })
  guarded() {
    return new RestResponse({})
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/beside', permission: 'public' })
  @AsRestRoute({ namespace: 'faulty/v1', route: '/beside', method: 'PUT', permission: 'refuses' })
  @AsRestRoute({ namespace: 'faulty/v1', route: '/beside', method: 'POST', permission: 'refusesLater' })
  beside() {
    return new RestResponse({})
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/oddly-guarded', permission: 'answersOddly' })
  oddlyGuarded() {
    return new RestResponse({})
  }

  answersOddly(): boolean {
    return 1 as unknown as boolean
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/permission-fails', permission: 'fails' })
  unreached() {
    return new RestResponse({})
  }

  @AsRestRoute({
    namespace: 'faulty/v1',
    route: '/batched',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
  })
  batched(): RestResponse {
    throw down()
  }

  @AsRestRoute({
    namespace: 'faulty/v1',
    route: '/batched-body/(?P<name>[a-z]+)',
    method: 'POST',
    permission: 'public',
    allow_batch: true,
  })
  batchedBody(request: RestRequest<{ name: string }>): RestResponse {
    return new RestResponse(batchedBodies[request.get_param('name')])
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/links-to-circular', permission: 'public' })
  linksToCircular(request: RestRequest): RestResponse {
    return new RestResponse({ id: 1 }).addLink('other', `${request.root}faulty/v1/do/circular`, { embeddable: true })
  }

  async fails(): Promise<boolean> {
    // What a caller without a compiler may do as well.
    return down() as unknown as boolean
  }

  refuses(): boolean {
    return boom()
  }

  async refusesLater(): Promise<boolean> {
    return boom()
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/odd-verdict/undefined', permission: 'forgetsToReturn' })
  @AsRestRoute({ namespace: 'faulty/v1', route: '/odd-verdict-later/undefined', permission: 'forgetsToReturnLater' })
  @AsRestRoute({ namespace: 'faulty/v1', route: '/odd-verdict/null', permission: 'returnsNull' })
  @AsRestRoute({ namespace: 'faulty/v1', route: '/odd-verdict/string', permission: 'saysYes' })
  unreachable() {
    return new RestResponse({})
  }

  forgetsToReturn(): boolean {
    return undefined as never
  }

  async forgetsToReturnLater(): Promise<boolean> {
    return undefined as never
  }

  returnsNull(): boolean {
    return null as never
  }

  saysYes(): boolean {
    return 'yes' as never
  }

  @AsRestRoute({
    namespace: 'faulty/v1',
    route: '/validator',
    permission: 'public',
    args: { a: { type: 'string', validate_callback: boom } },
  })
  @AsRestRoute({
    namespace: 'faulty/v1',
    route: '/sanitiser',
    permission: 'public',
    args: { a: { type: 'string', sanitize_callback: brokenSanitiser } },
  })
  checked() {
    return new RestResponse({})
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/database/(?P<fault>[\\w-]+)', permission: 'public' })
  database(request: RestRequest<{ fault: string }>): RestResponse {
    throw new StorageError(request.get_param('fault') as StorageFault, secret)
  }

  @AsRestRoute({ namespace: 'faulty/v1', route: '/patient', permission: 'public' })
  async patient() {
    await new Promise((resolve) => setTimeout(resolve, 300))
    return new RestResponse({ patient: true })
  }
}
