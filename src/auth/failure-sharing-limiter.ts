import { LRUCache } from 'lru-cache'
import type { Attempt, AttemptLimiter } from './attempt-limiter.js'
import { LockOutReports } from './lock-out-reports.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import { networkOf } from './network.js'
import { RateLimiter } from './rate-limiter.js'
import { rateLimits, type LimitName } from './rate-limits.js'
import { inTime } from './replaced-counters.js'
import { countedAttempt, type CountedAttempt, type SharedCounter, type SharedCounters } from './shared-counters.js'
import type { SharedLimiterOptions } from './shared-limiter.js'

/** Maximum number of shared counters whose last reply is remembered. */
const maxCounterStates = 10_000

/** Maximum number of failures on their way to the shared counters. Further ones count in this process only. */
const maxCounting = 100

/** Maximum number of pairs of an address and an account whose hashed names are remembered. */
const maxAttempts = 1000
/** Maximum length of a remembered pair, in UTF-16 code units. */
const maxAttemptKey = 300

/** The last known state of a shared counter that is not empty. */
interface CounterState {
  /** Until when an attempt has to wait, and when the counter will be empty. */
  readonly refusesUntil: number
  readonly emptyAt: number
}

/**
 * Limits the attempts with application passwords. Programs send such a password with each request, and it cannot be guessed.
 * This process counts each attempt. The counters that the processes share count failures only, after the response. The next attempt
 * of the network, or at the account, waits for their reply and obeys it. So each process may check one failed attempt more than
 * a limit allows, or as many as it checks at the same moment. A successful attempt calls the shared counters only where this process knows
 * of failures before it.
 */
export class FailureSharingLimiter implements AttemptLimiter {
  readonly #clock: () => number
  readonly #name: LimitName
  readonly #localLimiter: RateLimiter
  readonly #counters: SharedCounters
  readonly #reports: LockOutReports
  readonly #onFailure: (error: unknown) => void
  readonly #counterStates = new Map<string, CounterState>()
  /** By address and account, which alone the hashed names depend on. */
  readonly #attempts = new LRUCache<string, CountedAttempt>({ max: maxAttempts })
  #counting = 0
  /** The count of the latest failure at each shared counter that has not replied to it yet. */
  readonly #counts = new Map<string, Promise<void>>()
  /** The limits of this process that begin to refuse with the current attempt, with the wait in milliseconds. */
  readonly #localWaits = new Map<SharedCounter['limit'], number>()

  constructor(name: LimitName, counters: SharedCounters, { clock, onLockOut, onFailure }: SharedLimiterOptions) {
    this.#clock = clock
    this.#name = name
    this.#localLimiter = new RateLimiter(rateLimits[name], clock, ({ limit, wait }) =>
      this.#localWaits.set(limit, wait * 1000),
    )
    this.#counters = counters
    this.#reports = new LockOutReports(onLockOut, clock)
    this.#onFailure = onFailure
  }

  begin(account: string, address: string, login = account): MaybePromise<Attempt | number> {
    const attempt = this.#localLimiter.begin(account, address, login)
    if (typeof attempt === 'number') {
      if (this.#localWaits.size > 0)
        this.#reports.report(this.#attempt(account, address), this.#localWaits, networkOf(address), login)
      this.#localWaits.clear()
      return attempt
    }
    const counts = this.#counts.size === 0 ? [] : this.#countsBefore(attempt, account, address)
    if (counts.length === 0) return this.#begun(attempt, account, address, login)
    // Without a reply in time, the last known states hold.
    return inTime(Promise.all(counts))
      .catch(() => undefined)
      .then(() => this.#begun(attempt, account, address, login))
  }

  /** The counts of earlier failures that an attempt waits for: its limits may refuse it once they are counted. */
  #countsBefore({ requester: { isTrusted } }: Attempt, account: string, address: string): readonly Promise<void>[] {
    const { counters, prefix } = this.#attempt(account, address)
    return [...counters, prefix].flatMap(({ limit, name }) =>
      limit === 'pair' || !isTrusted ? (this.#counts.get(name) ?? []) : [],
    )
  }

  /** @param attempt one that this process allows. */
  #begun(attempt: Attempt, account: string, address: string, login: string): Attempt | number {
    const wait = this.#counterStates.size === 0 ? 0 : this.#waitOf(attempt, account, address, login)
    if (wait > 0) {
      attempt.abandoned()
      return wait
    }
    let isOpen = true
    const ended = (end: () => void) => (): void => {
      if (isOpen) end()
      isOpen = false
    }
    return {
      requester: attempt.requester,
      succeeded: ended(() => {
        attempt.succeeded()
        if (this.#counterStates.size > 0) this.#forgetPair(account, address)
      }),
      failed: ended(() => {
        attempt.failed()
        this.#countFailure(this.#attempt(account, address))
      }),
      abandoned: ended(() => attempt.abandoned()),
    }
  }

  /** The counters of an attempt, with their hashed names. Hashing is the most expensive part of a look-up, so names are remembered. */
  #attempt(account: string, address: string): CountedAttempt {
    const key = `${address}\n${account}`
    const remembered = this.#attempts.get(key)
    if (remembered !== undefined) return remembered
    const attempt = countedAttempt(this.#name, rateLimits[this.#name], account, address)
    if (key.length <= maxAttemptKey) this.#attempts.set(key, attempt)
    return attempt
  }

  /** Seconds, rounded up, for which the shared counters refuse the attempt by their last known states; 0 when they do not. */
  #waitOf({ requester: { isTrusted } }: Attempt, account: string, address: string, login: string): number {
    const attempt = this.#attempt(account, address)
    const now = this.#clock()
    const waits = new Map<SharedCounter['limit'], number>()
    for (const { limit, name } of [...attempt.counters, attempt.prefix]) {
      const wait = (this.#counterStates.get(name)?.refusesUntil ?? 0) - now
      if (wait > 0 && (limit === 'pair' || !isTrusted)) waits.set(limit, wait)
    }
    return waits.size === 0 ? 0 : this.#reports.report(attempt, waits, networkOf(address), login)
  }

  #countFailure(attempt: CountedAttempt): void {
    if (this.#counting >= maxCounting) return
    const names = [...attempt.counters, attempt.prefix].map(({ name }) => name)
    const counted = this.#count(attempt).finally(() => {
      for (const name of names) if (this.#counts.get(name) === counted) this.#counts.delete(name)
    })
    for (const name of names) this.#counts.set(name, counted)
  }

  async #count(attempt: CountedAttempt): Promise<void> {
    this.#counting += 1
    try {
      const waits = await this.#counters.fail(attempt)
      const now = this.#clock()
      for (const { limit, name, capacity } of [...attempt.counters, attempt.prefix]) {
        const wait = waits.get(limit) ?? 0
        this.#counterStates.delete(name)
        this.#counterStates.set(name, { refusesUntil: now + wait, emptyAt: now + capacity + wait })
      }
      for (const [name, { emptyAt }] of this.#counterStates)
        if (this.#counterStates.size > maxCounterStates || emptyAt <= now) this.#counterStates.delete(name)
        else break
    } catch (error) {
      this.#onFailure(error)
    } finally {
      this.#counting -= 1
    }
  }

  /** After a right password: removes the shared failures of its network at its account, if this process knows of any. */
  #forgetPair(account: string, address: string): void {
    const pair = this.#attempt(account, address).counters.find(({ limit }) => limit === 'pair')
    if (pair !== undefined && this.#counterStates.delete(pair.name)) this.#counters.empty(pair).catch(this.#onFailure)
  }
}
