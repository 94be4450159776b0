import type { Problem, RestError } from './rest-error.js'
import { RestResponse } from './rest-response.js'

/** WordPress's error body: the first problem, the others as `additional_errors` (docs/wire.md#error-bodies). */
export function errorBody(error: RestError): Record<string, unknown> {
  const body: Record<string, unknown> = { code: error.code, message: error.message, data: error.data }
  if (error.others.length > 0)
    body['additional_errors'] = error.others.map(({ code, message, data }) => ({ code, message, data }))
  return body
}

/** The status that the data of a problem names, if it names one. */
export function statusOf({ data }: Pick<Problem, 'data'>): number | null {
  if (typeof data !== 'object' || data === null || !('status' in data)) return null
  const status = Number(data.status)
  return Number.isInteger(status) ? status : null
}

/** An error as an answer; 500 when its data name no status that HTTP defines. */
export function errorResponse(error: RestError): RestResponse {
  const body = errorBody(error)
  try {
    return new RestResponse(body, statusOf(error) ?? 500)
  } catch {
    return new RestResponse(body, 500)
  }
}

/**
 * The answer to a fault in a handler: nothing of the fault reaches the caller. The log has the trace under the request id
 * that the answer carries. Rules: docs/wire.md#faults.
 */
export function faultBody(): Record<string, unknown> {
  return {
    code: 'internal_server_error',
    message:
      '<p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p>',
    data: { status: 500 },
    additional_errors: [],
  }
}
