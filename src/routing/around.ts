import type { AnyRequest, RestRequest } from '../http/rest-request.js'
import type { RestResponse } from '../http/rest-response.js'

/**
 * Calls the next function of `around`, or the handler after the last one. It may be called once.
 * @returns the response of the function or the handler.
 * @throws whatever the function or the handler throws, including a `RestError`, such as a 404.
 */
export type Next = () => Promise<RestResponse>

/**
 * The result of a function around handlers: a response, or a body for the status 200. Objects with a `then` are excluded:
 * a `Promise<void>` would otherwise be accepted as a body.
 */
type AroundResult =
  | RestResponse
  | Response
  | (object & { readonly then?: undefined })
  | string
  | number
  | boolean
  | null

/**
 * A function around handlers. It runs after validation and permission, before the handler. It may respond without calling
 * `next`, change the response of `next`, or measure it:
 *
 *     const measured: Around = async (request, next) => {
 *       const start = performance.now()
 *       const response = await next()
 *       return response.header('Server-Timing', `handler;dur=${performance.now() - start}`)
 *     }
 *
 * @typeParam Request `RestRequest<…>` for a function of one declaration. Default: any request.
 */
export type Around<Request extends AnyRequest = AnyRequest> = (
  request: Request,
  next: Next,
) => AroundResult | Promise<AroundResult>

/** The functions around the handler of one declaration. */
export type AroundOf<P extends object> = readonly ((
  request: RestRequest<P>,
  next: Next,
) => AroundResult | Promise<AroundResult>)[]
