import type { BindFunction } from '../base/bind-function.js'
import { ignoreFailuresIn } from './raw-response.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import { boundAround } from '../routing/conditional.js'
import type { Endpoint } from '../routing/endpoint.js'
import { HandlerError } from './handler-error.js'
import { handlerResponse } from './handler-response.js'
import { ObservedResponse } from './observed-response.js'

/** A function of a list `around`. */
export type AroundFunction = (request: HttpRequest, next: () => Promise<RestResponse>) => unknown

type Handle = (request: HttpRequest) => Promise<RestResponse>

/** Called with the error of a handler when the function around it did not wait for the handler. */
export type OnLateFailure = (err: unknown, requestId: string) => void

/**
 * Wraps a handler in functions of `around`. They are composed at the start, so that a request costs one call for each.
 * @param functions the first one is the outermost. @param name of the endpoint, for messages.
 */
export function withAround(
  handle: Endpoint['handle'],
  functions: readonly AroundFunction[],
  name: string,
  bind: BindFunction,
  onLateFailure: OnLateFailure,
): Endpoint['handle'] {
  const innermost: Handle = async (request) => handlerResponse(handle(request), name)
  return functions.reduceRight<Handle>((inner, around) => {
    const subject = `${around.name || 'a function'} around ${name}`
    const call = boundAround(around, bind)
    return async (request) => {
      let hasCalledNext = false
      let hasEnded = false
      const reports: (() => void)[] = []
      const runInner = async (): Promise<RestResponse> => {
        if (hasCalledNext) throw new HandlerError(`${subject} called next() again. A request is handled once.`)
        hasCalledNext = true
        const response = await inner(request)
        // The function may wait before it returns the response, or return another one.
        ignoreFailuresIn(response)
        return response
      }
      const next = (): Promise<RestResponse> => {
        const response = new ObservedResponse((resolve) => resolve(runInner()))
        // A function that does not wait for it would otherwise leave a rejection unhandled, which ends the process.
        response.whenRejected((err) => {
          if (hasEnded) onLateFailure(err, request.id)
          else reports.push(() => response.isAwaited || onLateFailure(err, request.id))
        })
        return response
      }
      try {
        return handlerResponse(await call(request, next), subject)
      } finally {
        hasEnded = true
        for (const report of reports) report()
      }
    }
  }, innermost)
}
