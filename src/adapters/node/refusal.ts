import type { OutgoingResponse } from '../../request/exchange.js'

/** What is wrong with a request that never reached the service, as the JSON error a REST client expects. */
export function refusal(status: number, code: string, message: string): OutgoingResponse {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json; charset=UTF-8'],
      ['X-Content-Type-Options', 'nosniff'],
      ['Cache-Control', 'no-store'],
    ],
    body: JSON.stringify({ code, message, data: { status } }),
  }
}

export function tooLarge(limit: number): OutgoingResponse {
  return refusal(413, 'rest_request_too_large', `The request body is larger than the ${limit} bytes that are accepted.`)
}

const parserFaults: Readonly<Record<string, OutgoingResponse | undefined>> = {
  HPE_HEADER_OVERFLOW: refusal(431, 'rest_headers_too_large', 'The request headers are larger than is accepted.'),
  ERR_HTTP_REQUEST_TIMEOUT: refusal(408, 'rest_request_timeout', 'The request did not arrive in time.'),
}

/** A request that is not HTTP: answered on the bare socket, after which the connection is closed. */
export function rawRefusal(code: string | undefined): string {
  const answer = parserFaults[code ?? ''] ?? refusal(400, 'rest_bad_request', 'The request is not valid HTTP.')
  const reasons: Readonly<Record<number, string>> = {
    400: 'Bad Request',
    408: 'Request Timeout',
    431: 'Request Header Fields Too Large',
  }
  const headers = [...answer.headers, ['Content-Length', String(answer.body.length)], ['Connection', 'close']]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `HTTP/1.1 ${answer.status} ${reasons[answer.status] ?? ''}\r\n${lines}\r\n${String(answer.body)}`
}
