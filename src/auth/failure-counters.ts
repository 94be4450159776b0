import { ExpiryQueue, type Expiring } from './expiry-queue.js'

/** A limit of failed attempts. */
export interface Allowance {
  /** Number of failures without a wait. `Infinity` for no limit. */
  readonly failures: number
  /** Seconds until each further attempt. */
  readonly secondsEach: number
}

/** Unused counters are deleted together: deleting each one after a successful attempt makes an attempt a third slower. */
const maxUnused = 5000

/**
 * Leaky buckets by key: each failure adds one, and one leaks out in `secondsEach`. Attempts in progress count as
 * failures.
 *
 * At most `maxFailed` counters hold failures. When there are more, the counter that would be empty first is forgotten:
 * a counter gives way only to one with at least as many failures. Further counters have attempts in progress, whose
 * number the queue of password hashes bounds, or are unused. Times are whole milliseconds of a monotonic clock.
 */
export class FailureCounters {
  readonly #allowance: Allowance
  readonly #maxFailed: number
  readonly #counters = new Map<string, FailureCounter>()
  /** The counters that hold failures. */
  readonly #failed = new ExpiryQueue<FailureCounter>()

  constructor(allowance: Allowance, maxFailed = 20_000) {
    this.#allowance = allowance
    this.#maxFailed = maxFailed
  }

  /** Whole seconds until the next attempt is allowed; 0 when it is allowed now. Creates no counter. */
  waitOf(key: string, now: number): number {
    const counter = this.#counters.get(key)
    if (counter === undefined) return 0
    const { failures, secondsEach } = this.#allowance
    const millisecondsLeft = Math.max(0, counter.expiresAt - now)
    const wait = (counter.inProgress + 1 - failures) * secondsEach * 1000 + millisecondsLeft
    return Math.max(0, Math.ceil(wait / 1000))
  }

  /** Whether this is the first refusal since the counter was empty. */
  isFirstRefusal(key: string): boolean {
    const counter = this.#counters.get(key)
    const isFirst = counter?.isReported === false
    if (counter !== undefined) counter.isReported = true
    return isFirst
  }

  /** Begins an attempt, which `end` ends. */
  begin(key: string, now: number): FailureCounter {
    const counter = this.#counters.get(key) ?? this.#add(key)
    if (counter.inProgress === 0 && counter.expiresAt <= now) counter.isReported = false
    counter.inProgress += 1
    return counter
  }

  /** Ends an attempt. */
  end(counter: FailureCounter): void {
    counter.inProgress -= 1
  }

  /** Adds a failure. @returns whether failures of this or another counter were forgotten for it. */
  addFailure(counter: FailureCounter, now: number): boolean {
    counter.expiresAt = Math.max(now, counter.expiresAt) + 1000 * this.#allowance.secondsEach
    this.#failed.put(counter)
    for (let first = this.#failed.first(); first && first.expiresAt <= now; first = this.#failed.first())
      this.empty(first)
    const first = this.#failed.size > this.#maxFailed ? this.#failed.first() : undefined
    if (first !== undefined) this.empty(first)
    return first !== undefined
  }

  /** Removes the failures of a counter. */
  empty(counter: FailureCounter): void {
    this.#failed.remove(counter)
    counter.expiresAt = 0
  }

  #add(key: string): FailureCounter {
    if (this.#counters.size >= this.#maxFailed + maxUnused) this.#deleteUnused()
    const counter = new FailureCounter()
    this.#counters.set(key, counter)
    return counter
  }

  #deleteUnused(): void {
    for (const [key, counter] of this.#counters)
      if (counter.inProgress === 0 && counter.position === -1) this.#counters.delete(key)
  }
}

/** The attempts of one key. */
export class FailureCounter implements Expiring {
  /** When all failures have leaked out. */
  expiresAt = 0
  position = -1
  inProgress = 0
  isReported = false
}
