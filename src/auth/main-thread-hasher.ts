import { setImmediate as nextTurn } from 'node:timers/promises'
import { FairQueue, unknownRequester, type Requester } from './fair-queue.js'
import { HasherBusyError } from './password-hash.js'
import type { HashTask } from './hash-task.js'
import type { PendingTask } from './pending-task.js'

/**
 * Computes hashes on the main thread, for a process that cannot start worker threads. Each hash has its own turn of the
 * event loop, so that requests are handled between two hashes. The queue is bounded, and fair to all networks.
 */
export class MainThreadHasher {
  readonly #waiting: FairQueue<PendingTask>
  #isWorking = false
  #closed = false

  /** @param maxWaiting see {@link FairQueue}. */
  constructor(maxWaiting: number) {
    this.#waiting = new FairQueue(maxWaiting)
  }

  /** @throws HasherBusyError when the queue is closed, or the task has no place in the queue or loses it. */
  run(task: HashTask, requester: Requester = unknownRequester): Promise<boolean | string> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new HasherBusyError('The service is closing.'))
        return
      }
      const refused = this.#waiting.add({ task, resolve, reject }, requester)
      refused?.reject(new HasherBusyError('Too many passwords wait to be checked.'))
      if (!this.#isWorking) void this.#work()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { reject } of this.#waiting.clear()) reject(new HasherBusyError('The service is closing.'))
  }

  /** Computes the waiting hashes. */
  async #work(): Promise<void> {
    this.#isWorking = true
    for (;;) {
      await nextTurn()
      const next = this.#waiting.next()
      if (next === null) break
      // Imported here, because a process with worker threads never needs the hash libraries on its main thread.
      const result = import('./hash-task.js').then(({ resultOf }) => resultOf(next.task))
      await result.then(next.resolve, next.reject)
    }
    this.#isWorking = false
  }
}
