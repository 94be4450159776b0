import { STATUS_CODES } from 'node:http'
import type { OutgoingResponse } from '../../request/exchange.js'
import { refusal } from '../refusal.js'

/** By the codes of Node's parser. */
const faults: Readonly<Record<string, OutgoingResponse | undefined>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'rest_headers_too_large', 'The request headers are larger than is accepted.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refusal(413, 'rest_request_too_large', 'The chunk extensions are too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'rest_request_timeout', 'The request did not arrive in time.'),
}

/** The answer to bytes that are not HTTP, or do not come to an end. @param code Node's. */
export function parserRefusal(code: string | undefined): OutgoingResponse {
  return faults[code ?? ''] ?? refusal(400, 'rest_bad_request', 'The request is not valid HTTP.')
}

/** An answer as bytes for a bare socket, after which the connection is closed. */
export function rawAnswer({ status, headers, body }: OutgoingResponse): string {
  const all = [...headers, ['Content-Length', String(Buffer.byteLength(body))], ['Connection', 'close']]
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines}\r\n${String(body)}`
}
