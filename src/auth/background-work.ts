import { setImmediate as nextTurn } from 'node:timers/promises'
import { UnavailableError } from '../http/unavailable.js'

/** Too many tasks are running. */
export class TooMuchWorkError extends UnavailableError {
  override readonly name = 'TooMuchWorkError'

  constructor() {
    super('Too many messages wait to be sent.', 10)
  }
}

/** Work that goes on after its request was answered. The number of tasks that run at the same time is limited. */
export class BackgroundWork {
  readonly #maxRunning: number
  readonly #onFailure: (error: unknown) => void
  readonly #running = new Set<Promise<void>>()

  /** @param maxRunning tasks at the same time. @param onFailure is called when a task fails or cannot start. */
  constructor(maxRunning: number, onFailure: (error: unknown) => void) {
    this.#maxRunning = maxRunning
    this.#onFailure = onFailure
  }

  /** @returns false when too many tasks are running; then this one does not start. */
  start(work: () => Promise<void>): boolean {
    if (this.#running.size >= this.#maxRunning) {
      this.#onFailure(new TooMuchWorkError())
      return false
    }
    // The work begins after the response is written, so that its duration does not show in that of the response.
    const running = nextTurn()
      .then(work)
      .catch(this.#onFailure)
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
    return true
  }

  /** Whether work is running. */
  get isBusy(): boolean {
    return this.#running.size > 0
  }

  /** Resolves when no work is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
