import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Requester } from './fair-queue.js'
import type { HashTask } from './hash-task.js'
import { PendingTasks } from './pending-tasks.js'

/**
 * Computes hashes on the main thread, for a process that cannot start worker threads. Each hash has its own turn of the
 * event loop, so that requests are handled between two hashes. The queue is bounded, and fair to all networks.
 */
export class MainThreadHasher {
  readonly #pending: PendingTasks
  #isWorking = false

  /** @param maxWaiting see `FairQueue`. */
  constructor(maxWaiting: number) {
    this.#pending = new PendingTasks(maxWaiting)
  }

  /** @throws HasherBusyError when the queue is closed, or the task has no place in the queue or loses it. */
  run(task: HashTask, requester?: Requester): Promise<boolean | string> {
    const result = this.#pending.add(task, requester)
    if (!this.#isWorking) void this.#work()
    return result
  }

  async close(): Promise<void> {
    this.#pending.close()
  }

  /** Computes the waiting hashes. */
  async #work(): Promise<void> {
    this.#isWorking = true
    for (;;) {
      await nextTurn()
      const next = this.#pending.next()
      if (next === null) break
      // Imported here, because a process with worker threads never needs the hash libraries on its main thread.
      const result = import('./hash-task.js').then(({ resultOf }) => resultOf(next.task))
      await result.then(next.resolve, next.reject)
    }
    this.#isWorking = false
  }
}
