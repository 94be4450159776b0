import type { AnyRequest, RestRequest } from '../http/rest-request.js'
import type { RestResponse } from '../http/rest-response.js'

/**
 * Runs what a function of `around` is around: the next function, at last the handler. To be called once.
 * @returns its response. Whatever it throws is thrown: a `RestError`, such as a 404 of the handler, too.
 */
export type Next = () => Promise<RestResponse>

/** The result of a function around handlers: a response, or a body for the status 200. No promise: `void` would be one. */
type AroundResult =
  | RestResponse
  | Response
  | (object & { readonly then?: undefined })
  | string
  | number
  | boolean
  | null

/**
 * A function around handlers. It runs for a caller who is permitted, with valid arguments. It may answer without calling
 * `next`, change the response of `next`, or measure it:
 *
 *     const measured: Around = async (request, next) => {
 *       const begun = performance.now()
 *       const response = await next()
 *       return response.header('Server-Timing', `handler;dur=${performance.now() - begun}`)
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
