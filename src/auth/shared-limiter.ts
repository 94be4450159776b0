import type { Attempt, AttemptLimiter, LockOut } from './attempt-limiter.js'
import { LockOutReports } from './lock-out-reports.js'
import { networkOf } from './network.js'
import { rateLimits, type LimitName } from './rate-limits.js'
import { countedAttempt, type SharedCounters } from './shared-counters.js'

/** The clock of a shared limiter, and the functions that it calls. */
export interface SharedLimiterOptions {
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number
  readonly onLockOut: (lockOut: LockOut) => void
  /** Called when the end of an attempt could not be counted: it then counts as a failure. */
  readonly onFailure: (error: unknown) => void
}

/** Limits attempts by counters that several processes share. */
export class SharedLimiter implements AttemptLimiter {
  readonly #name: LimitName
  readonly #counters: SharedCounters
  readonly #reports: LockOutReports
  readonly #onFailure: (error: unknown) => void

  constructor(name: LimitName, counters: SharedCounters, { clock, onLockOut, onFailure }: SharedLimiterOptions) {
    this.#name = name
    this.#counters = counters
    this.#reports = new LockOutReports(onLockOut, clock)
    this.#onFailure = onFailure
  }

  /** See {@link AttemptLimiter.begin}. @throws StorageError when the counters cannot be reached. */
  async begin(account: string, address: string, login = account): Promise<Attempt | number> {
    const attempt = countedAttempt(this.#name, rateLimits[this.#name], account, address)
    const { isTrusted, waits, end } = await this.#counters.begin(attempt)
    const network = networkOf(address)
    if (end === null) return this.#reports.report(attempt, waits, network, login)
    let isOpen = true
    const ended = (finish: () => Promise<void>) => (): void => {
      if (isOpen) finish().catch(this.#onFailure)
      isOpen = false
    }
    return {
      requester: { network, account, isTrusted },
      succeeded: ended(() => end.succeeded()),
      failed: ended(() => end.failed()),
      abandoned: ended(() => end.abandoned()),
    }
  }
}
