import type { OutgoingResponse } from '../../http/exchange.js'
import { refusal } from '../../http/refusal.js'
import { headText } from './response-text.js'

/** The response to bytes that are not HTTP. */
export const notHttp = refusal(400, 'rest_bad_request', 'The request is not valid HTTP.')
/** The response to a request of another version of HTTP than 1.0 and 1.1. */
export const otherVersion = refusal(505, 'rest_http_version_not_supported', 'This server speaks HTTP/1.1.')

/** Responses by the error code of Node's parser. */
const refusalsByCode: Readonly<Record<string, OutgoingResponse | undefined>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'rest_headers_too_large', 'The request headers are larger than is accepted.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, 'rest_request_too_large', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'rest_request_timeout', 'The request did not arrive in time.'),
  HPE_PAUSED_H2_UPGRADE: otherVersion,
}

/** The response to bytes that are not HTTP or not complete. @param error of Node's parser. */
export function parserRefusal({ code = '', reason }: ParserFault): OutgoingResponse {
  // The code alone does not tell `HTTP/3.0` from `HTTP/x`.
  if (code === 'HPE_INVALID_VERSION' && reason === 'Invalid HTTP version') return otherVersion
  return refusalsByCode[code] ?? notHttp
}

interface ParserFault {
  readonly code?: string | undefined
  readonly reason?: string
}

/** A response as text for a bare socket. The connection is closed after it. */
export function rawResponse(outgoing: OutgoingResponse): string {
  const body = String(outgoing.body)
  return headText(outgoing, Buffer.byteLength(body), 'Connection: close\r\n') + body
}
