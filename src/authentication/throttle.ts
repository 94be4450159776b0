import { LRUCache } from 'lru-cache'
import { networkOf } from './network.js'

/** So many failures at once are free; after that one more every so many seconds. */
export interface Allowance {
  readonly failures: number
  readonly secondsEach: number
}

/** How many wrong credentials are taken before callers are told to wait. */
export interface ThrottleLimits {
  /** Of one account from one network. */
  readonly pair: Allowance
  /** From one network, of any accounts; not for accounts that it has signed in to. */
  readonly network: Allowance
  /** Of one account, from all networks together; holds up only networks that have never signed in to it. */
  readonly account: Allowance
}

/**
 * For passwords that people choose. Ten mistakes are more than people make; one guess in 30 seconds is 2,880 a day.
 * An account attacked from everywhere takes 8,640 guesses a day altogether.
 */
export const signInLimits: ThrottleLimits = {
  pair: { failures: 10, secondsEach: 30 },
  network: { failures: 100, secondsEach: 6 },
  account: { failures: 100, secondsEach: 10 },
}

/**
 * For application passwords. Nobody guesses 142 bits; these limits keep a program with an outdated password from
 * keeping the service busy.
 */
export const applicationPasswordLimits: ThrottleLimits = {
  pair: { failures: 60, secondsEach: 6 },
  network: { failures: 300, secondsEach: 2 },
  account: { failures: 1000, secondsEach: 1 },
}

/**
 * At most so many of each kind of counter; the least recently used are forgotten. As a sum of sizes, because room for a
 * `max` is set aside at once: 3 MB and 14 ms of each start for the eight of them.
 */
const mostCounters = { maxSize: 20_000, sizeCalculation: () => 1 }

/** An attempt that was let through. It counts as a failure until one of these is called. */
export interface Attempt {
  /** The credentials were right: earlier mistakes of this account from here are forgiven. */
  succeeded(): void
  /** Nothing was found out about the credentials. */
  abandoned(): void
}

/**
 * Slows down guessing without locking anybody out: counters leak, so every refusal ends by itself, and a network that
 * has signed in to an account before is never held up by what others do. Bounded memory; one process.
 */
export class Throttle {
  readonly #pairs: LeakyCounters
  readonly #networks: LeakyCounters
  readonly #accounts: LeakyCounters
  readonly #welcome = new LRUCache<string, true>(mostCounters)

  /** @param clock milliseconds since 1970. */
  constructor(limits: ThrottleLimits, clock: () => number) {
    this.#pairs = new LeakyCounters(limits.pair, clock)
    this.#networks = new LeakyCounters(limits.network, clock)
    this.#accounts = new LeakyCounters(limits.account, clock)
  }

  /**
   * Asks whether credentials may be looked at. Attempts that are under way count, so that many at once gain nothing.
   *
   * @param account what tells accounts apart; unknown ones too.
   * @returns the attempt, or how many seconds to wait.
   */
  begin(account: string, address: string): Attempt | number {
    const network = networkOf(address)
    const pair = `${network} ${account}`
    const welcome = this.#welcome.has(pair)
    const wait = Math.max(
      this.#pairs.wait(pair),
      welcome ? 0 : this.#networks.wait(network),
      welcome ? 0 : this.#accounts.wait(account),
    )
    if (wait > 0) return wait
    const count = (by: number) => {
      this.#pairs.add(pair, by)
      this.#networks.add(network, by)
      this.#accounts.add(account, by)
    }
    count(1)
    return {
      succeeded: () => {
        count(-1)
        this.#pairs.empty(pair)
        this.#welcome.set(pair, true)
      },
      abandoned: () => count(-1),
    }
  }
}

/** Counters that fall by one each so many seconds, down to nothing. */
class LeakyCounters {
  readonly #counters = new LRUCache<string, Counter>(mostCounters)
  readonly #allowance: Allowance
  readonly #clock: () => number

  constructor(allowance: Allowance, clock: () => number) {
    this.#allowance = allowance
    this.#clock = clock
  }

  /** Whole seconds until one more is allowed; 0 when it is now. */
  wait(key: string): number {
    const counter = this.#counters.get(key)
    if (counter === undefined) return 0
    const excess = this.#levelOf(counter) + 1 - this.#allowance.failures
    return excess <= 0 ? 0 : Math.ceil(excess * this.#allowance.secondsEach)
  }

  add(key: string, by: number): void {
    const counter = this.#counters.get(key)
    if (counter === undefined) this.#counters.set(key, { level: Math.max(0, by), at: this.#clock() })
    else this.#set(counter, Math.max(0, this.#levelOf(counter) + by))
  }

  // Counters are emptied, never deleted: deleting the last entry makes lru-cache clear all of its arrays, 0.2 ms.
  empty(key: string): void {
    const counter = this.#counters.get(key)
    if (counter !== undefined) this.#set(counter, 0)
  }

  #levelOf({ level, at }: Counter): number {
    const elapsed = Math.max(0, this.#clock() - at)
    return Math.max(0, level - elapsed / (1000 * this.#allowance.secondsEach))
  }

  #set(counter: Counter, level: number): void {
    counter.level = level
    counter.at = this.#clock()
  }
}

interface Counter {
  level: number
  /** Milliseconds since 1970. */
  at: number
}
