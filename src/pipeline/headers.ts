import type { HeaderMemo, OutgoingResponse } from '../http/exchange.js'
import { noCache } from '../http/no-cache.js'
import { sanitizeUrl } from '../sanitizers/url.js'

export type HeaderList = (readonly [name: string, value: string])[]

const json = 'application/json; charset=UTF-8'
const script = 'application/javascript; charset=UTF-8'
const robots = ['X-Robots-Tag', 'noindex'] as const
const noSniff = ['X-Content-Type-Options', 'nosniff'] as const
/** Headers of responses that pages of other origins may read. */
export const expose = ['Access-Control-Expose-Headers', 'X-WP-Total, X-WP-TotalPages, Link'] as const
/** Headers of requests that pages of other origins may send. */
export const allowHeaders = [
  'Access-Control-Allow-Headers',
  'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
] as const

/** The inputs of {@link responseHeaders}. */
export interface HeaderInputs {
  /** `https://shop.example/wp-json/` */
  readonly root: string
  readonly jsonp: boolean
  /** A fresh nonce for a caller who sent a valid one. */
  readonly nonce: string | null
  /** The headers of the handler's response; `null` when an envelope holds them. */
  readonly handlerHeaders: ReadonlyMap<string, string> | null
  /** Values of `Set-Cookie`; an envelope holds none. */
  readonly cookies: readonly string[]
}

/**
 * The headers of a response in sending order. Headers of the handler replace those of the same name.
 * @throws TypeError when a header of the handler has a name that HTTP does not allow.
 */
// Rules: docs/wire.md#headers-in-sending-order.
export function responseHeaders({ root, jsonp, nonce, handlerHeaders, cookies }: HeaderInputs): HeaderList {
  const headers: HeaderList = [
    ['Content-Type', jsonp ? script : json],
    robots,
    ['Link', `<${root}>; rel="https://api.w.org/"`],
    noSniff,
    expose,
    allowHeaders,
  ]
  if (nonce !== null) headers.push(['X-WP-Nonce', nonce])
  for (const [name, value] of handlerHeaders ?? []) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new TypeError(`'${name}' is not the name of a header.`)
    if (!connectionHeaders.has(name.toLowerCase())) setHeader(headers, name, oneLine(String(value)))
  }
  for (const cookie of cookies) headers.push(['Set-Cookie', oneLine(String(cookie))])
  return headers
}

/** The server sets these headers itself. A handler that set them would break the connection. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** WordPress refuses the name of a JSONP callback before it queues any other header. */
export function jsonpFailureHeaders(root: string): HeaderList {
  return [['Content-Type', script], robots, ['Link', `<${root}>; rel="https://api.w.org/"`], noSniff]
}

/** Replaces the caching headers of the handler. */
// Rules: docs/wire.md#caching-headers.
export function noCacheHeaders(headers: HeaderList): void {
  for (const [name, value] of noCache) setHeader(headers, name, value)
  const modified = headers.findIndex(([name]) => name.toLowerCase() === 'last-modified')
  if (modified >= 0) headers.splice(modified, 1)
}

export interface ResponseKind extends HeaderInputs {
  /** Whether the response belongs to one caller or is a refusal, so that no cache may store it. */
  readonly uncached: boolean
  /** Whether the response has `Vary: Origin` even if the request names no origin: it does for an anonymous GET. */
  readonly varies: boolean
  /** See {@link originOf}. */
  readonly origin: string | undefined
}

/** The header lists of one `Allow` and nonce. Index: 2 for `Cache-Control: no-store`, plus 1 for `Vary`. */
type Variants = (SharedHeaders | undefined)[]

/** The headers of a response, as `OutgoingResponse` holds them. */
export interface SharedHeaders {
  readonly headers: Readonly<HeaderList>
  /** For a list that many responses share. */
  readonly headerMemo?: HeaderMemo | undefined
}

/** Maximum number of header lists, by `Allow` and nonce. When there are more, all are dropped. */
const maxKinds = 500

/** The headers of a service's responses. Most responses have equal headers and share one list. */
export class ResponseHeaders {
  readonly #cors: 'any' | readonly string[]
  /** The lists of responses whose only own header is `Allow`, by its value and the nonce of the caller. */
  readonly #variants = new Map<string, Variants>()
  #root = ''

  /** @param cors the permitted origins. Responses to others have no CORS headers, which browsers take as a refusal. */
  constructor(cors: 'any' | readonly string[]) {
    this.#cors = cors
  }

