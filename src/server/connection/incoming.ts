import type { IncomingMessage } from 'node:http'
import type { OutgoingResponse } from '../../http/exchange.js'
import { InternedNames } from '../../http/interned-names.js'
import { receivedHeader, receivedText } from '../../http/header-text.js'
import { refusal } from '../../http/refusal.js'
import { otherVersion } from './raw-refusal.js'

/** Of several headers with one of these names only the first counts, as in Node. */
const firstValueHeaders = new Set(
  (
    'age authorization content-length content-type etag expires from host if-modified-since if-unmodified-since ' +
    'last-modified location max-forwards proxy-authorization referer retry-after server user-agent'
  ).split(' '),
)

/** Of several headers with one of these names only the last counts, as in PHP: a joined list would be an invalid nonce. */
const lastValueHeaders = new Set(['x-wp-nonce'])

/**
 * Headers by lower-case name. The map has no prototype, so that it holds only what was sent.
 * @param raw names and values in turn.
 */
export function headersOf(raw: readonly string[]): Record<string, string | undefined> {
  const headers = Object.create(null) as Record<string, string | undefined>
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = headerName(raw[index] ?? '')
    addHeader(headers, name, receivedHeader(name, raw[index + 1] ?? ''))
  }
  return headers
}

const names = new InternedNames((name) => name.toLowerCase())

/** The name of a header in lower case. */
export function headerName(name: string): string {
  return names.of(name)
}

/**
 * Adds a header to those of the request. Several of one name are joined to a list, unless only the first or the last
 * counts.
 * @param name in lower case.
 */
export function addHeader(headers: Record<string, string | undefined>, name: string, value: string): void {
  const present = headers[name]
  if (present === undefined || lastValueHeaders.has(name)) headers[name] = value
  else if (!firstValueHeaders.has(name)) headers[name] = present + (name === 'cookie' ? '; ' : ', ') + value
}

/** Path and query of a request target; the absolute form that proxies send is accepted. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '')
  const mark = relative.indexOf('?')
  const path = mark < 0 ? relative : relative.slice(0, mark)
  // Some versions of Node accept bytes that should have been percent-encoded.
  return {
    path: receivedText(path.startsWith('/') ? path : `/${path}`),
    query: mark < 0 ? '' : relative.slice(mark + 1),
  }
}

/**
 * The response to a well-formed request that this server does not serve; null for any other.
 * Source: RFC 9112, 2.3, 3.2 and 6.1; RFC 9110, 9.3.7.
 */
export function responseWithoutService({
  method,
  url = '',
  rawHeaders,
  headers,
  httpVersion,
}: IncomingMessage): OutgoingResponse | null {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return otherVersion
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && isHostName(rawHeaders[index - 1] ?? ''))
  if (hosts.length > 1 || (hosts.length === 0 && httpVersion === '1.1') || !hosts.every(isHost)) return noHost
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    // Prevents request smuggling: a proxy that speaks HTTP/1.0, or ignores an empty coding, may have seen another end.
    if (httpVersion === '1.0' || coding === '') return unclearEnd
    // Node decodes only `chunked`: the handler would get compressed bytes as the body.
    if (!/^chunked$/i.test(coding)) return otherCoding
  }
  if (url.startsWith('/') || /^https?:\/\//i.test(url)) return null
  if (url === '*' && method === 'OPTIONS') return { status: 204, headers: [['Allow', everyMethod]], body: '' }
  return noTarget
}

const everyMethod = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

const noHost = refusal(400, 'rest_bad_request', 'The request must have one Host header, with the name of one host.')
const otherCoding = refusal(501, 'rest_not_implemented', 'The only transfer coding that this server reads is chunked.')
const unclearEnd = refusal(400, 'rest_bad_request', 'The transfer coding does not tell where the request ends.')
const noTarget = refusal(400, 'rest_bad_request', 'The target of the request is not an address of this server.')

function isHostName(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}

/** Whether the text is one host, a name or an address, with an optional port. Source: RFC 3986, 3.2.2, without the comma. */
export function isHost(text: string): boolean {
  return /^(?:[\w.~!$&'()*+;=%-]+|\[[\da-fA-F:.]+\])(?::\d{0,5})?$/.test(text)
}
