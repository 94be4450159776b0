import type { ClientPresence } from '../base/client-presence.js'
import type { IncomingRequest } from '../http/exchange.js'
import type { HttpRequest } from '../http/http-request.js'

/**
 * The requests that wait for one response of the cache, as the client of the request that is made to compute it. It has left when
 * each of them has left or is over its time limit. Their connections are watched only while something listens.
 */
export class WaitingRequests implements ClientPresence {
  readonly readableEnded = false
  readonly #waiting = new Set<IncomingRequest>()
  readonly #late = new Set<IncomingRequest>()
  readonly #computing = new Set<HttpRequest>()
  readonly #listeners = new Set<() => void>()

  /** The number of requests that have no response yet, those that have left included. */
  get size(): number {
    return this.#waiting.size
  }

  get destroyed(): boolean {
    for (const request of this.#waiting) if (!this.hasLeft(request)) return false
    return true
  }

  add(request: IncomingRequest): void {
    this.#waiting.add(request)
    if (this.#listeners.size > 0) this.#watch(request)
  }

  /** The request has its response. */
  delete(request: IncomingRequest): void {
    if (this.#listeners.size > 0) this.#unwatch(request)
    this.#waiting.delete(request)
    this.#late.delete(request)
  }

  /** @param request computes the response. It is aborted when the last of the requests is over its time limit. */
  beginComputing(request: HttpRequest): void {
    this.#computing.add(request)
  }

  endComputing(request: HttpRequest): void {
    this.#computing.delete(request)
  }

  /** The time limit of a request is over. */
  timedOut(request: IncomingRequest, reason: DOMException): void {
    this.#late.add(request)
    if (this.destroyed) for (const computing of this.#computing) computing.abort(reason)
  }

  /** Whether the request waits no more: its client has left, or its time limit is over. */
  hasLeft(request: IncomingRequest): boolean {
    return this.#late.has(request) || hasLeft(request)
  }

  /** @param listener called when the last client leaves. */
  once(event: 'end' | 'close', listener: () => void): void {
    if (event !== 'close') return
    if (this.#listeners.size === 0) for (const request of this.#waiting) this.#watch(request)
    this.#listeners.add(listener)
  }

  off(event: 'end' | 'close', listener: () => void): void {
    if (event !== 'close' || !this.#listeners.delete(listener) || this.#listeners.size > 0) return
    for (const request of this.#waiting) this.#unwatch(request)
  }

  #watch({ client }: IncomingRequest): void {
    client?.once?.('end', this.#onLeft)
    client?.once?.('close', this.#onLeft)
  }

  #unwatch({ client }: IncomingRequest): void {
    client?.off?.('end', this.#onLeft)
    client?.off?.('close', this.#onLeft)
  }

  readonly #onLeft = (): void => {
    if (this.destroyed) for (const listener of this.#listeners) listener()
  }
}

/** Whether the client of a request has left. One that has closed its sending side counts as gone. */
export const hasLeft = ({ client }: IncomingRequest): boolean =>
  client?.destroyed === true || client?.readableEnded === true
