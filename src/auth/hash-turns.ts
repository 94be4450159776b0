import { setImmediate as nextTurn } from 'node:timers/promises'
import { HasherBusyError } from './password-hash.js'
import type { HashTask } from './hash-task.js'

/**
 * Computes hashes on the main thread, for a process that cannot start worker threads. Each hash has its own turn of the
 * event loop, so that requests are handled between two hashes. The queue is bounded.
 */
export class HashTurns {
  readonly #maxWaiting: number
  #waiting = 0
  #closed = false
  /** Settles when the last task of the queue is done. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting
  }

  /** @throws HasherBusyError when the queue is full or closed. */
  async run(task: HashTask): Promise<boolean | string> {
    if (this.#closed || this.#waiting >= this.#maxWaiting)
      throw new HasherBusyError('Too many passwords wait to be checked.')
    this.#waiting += 1
    const result = this.#last.then(async () => {
      await nextTurn()
      this.#waiting -= 1
      if (this.#closed) throw new HasherBusyError('The service is closing.')
      // Imported here, because a process with worker threads never needs the hash libraries on its main thread.
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
