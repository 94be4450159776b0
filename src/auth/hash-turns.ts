import { setImmediate as nextTurn } from 'node:timers/promises'
import { HasherBusyError } from './password-hash.js'
import type { HashTask } from './hash-task.js'

/**
 * Computes hashes where there are no threads, on the thread that answers requests: one a turn of the event loop, so that
 * requests pass in between, and a bounded queue before it.
 */
export class HashTurns {
  readonly #mostWaiting: number
  #waiting = 0
  #closed = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(mostWaiting: number) {
    this.#mostWaiting = mostWaiting
  }

  /** @throws HasherBusyError when the queue is full, or when it has been closed. */
  async run(task: HashTask): Promise<boolean | string> {
    if (this.#closed || this.#waiting >= this.#mostWaiting)
      throw new HasherBusyError('Too many passwords wait to be checked.')
    this.#waiting += 1
    const result = this.#last.then(async () => {
      await nextTurn()
      this.#waiting -= 1
      if (this.#closed) throw new HasherBusyError('The service is closing.')
      // Where there are threads, as nearly everywhere, the process itself never loads what they load.
      const { resultOf } = await import('./hash-task.js')
      return resultOf(task)
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  async close(): Promise<void> {
    this.#closed = true
  }
}
