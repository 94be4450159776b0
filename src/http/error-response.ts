import { RestError, type Problem } from './rest-error.js'
import { RestResponse } from './rest-response.js'

/** WordPress's error body. Further problems are listed under `additional_errors`. */
export function errorBody(error: RestError): Record<string, unknown> {
  const body: Record<string, unknown> = { code: error.code, message: error.message, data: error.data }
  if (error.additional_errors.length > 0)
    body['additional_errors'] = error.additional_errors.map(({ code, message, data }) => ({ code, message, data }))
  return body
}

/** The numeric `status` in the data of a problem; null without one. */
export function statusOf({ data }: Pick<Problem, 'data'>): number | null {
  if (typeof data !== 'object' || data === null || !('status' in data)) return null
  const status = Number(data.status)
  return Number.isInteger(status) ? status : null
}

/** The response for an error. Its status is 500 when the data of the error have no status that HTTP defines. */
export function errorResponse(error: RestError): RestResponse {
  const response = responseWithStatus(errorBody(error), statusOf(error) ?? 500)
  for (const [name, value] of Object.entries(error.headers ?? {})) response.header(name, value)
  return response
}

function responseWithStatus(body: unknown, status: number): RestResponse {
  try {
    return new RestResponse(body, status)
  } catch {
    return new RestResponse(body, 500)
  }
}

const criticalError =
  '<p>There has been a critical error on this website.</p><p><a href="https://wordpress.org/documentation/article/faq-troubleshooting/">Learn more about troubleshooting WordPress.</a></p>'

/**
 * The body of a 500 response to an unexpected error, by default to the letter as WordPress sends it. It then says nothing
 * about the error. The log has the stack trace, with the request id that the response carries.
 * @param message for a developer.
 */
export function faultBody(message = criticalError): Record<string, unknown> {
  return {
    code: 'internal_server_error',
    message,
    data: { status: 500 },
    additional_errors: [],
  }
}

/** The error of a request that may succeed later. @param wait seconds, for the header `Retry-After`. */
export function unavailable(wait: number): RestError {
  return new RestError('service_unavailable', 'The service is not available at the moment. Try again later.', {
    status: 503,
    headers: { 'Retry-After': String(wait) },
  })
}
