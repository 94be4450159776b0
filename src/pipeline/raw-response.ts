import { ignoreFailures } from '../base/thenable.js'
import { errorResponse } from '../http/error-response.js'
import { hasRawBody, isRaw, rawBodyOf, type RawBody } from '../http/raw-body.js'
import { ResponseStream } from '../http/response-stream.js'
import { RestError } from '../http/rest-error.js'
import type { RestResponse } from '../http/rest-response.js'

/** Ends the body of a response that is not sent: a stream may hold a file or a connection. */
export function cancelBody(response: RestResponse): void {
  const { body } = response
  if (!isRaw(body)) {
    ignoreFailures(body)
    return
  }
  const raw = rawBodyOf(response)
  if (raw?.kind !== 'stream' || (raw.source instanceof ReadableStream && raw.source.locked)) return
  new ResponseStream(raw.source, { size: null, idle: 0, onFault: () => undefined }).cancel()
}

/**
 * Ignores the failures of promises and streams inside the JSON body of a response that is written later, or never. Returning
 * them is a mistake of the handler, and an unhandled failure would end the process.
 */
export function ignoreFailuresIn({ body }: RestResponse): void {
  if (!isRaw(body)) ignoreFailures(body)
}

/**
 * A response for a place where only JSON can be: an envelope, an item of a batch, JSONP. Text becomes a JSON string. Any
 * other body that is not JSON is refused.
 */
// Rules: docs/wire.md#bodies-that-are-not-json.
export function jsonOnly(response: RestResponse): RestResponse {
  if (!hasRawBody(response)) return response
  if (typeof response.body !== 'string') {
    cancelBody(response)
    return errorResponse(notJson())
  }
  const copy = response.withBody(response.body)
  for (const name of copy.headers.keys()) if (name.toLowerCase() === 'content-type') copy.headers.delete(name)
  return copy
}

function notJson(): RestError {
  return new RestError(
    'rest_body_not_json',
    'The body of this response is not JSON, so it cannot be sent in an envelope, in a batch or as JSONP.',
    { status: 406 },
  )
}

/** The headers of a response whose body is not JSON, with its content type. */
export function rawHeaders({ headers }: RestResponse, { type }: RawBody): ReadonlyMap<string, string> {
  const typed = new Map(headers)
  for (const name of typed.keys()) if (name.toLowerCase() === 'content-type') typed.delete(name)
  return typed.set('Content-Type', type)
}
