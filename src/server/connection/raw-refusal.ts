import type { OutgoingResponse } from '../../http/exchange.js'
import { refusal } from '../../http/refusal.js'
import { headText } from './response-text.js'

/** Responses by the error code of Node's parser. */
const faults: Readonly<Record<string, OutgoingResponse | undefined>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'rest_headers_too_large', 'The request headers are larger than is accepted.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, 'rest_request_too_large', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'rest_request_timeout', 'The request did not arrive in time.'),
}

/** The response to bytes that are not HTTP or not complete. @param code of Node's error. */
export function parserRefusal(code: string | undefined): OutgoingResponse {
  return faults[code ?? ''] ?? refusal(400, 'rest_bad_request', 'The request is not valid HTTP.')
}

/** A response as text for a bare socket. The connection is closed after it. */
export function rawResponse(outgoing: OutgoingResponse): string {
  const body = String(outgoing.body)
  return headText(outgoing, Buffer.byteLength(body), 'Connection: close\r\n') + body
}
