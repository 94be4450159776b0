import { AsyncLocalStorage } from 'node:async_hooks'
import type { MaybePromise } from './maybe-promise.js'

/**
 * A value of the asynchronous context. It is disabled while no call of `run` is in progress: on Node 20 a context slows
 * every small request of the process, also those outside it.
 */
export class TemporaryContext<T> {
  readonly #storage = new AsyncLocalStorage<T | undefined>()
  /** The number of calls of `run` in progress. */
  #running = 0

  /** The value of the work in progress; undefined outside. */
  get(): T | undefined {
    return this.#storage.getStore()
  }

  /** Runs `work`, and everything it starts, with the value. What is left running afterwards may lose it. */
  run<R>(value: T, work: () => MaybePromise<R>): MaybePromise<R> {
    this.#running += 1
    const ended = (): void => {
      this.#running -= 1
      if (this.#running === 0) this.#storage.disable()
    }
    let result: MaybePromise<R>
    try {
      result = this.#storage.run(value, work)
    } catch (error) {
      ended()
      throw error
    }
    if (result instanceof Promise) return result.finally(ended)
    ended()
    return result
  }
}