  /**
   * The headers in sending order. A permitted origin is echoed, with `Access-Control-Allow-Credentials`.
   * @throws TypeError when a header of the handler has a name that HTTP does not allow.
   */
  of(kind: ResponseKind): SharedHeaders {
    const variants = this.#variantsOf(kind)
    if (variants === null) return { headers: this.#build(kind) }
    const variant = (kind.uncached ? 2 : 0) + (kind.varies ? 1 : 0)
    return (variants[variant] ??= { headers: this.#build(kind), headerMemo: {} })
  }

  /** The shared list of a response; null for a response with headers of its own. */
  #variantsOf({ root, jsonp, nonce, handlerHeaders, cookies, origin }: ResponseKind): Variants | null {
    if (jsonp || origin || cookies.length > 0 || (handlerHeaders !== null && handlerHeaders.size > 1)) return null
    const allow = handlerHeaders === null || handlerHeaders.size === 0 ? '' : handlerHeaders.get('Allow') || null
    if (allow === null) return null
    if (root !== this.#root || this.#variants.size > maxKinds) this.#variants.clear()
    this.#root = root
    const key = nonce === null ? allow : `${nonce} ${allow}`
    let variants = this.#variants.get(key)
    if (variants === undefined) this.#variants.set(key, (variants = []))
    return variants
  }

  #build(kind: ResponseKind): HeaderList {
    const headers = responseHeaders(kind)
    if (kind.uncached) noCacheHeaders(headers)
    allowOrigin(headers, kind.origin, this.#cors)
    if (kind.origin || kind.varies) addVary(headers)
    return headers
  }
}

/** The value of the header `Origin`. `0` counts as absent, as in WordPress. */
export function originOf({ origin }: Readonly<Record<string, string | undefined>>): string | undefined {
  return origin === '0' ? undefined : origin
}

/** Adds the CORS headers for a permitted origin. Adds none without an origin. */
export function allowOrigin(headers: HeaderList, origin: string | undefined, allowed: 'any' | readonly string[]): void {
  if (!origin || (allowed !== 'any' && !allowed.includes(origin))) return
  headers.push(
    ['Access-Control-Allow-Origin', origin === 'null' ? origin : sanitizeUrl(origin)],
    ['Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE'],
    ['Access-Control-Allow-Credentials', 'true'],
  )
}

/**
 * The 503 of a service that starts or has stopped. Pages of permitted origins may read it, and its `Retry-After`. A preflight gets
 * the 200 of an unknown path: with another status, browsers report a network error, and do not send the request.
 */
export function withCors(
  response: OutgoingResponse,
  request: Readonly<Record<string, string | undefined>>,
  allowed: 'any' | readonly string[],
  method = 'GET',
): OutgoingResponse {
  const origin = originOf(request)
  const isPreflight = method === 'OPTIONS' && origin && request['access-control-request-method']
  const [name, exposed] = expose
  const headers: HeaderList = isPreflight
    ? [['Content-Type', json], noSniff, ['Cache-Control', 'no-store'], expose, allowHeaders]
    : [...response.headers, [name, `${exposed}, Retry-After`], allowHeaders]
  allowOrigin(headers, origin, allowed)
  if (origin) addVary(headers)
  return isPreflight ? { status: 200, headers, body: '[]' } : { ...response, headers }
}

/** Adds names to the header `Vary`. */
export function addVary(headers: HeaderList, names = 'Origin'): void {
  const index = headers.findIndex(([name]) => name.toLowerCase() === 'vary')
  const present = headers[index]?.[1]
  if (present === undefined) headers.push(['Vary', names])
  else headers[index] = ['Vary', `${present}, ${names}`]
}

/**
 * The headers of a response to HEAD, with the length of the body of GET: RFC 9110, 8.6. Without it, a client cannot tell how large
 * a file is. @param size bytes; null when it is not known.
 */
export function withLength(headers: OutgoingResponse['headers'], size: number | null): SharedHeaders {
  const length = ['Content-Length', String(size)] as const
  return { headers: size === null ? headers : [...headers, length], headerMemo: undefined }
}

/** The value of a header, whatever the case of its name; `null` without one. */
export function headerIn(headers: Readonly<HeaderList>, name: string): string | null {
  const lower = name.toLowerCase()
  return headers.find(([present]) => present.toLowerCase() === lower)?.[1] ?? null
}

/** Replaces the header of this name in its place, or adds it at the end. */
export function setHeader(headers: HeaderList, name: string, value: string): void {
  const lower = name.toLowerCase()
  const index = headers.findIndex(([present]) => present.toLowerCase() === lower)
  if (index >= 0) headers[index] = [name, value]
  else headers.push([name, value])
}

/** Line breaks would end the header. WordPress collapses all white space. */
function oneLine(value: string): string {
  return value.replace(/\s+/g, ' ')
}
