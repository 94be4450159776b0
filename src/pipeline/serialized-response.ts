import { createHash } from 'node:crypto'
import { matchesEntityTag } from '../http/entity-tag.js'
import { toJson } from '../http/json.js'
import type { RestResponse } from '../http/rest-response.js'
import { addVary, responseHeaders, headerIn, setHeader, type HeaderList, type SharedHeaders } from './headers.js'

/** An answer with nothing left to do: the same for everybody, but for `Access-Control-Allow-*` and `X-Request-Id`. */
export interface SerializedResponse {
  readonly status: number
  readonly headers: SharedHeaders
  /** JSON, ASCII. */
  readonly body: string
  /** Null for an answer that is not kept. */
  readonly etag: string | null
  /** Of a 304. */
  readonly shortHeaders: SharedHeaders
  /** Bytes in memory, about. */
  readonly size: number
}

/** What the answer to an anonymous GET may depend on besides its address, as far as a cache on the way can tell. */
const vary = 'Origin, Cookie, Authorization, X-WP-Nonce'

const inShort = new Set(['cache-control', 'content-location', 'etag', 'expires', 'vary', 'last-modified'])

/**
 * @param options.seconds for how long it is kept; null for an answer that is not.
 * @throws EncodingError when the body cannot be said in JSON.
 */
export function serializeResponse(
  { status, headers: own, cookies, body: content }: RestResponse,
  { root, seconds }: { readonly root: string; readonly seconds: number | null },
): SerializedResponse {
  const headers = responseHeaders({ root, jsonp: false, nonce: null, own, cookies })
  const body = status === 204 || content === null || content === undefined ? '' : toJson(content)
  const etag = seconds === null ? null : (headerIn(headers, 'ETag') ?? etagOf(headers, body))
  if (etag === null) addVary(headers)
  else {
    setHeader(headers, 'ETag', etag)
    if (headerIn(headers, 'Cache-Control') === null) headers.push(['Cache-Control', `public, max-age=${seconds}`])
    addVary(headers, vary)
  }
  const short = headers.filter(([name]) => inShort.has(name.toLowerCase()))
  let size = body.length
  for (const [name, value] of headers) size += name.length + value.length
  return {
    status,
    headers: { headers, headerMemo: {} },
    body,
    etag,
    shortHeaders: { headers: short, headerMemo: {} },
    size,
  }
}

/** What may be done with an answer: errors are told to those who wait for them, and forgotten. */
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

/** Whether the sender has this very answer. */
export function isUnchanged({ etag, status }: SerializedResponse, named: string | undefined): boolean {
  return named !== undefined && etag !== null && status === 200 && matchesEntityTag(etag, named)
}

/** Of everything that the answer says; headers come first, since a 304 does not repeat them. */
function etagOf(headers: HeaderList, body: string): string {
  const hash = createHash('sha256')
  for (const [name, value] of headers) hash.update(`${name}: ${value}\n`)
  return `"${hash.update(body).digest('base64url').slice(0, 27)}"`
}
