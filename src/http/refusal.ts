import type { OutgoingResponse } from './exchange.js'

/** A request that the service never saw. */
export interface Refused {
  readonly status: number
  /** Of the socket's other end, which may be a proxy. */
  readonly address: string
  /** Only known when the headers could be read. */
  readonly method?: string
  /** As it was sent, without its query. */
  readonly path?: string
}

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

/** @param limit in bytes. */
export function tooLarge(limit: number): OutgoingResponse {
  return refusal(413, 'rest_request_too_large', `The request body is larger than the ${limit} bytes that are accepted.`)
}

/** The body ended before it was complete, or cannot be read. */
export const unreadable = refusal(400, 'rest_bad_request', 'The request body could not be read.')

/** The service is being stopped. */
export const stopping: OutgoingResponse = {
  ...refusal(503, 'service_unavailable', 'The service is being stopped.'),
  headers: [...refusal(503, '', '').headers, ['Retry-After', '10']],
}
