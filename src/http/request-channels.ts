import { channel } from 'node:diagnostics_channel'

/**
 * Channels of `node:diagnostics_channel` for monitoring. Every request of the service is published: once on the first
 * channel when it arrives, as a {@link StartMessage}, and once on the second when its response is computed, as a
 * {@link FinishMessage}. The body of a stream is sent after that. The channels of `node:http` are not enough: they miss
 * the simple requests that the service reads from the socket without `node:http`.
 */
export const requestStart = channel('as-rest-route.request.start')
export const requestFinish = channel('as-rest-route.request.finish')

/** The published data of a request. Both messages of a request hold the same object. */
export interface ObservedRequest {
  /**
   * The `X-Request-Id` of the response, which log lines about the request contain. Absent for a request that the HTTP
   * server refuses.
   */
  readonly requestId?: string
  /** Absent when the headers could not be read. */
  readonly method?: string
  /** Percent-encoded, without the query. Absent when the headers could not be read. */
  readonly path?: string
  /**
   * The network address of the client, as trusted proxies forward it. For a request that the HTTP server refuses, the
   * address of the other end of the connection.
   */
  readonly address: string
}

export interface StartMessage {
  readonly request: ObservedRequest
}

export interface FinishMessage {
  readonly request: ObservedRequest
  readonly status: number
  /** How long the response took to compute. 0 for a request that the HTTP server refuses. */
  readonly milliseconds: number
  /** The declared route, such as `shop/v1/products/(?P<id>\d+)`. Null outside the REST routes. Computed on access. */
  readonly route: string | null
  /** The name of the handler, such as `ProductsApi.show`. Null outside the REST routes. Computed on access. */
  readonly handler: string | null
}

/** Whether a channel has a subscriber. Without one, no messages are built. */
export const isObserved = (): boolean => requestStart.hasSubscribers || requestFinish.hasSubscribers

/**
 * Publishes both messages of a request that the HTTP server refused, for example for malformed headers or a body over
 * the limit.
 */
export function publishRefusal(request: ObservedRequest, status: number): void {
  if (!isObserved()) return
  requestStart.publish({ request } satisfies StartMessage)
  requestFinish.publish({ request, status, milliseconds: 0, route: null, handler: null } satisfies FinishMessage)
}
