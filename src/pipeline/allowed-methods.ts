import { isThenable } from '../base/thenable.js'
import type { HttpRequest } from '../http/http-request.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { Route } from '../routing/table.js'
import type { Decisions } from '../routing/permission.js'
import { verdictOf } from './authorize.js'

type Handlers = Route<Endpoint>['handlers']

/** The verdict about the handler at an index of the route. */
interface PendingVerdict {
  readonly index: number
  readonly verdict: Promise<unknown>
}

/** Computes values of the header `Allow`. A route has few distinct values; each is joined once and stored. */
export class AllowedMethods {
  readonly #values = new WeakMap<Handlers, Map<number, string>>()

  /**
   * The methods of a route that the caller may use with this request, in the order of their registration. A permission
   * callback of another method that throws counts as a refusal, and its error is not reported.
   */
  // Rules: docs/wire.md#allow.
  of(request: HttpRequest, { handlers }: Route<Endpoint>, decisions: Decisions): string | Promise<string> {
    let admitting = 0
    let pending: PendingVerdict[] | null = null
    for (let index = 0; index < handlers.length; index += 1) {
      const verdict = verdictOf(request, handlers[index] as Endpoint, decisions)
      if (verdict === true) admitting += 2 ** index
      else if (isThenable(verdict)) (pending ??= []).push({ index, verdict: Promise.resolve(verdict) })
    }
    return pending === null ? this.#join(handlers, admitting) : this.#afterAll(handlers, admitting, pending)
  }

  /** Waits for the verdicts by counting them. An asynchronous loop would create twice as many promises. */
  #afterAll(handlers: Handlers, admittingAtOnce: number, pending: readonly PendingVerdict[]): Promise<string> {
    return new Promise((resolve) => {
      let admitting = admittingAtOnce
      let pendingCount = pending.length
      const settle = (index: number, verdict: unknown): void => {
        if (verdict === true) admitting += 2 ** index
        pendingCount -= 1
        if (pendingCount === 0) resolve(this.#join(handlers, admitting))
      }
      for (const { index, verdict } of pending)
        verdict.then(
          (settled) => settle(index, settled),
          () => settle(index, false),
        )
    })
  }

  /** @param admitting the sum of 2 to the power of n for each handler n that lets the caller in. */
  #join(handlers: Handlers, admitting: number): string {
    let values = this.#values.get(handlers)
    if (!values) this.#values.set(handlers, (values = new Map<number, string>()))
    let value = values.get(admitting)
    if (value === undefined) {
      const admitted = handlers.filter((_, index) => Math.floor(admitting / 2 ** index) % 2 === 1)
      values.set(admitting, (value = admitted.flatMap(({ methods }) => methods).join(', ')))
    }
    return value
  }
}
