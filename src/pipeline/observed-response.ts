import type { RestResponse } from '../http/rest-response.js'

/** A promise that tells whether any code waits for it. `await` calls `then` of a promise of another class than `Promise`. */
export class ObservedResponse extends Promise<RestResponse> {
  #isAwaited = false

  /** `then` returns a plain promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  get isAwaited(): boolean {
    return this.#isAwaited
  }

  // `await` calls it, which is what this class observes.
  // oxlint-disable-next-line no-thenable
  override then<A = RestResponse, B = never>(
    onFulfilled?: ((response: RestResponse) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#isAwaited = true
    return super.then(onFulfilled, onRejected)
  }

  /** Calls `work` when the promise has rejected. Does not count as waiting. */
  whenRejected(work: (reason: unknown) => void): void {
    super.then(undefined, work).catch(() => undefined)
  }
}
