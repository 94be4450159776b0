import type { CountedRequest, RequestCounter } from './request-counters.js'
import type { BegunAttempt, CountedAttempt, SharedCounter, SharedCounters, Waits } from './shared-counters.js'

/** Milliseconds between two attempts to reach counters that were lost. */
const retryInterval = 1000

/** Called when counters can no longer be reached, and when they can again. */
export interface LossEvents {
  /** Called once when they do not answer. @param error why. */
  readonly onLost: (error: unknown) => void
  readonly onReturned: () => void
}

/** Counters that others take the place of while they do not answer. An attempt is ended where it was begun. */
export class ReplacedCounters implements SharedCounters {
  readonly #preferred: SharedCounters
  readonly #replacement: SharedCounters
  readonly #answers: () => Promise<unknown>
  readonly #events: LossEvents
  #timer: NodeJS.Timeout | null = null
  #isClosed = false

  /** @param answers rejects while the preferred counters do not answer, or cannot count. */
  constructor(
    preferred: SharedCounters,
    replacement: SharedCounters,
    answers: () => Promise<unknown>,
    events: LossEvents,
  ) {
    this.#preferred = preferred
    this.#replacement = replacement
    this.#answers = answers
    this.#events = events
  }

  begin(attempt: CountedAttempt): Promise<BegunAttempt> {
    return this.#use((counters) => counters.begin(attempt))
  }

  fail(attempt: CountedAttempt): Promise<Waits> {
    return this.#use((counters) => counters.fail(attempt))
  }

  empty(counter: SharedCounter): Promise<void> {
    return this.#use((counters) => counters.empty(counter))
  }

  count(counter: RequestCounter): Promise<CountedRequest> {
    return this.#use((counters) => counters.count(counter))
  }

  /** The preferred counters do not answer. From now on it is tried again and again to reach them. */
  lose(error: unknown): void {
    if (this.#timer !== null || this.#isClosed) return
    this.#events.onLost(error)
    this.#retryLater()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer ?? undefined)
  }

  async #use<T>(work: (counters: SharedCounters) => Promise<T>): Promise<T> {
    if (this.#timer === null && !this.#isClosed) {
      try {
        return await work(this.#preferred)
      } catch (error) {
        this.lose(error)
      }
    }
    return work(this.#replacement)
  }

  #retryLater(): void {
    this.#timer = setTimeout(() => void this.#retry(), retryInterval)
    this.#timer.unref()
  }

  async #retry(): Promise<void> {
    const isBack = await this.#answers().then(
      () => true,
      () => false,
    )
    if (this.#isClosed) return
    if (!isBack) return this.#retryLater()
    this.#timer = null
    this.#events.onReturned()
  }
}
