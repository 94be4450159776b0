import { createHash } from 'node:crypto'
import { matchesEntityTag } from '../http/entity-tag.js'
import { toJson } from '../http/json.js'
import { textSize } from '../base/text-size.js'
import { rawBodyOf } from '../http/raw-body.js'
import type { RestResponse } from '../http/rest-response.js'
import { addVary, responseHeaders, headerIn, setHeader, type HeaderList, type SharedHeaders } from './headers.js'
import { hasPlainBody } from './declared-responses.js'
import { rawHeaders } from './raw-response.js'

/** A serialized response. It is equal for all callers, except `Access-Control-Allow-*` and `X-Request-Id`. */
export interface SerializedResponse {
  readonly status: number
  readonly headers: SharedHeaders
  /** JSON in ASCII, or text or bytes as they are. */
  readonly body: string | Uint8Array
  /** Whether `body` is a string of ASCII characters only. */
  readonly isAscii: boolean
  /** Null for a response that is not cached. */
  readonly etag: string | null
  /** The headers of a 304 in place of this response. */
  readonly notModifiedHeaders: SharedHeaders
  /** Approximate size in memory, in bytes. */
  readonly size: number
}

/** The request headers that the response to an anonymous GET may depend on. */
const vary = 'Origin, Cookie, Authorization, X-WP-Nonce'

/** Approximate size of a header in its list without its text, in bytes. The text is held in the list and in the head. */
const headerOverhead = 64

/** The headers that a 304 repeats: RFC 9110, 15.4.5. */
const notModifiedNames = new Set(['cache-control', 'content-location', 'etag', 'expires', 'vary', 'last-modified'])

/**
 * @param options.seconds for how long the response is cached; null for a response that is not cached.
 * @throws EncodingError when the body has no JSON form. @throws TypeError for a stream.
 */
export function serializeResponse(
  response: RestResponse,
  { root, seconds }: { readonly root: string; readonly seconds: number | null },
): SerializedResponse {
  const { status, cookies, body: content } = response
  const raw = rawBodyOf(response)
  if (raw?.kind === 'stream')
    throw new TypeError("a stream cannot be cached. Remove 'cache' from the declaration, or return text or bytes.")
  const handlerHeaders = raw === null ? response.headers : rawHeaders(response, raw)
  const headers = responseHeaders({ root, jsonp: false, nonce: null, handlerHeaders, cookies })
  const isEmpty = status === 204 || content === null || content === undefined
  const body = isEmpty
    ? ''
    : raw === null
      ? toJson(content, { isPlain: hasPlainBody(response) })
      : raw.kind === 'text'
        ? raw.text
        : new Uint8Array(raw.bytes)
  const etag = seconds === null ? null : (headerIn(headers, 'ETag') ?? etagOf(headers, body))
  if (etag === null) addVary(headers)
  else {
    setHeader(headers, 'ETag', etag)
    if (headerIn(headers, 'Cache-Control') === null) headers.push(['Cache-Control', `public, max-age=${seconds}`])
    addVary(headers, vary)
  }
  const short = headers.filter(([name]) => notModifiedNames.has(name.toLowerCase()))
  let size = typeof body === 'string' ? textSize(body) : body.length
  for (const [name, value] of headers) size += headerOverhead + 2 * (name.length + value.length)
  for (const [name, value] of short) size += headerOverhead + name.length + value.length
  return {
    status,
    headers: { headers, headerMemo: {} },
    body,
    isAscii: raw === null,
    etag,
    notModifiedHeaders: { headers: short, headerMemo: {} },
    size,
  }
}

/**
 * `keep`: the response may be cached. `share`: an error, which is sent to all requests that wait for it and not cached.
 * `alone`: it has cookies or forbids caching, so each request gets one of its own.
 */
export function useOf({ status, headers, cookies }: RestResponse): 'keep' | 'share' | 'alone' {
  if (cookies.length > 0) return 'alone'
  for (const [name, value] of headers) {
    switch (name.toLowerCase()) {
      case 'set-cookie':
      case 'x-wp-nonce':
        return 'alone'
      case 'cache-control':
        if (/no-store|no-cache|private/i.test(value)) return 'alone'
        break
      case 'vary':
        if (value.includes('*')) return 'alone'
        break
    }
  }
  return status < 400 ? 'keep' : 'share'
}

/** Whether the client has this response already. @param ifNoneMatch the request header; undefined without one. */
export function isUnchanged({ etag, status }: SerializedResponse, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch !== undefined && etag !== null && status === 200 && matchesEntityTag(etag, ifNoneMatch)
}

/** The entity tag of headers and body. A 304 does not repeat the headers, so they are part of it. */
function etagOf(headers: HeaderList, body: string | Uint8Array): string {
  const hash = createHash('sha256')
  for (const [name, value] of headers) hash.update(`${name}: ${value}\n`)
  return `"${hash.update(body).digest('base64url').slice(0, 27)}"`
}
