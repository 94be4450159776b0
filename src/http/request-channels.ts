import { channel } from 'node:diagnostics_channel'

/** A request as monitoring sees it. The messages of its start and of its end hold the same object. */
export interface ObservedRequest {
  /** Sent as `X-Request-Id`, and part of each line of the log. Absent for a request that does not reach the service. */
  readonly requestId?: string
  /** Absent when the head of the request could not be read, like the path. */
  readonly method?: string
  /** Percent-encoded, without the query. */
  readonly path?: string
  /** The address of the client. For a request that does not reach the service, the address of the peer. */
  readonly address: string
}

export interface StartMessage {
  readonly request: ObservedRequest
}

export interface FinishMessage {
  readonly request: ObservedRequest
  readonly status: number
  /** How long the response took to compute. 0 for a request that does not reach the service. */
  readonly milliseconds: number
  /** `shop/v1/products/(?P<id>\d+)`, as declared. Null outside the REST routes. Computed when it is read. */
  readonly route: string | null
  /** `ProductsApi.show`. Null outside the REST routes. Computed when it is read. */
  readonly handler: string | null
}

/**
 * Channels of `node:diagnostics_channel`. Each request is published once on each, whichever way the server reads it: those
 * of `node:http` do not see the requests of the fast path.
 */
export const requestStart = channel('as-rest-route.request.start')
export const requestFinish = channel('as-rest-route.request.finish')

/** Whether messages are needed. One call for each request. */
export const isObserved = (): boolean => requestStart.hasSubscribers || requestFinish.hasSubscribers

/** Publishes a request that was refused before it reached the service. */
export function publishRefusal(request: ObservedRequest, status: number): void {
  if (!isObserved()) return
  requestStart.publish({ request } satisfies StartMessage)
  requestFinish.publish({ request, status, milliseconds: 0, route: null, handler: null } satisfies FinishMessage)
}
