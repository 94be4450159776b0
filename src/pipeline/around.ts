import type { BindFunction } from '../base/bind-function.js'
import { ignoreFailuresIn } from './raw-response.js'
import type { HttpRequest } from '../http/http-request.js'
import type { RestResponse } from '../http/rest-response.js'
import type { Endpoint } from '../routing/endpoint.js'
import { HandlerError } from './handler-error.js'
import { handlerResponse } from './handler-response.js'
import { ObservedResponse } from './observed-response.js'

/** A function of a list `around`. `bind` is for functions of its own that it calls later. */
export type AroundFunction = (request: HttpRequest, next: () => Promise<RestResponse>, bind: BindFunction) => unknown

type Handle = (request: HttpRequest) => Promise<RestResponse>

/** Hears of what failed without a function around it learning of the failure. */
export type OnLateFailure = (err: unknown, requestId: string) => void

/**
 * A handler within functions around it. Composed at the start, so that a request costs one call for each function.
 * @param functions the first one is the outermost. @param name of the endpoint.
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
    const boundAround = bind(around)
    return async (request) => {
      let hasContinued = false
      let isOver = false
      const unseen: (() => void)[] = []
      const continued = async (): Promise<RestResponse> => {
        if (hasContinued) throw new HandlerError(`${subject} called next() again. A request is handled once.`)
        hasContinued = true
        const response = await inner(request)
        // The function may wait before it returns the response, or return another one.
        ignoreFailuresIn(response)
        return response
      }
      const next = (): Promise<RestResponse> => {
        const response = new ObservedResponse((resolve) => resolve(continued()))
        // A function that does not wait for it would otherwise leave a rejection unhandled, which ends the process.
        response.whenRejected((err) => {
          if (isOver) onLateFailure(err, request.id)
          else unseen.push(() => response.isAwaited || onLateFailure(err, request.id))
        })
        return response
      }
      try {
        return handlerResponse(await boundAround(request, next, bind), subject)
      } finally {
        isOver = true
        for (const report of unseen) report()
      }
    }
  }, innermost)
}
