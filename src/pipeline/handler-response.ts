import { messageOf } from '../base/thrown-text.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { isNodeStream, observeErrors } from '../base/node-stream.js'
import { isThenable } from '../base/thenable.js'
import { isObject, typeOfValue } from '../base/value-type.js'
import { RestResponse } from '../http/rest-response.js'
import { fromWebResponse } from '../http/web-response.js'
import { HandlerError } from './handler-error.js'

/**
 * The response for the return value of a handler.
 * @param returned the value, or a promise for it. @param name of the handler.
 * @throws HandlerError when no response can be made of the value.
 */
export function handlerResponse(returned: unknown, name: string): MaybePromise<RestResponse> {
  if (returned instanceof RestResponse || !isThenable(returned)) return settledResponse(returned, name)
  return Promise.resolve(returned).then((settled) => settledResponse(settled, name))
}

/** {@link handlerResponse} for a value that is not a promise. A body alone is sent with the status 200. */
export function settledResponse(returned: unknown, name: string): RestResponse {
  const response = returned instanceof RestResponse ? returned : responseWithBody(returned, name)
  const { body } = response
  if (isObject(body) && isNodeStream(body)) observeErrors(body)
  if (typeof body === 'function')
    throw new HandlerError(`${name} returned a function as the body, which has no JSON form. Return its result.`)
  return response
}

function responseWithBody(value: unknown, name: string): RestResponse {
  if (value instanceof Response) return withName(name, () => fromWebResponse(value))
  const advice = adviceForBody(value)
  if (advice === null) return new RestResponse(value)
  const message = `${name} must return a RestResponse, a JSON value or null; it returned ${typeOfValue(value)}. ${advice}`
  throw new HandlerError(message)
}

/** Names the handler in the message of an error. @throws HandlerError */
function withName<T>(name: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new HandlerError(`${name}: ${messageOf(error)}`, { cause: error })
  }
}

/** The remedy for a handler that returned a value that cannot be sent as the body; null for a value that can. */
function adviceForBody(value: unknown): string | null {
  if (value === undefined) return 'Return null for an empty response.'
  if (value instanceof Error) return 'Throw the error.'
  return typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint'
    ? 'It has no JSON form.'
    : null
}
