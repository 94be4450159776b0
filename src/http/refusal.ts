import type { ResponseErrorCode } from '../base/response-errors.js'
import type { OutgoingResponse } from './exchange.js'

/** A request that was rejected before it reached the service. */
export interface RefusedRequest {
  readonly status: number
  /** Address of the peer, which may be a proxy. */
  readonly address: string
  /** Absent when the headers could not be read. */
  readonly method?: string
  /** Percent-encoded, without the query. */
  readonly path?: string
}

/** The response to a request that does not reach the service, in the JSON form of a REST error. */
export function refusal(status: number, code: ResponseErrorCode, message: string): OutgoingResponse {
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

/**
 * The response to a request with a body over the limit.
 * @param limit in bytes.
 */
export function tooLarge(limit: number): OutgoingResponse {
  return refusal(413, 'rest_request_too_large', tooLargeText(limit))
}

export const tooLargeText = (limit: number): string =>
  `The request body is larger than the ${limit} bytes that are accepted.`

/** The response to a request whose body is incomplete or cannot be read. */
export const unreadable = refusal(400, 'rest_bad_request', 'The request body could not be read.')

/** The response to a request whose files cannot be written to a temporary file. */
export const notWritten = withRetry(refusal(503, 'service_unavailable', 'The upload could not be stored.'), 60)

/** The response to requests that arrive while the start of the service waits for its database. */
export const starting = withRetry(refusal(503, 'service_unavailable', 'The service is being started.'), 10)

/** The response to requests that arrive while the service stops. */
export const stopping = withRetry(refusal(503, 'service_unavailable', 'The service is being stopped.'), 10)

function withRetry(response: OutgoingResponse, seconds: number): OutgoingResponse {
  return { ...response, headers: [...response.headers, ['Retry-After', String(seconds)]] }
}
