import { FairQueue, unknownRequester, type Requester } from './fair-queue.js'
import type { HashTask } from './hash-task.js'
import { HasherBusyError } from './password-hash.js'

/** A task with the functions that settle its promise. */
export interface PendingTask {
  readonly task: HashTask
  readonly resolve: (result: boolean | string) => void
  readonly reject: (reason: unknown) => void
}

/** The hashes that wait to be computed, in a bounded queue that is fair to all networks. */
export class PendingTasks {
  readonly #waiting: FairQueue<PendingTask>
  #isClosed = false

  /** @param maxWaiting see {@link FairQueue}. */
  constructor(maxWaiting: number) {
    this.#waiting = new FairQueue(maxWaiting)
  }

  get size(): number {
    return this.#waiting.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /**
   * @returns the result of the task, once it was taken by `next` and computed.
   * @throws HasherBusyError when the queue is closed, or the task has no place in the queue or loses it.
   */
  add(task: HashTask, requester: Requester = unknownRequester): Promise<boolean | string> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) {
        reject(new HasherBusyError('The service is closing.'))
        return
      }
      const refused = this.#waiting.add({ task, resolve, reject }, requester)
      refused?.reject(new HasherBusyError('Too many passwords wait to be checked.'))
    })
  }

  /** Removes the next task. @returns null when none waits. */
  next(): PendingTask | null {
    return this.#waiting.next()
  }

  /** Refuses the tasks that wait, and all later ones. */
  close(): void {
    this.#isClosed = true
    for (const { reject } of this.#waiting.clear()) reject(new HasherBusyError('The service is closing.'))
  }
}
