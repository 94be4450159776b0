import { LRUCache } from 'lru-cache'
import { networkOf } from './network.js'

/** A number of failures that are free, and the seconds after which one more is. */
export interface Allowance {
  readonly failures: number
  readonly secondsEach: number
}

/** The limits of failed attempts. */
export interface RateLimits {
  /** Of one account from one network. */
  readonly pair: Allowance
  /** From one network, of any accounts; not for accounts that it has signed in to. */
  readonly network: Allowance
  /** Of one account, from all networks together. It applies only to networks that have never signed in to the account. */
  readonly account: Allowance
}

/**
 * For passwords that people choose. People make fewer than ten mistakes. At one account, one network guesses 2,889
 * times on the first day and 2,880 times on each after it; fifty networks together, 8,739 and 8,640 times.
 */
export const signInLimits: RateLimits = {
  pair: { failures: 10, secondsEach: 30 },
  network: { failures: 100, secondsEach: 6 },
  account: { failures: 100, secondsEach: 10 },
}

/**
 * For application passwords. 142 bits cannot be guessed. These limits stop a program with an outdated password from
 * occupying the service.
 */
export const applicationPasswordLimits: RateLimits = {
  pair: { failures: 60, secondsEach: 6 },
  network: { failures: 300, secondsEach: 2 },
  account: { failures: 1000, secondsEach: 1 },
}

/**
 * At most so many of each kind of counter; the least recently used are forgotten. As a sum of sizes, because room for a
 * `max` is set aside at once: 3 MB and 14 ms of each start for the eight of them.
 */
const counterLimits = { maxSize: 20_000, sizeCalculation: () => 1 }

/** A refusal by a limit. It is reported once until the counter is empty again. */
export interface LockOut {
  /** The limit that refuses the attempts. */
  readonly limit: keyof RateLimits
  readonly network: string
  /** The login name of the refused attempt. */
  readonly login: string
  /** Seconds until one more attempt is allowed. */
  readonly wait: number
}

/** A permitted attempt. It counts as a failure until one of these methods is called. */
export interface Attempt {
  /** The credentials were right. Earlier failures of this account from this network are removed. */
  succeeded(): void
  /** The credentials were not checked. */
  abandoned(): void
}

/**
 * Limits guessing without locking accounts. The counters are leaky buckets, so every refusal ends by itself. A network that
 * has signed in to an account before is not limited by the failures of other networks. The memory is bounded. Each process
 * has its own counters.
 */
export class RateLimiter {
  readonly #pairs: Counters
  readonly #networks: Counters
  readonly #accounts: Counters
  readonly #welcome = new LRUCache<string, true>(counterLimits)
  readonly #clock: () => number
  readonly #onLockOut: (lockOut: LockOut) => void

  /** @param clock milliseconds since 1970. */
  constructor(limits: RateLimits, clock: () => number, onLockOut: (lockOut: LockOut) => void = () => {}) {
    this.#onLockOut = onLockOut
    this.#pairs = new Counters(limits.pair)
    this.#networks = new Counters(limits.network)
    this.#accounts = new Counters(limits.account)
    this.#clock = clock
  }

  /**
   * Whether credentials may be checked. Attempts in flight count as failures, so that parallel attempts gain nothing.
   *
   * @param account a key of the account, also of an unknown one.
   * @param login the sent login name.
   * @returns the attempt, or the seconds to wait.
   */
  begin(account: string, address: string, login = account): Attempt | number {
    const network = networkOf(address)
    const pair = `${network} ${account}`
    const welcome = this.#welcome.get(pair) ?? false
    const now = this.#clock()
    const ofPair = this.#pairs.find(pair)
    const ofNetwork = this.#networks.find(network)
    const ofAccount = this.#accounts.find(account)
    const wait = Math.max(waitOf(ofPair, now), welcome ? 0 : Math.max(waitOf(ofNetwork, now), waitOf(ofAccount, now)))
    if (wait > 0) {
      const tell = (limit: keyof RateLimits, counter: LeakyBucket | undefined): void => {
        if (waitOf(counter, now) > 0 && counter?.isNews()) this.#onLockOut({ limit, network, login, wait })
      }
      tell('pair', ofPair)
      if (!welcome) {
        tell('network', ofNetwork)
        tell('account', ofAccount)
      }
      return wait
    }
    const mistakes = ofPair ?? this.#pairs.added(pair)
    const counters = [mistakes, ofNetwork ?? this.#networks.added(network), ofAccount ?? this.#accounts.added(account)]
    for (const counter of counters) counter.add(1, now)
    const uncount = () => {
      for (const counter of counters) counter.add(-1, this.#clock())
    }
    return {
      succeeded: () => {
        uncount()
        mistakes.empty()
        if (!welcome) this.#welcome.set(pair, true)
      },
      abandoned: uncount,
    }
  }
}

/** Counters of one kind. They are emptied, never deleted: deleting the last makes lru-cache clear all of its arrays. */
class Counters {
  readonly #counters = new LRUCache<string, LeakyBucket>(counterLimits)
  readonly #allowance: Allowance

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Creates no counter, so that refused attempts, at any number of accounts, displace none. */
  find(key: string): LeakyBucket | undefined {
    return this.#counters.get(key)
  }

  added(key: string): LeakyBucket {
    const counter = new LeakyBucket(this.#allowance)
    this.#counters.set(key, counter)
    return counter
  }
}

const waitOf = (counter: LeakyBucket | undefined, now: number): number => counter?.wait(now) ?? 0

/** A leaky bucket: it falls by one each so many seconds, down to 0. Times are milliseconds since 1970. */
class LeakyBucket {
  readonly #allowance: Allowance
  #level = 0
  #at = 0
  #isTold = false

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Whole seconds until one more is allowed; 0 when it is now. */
  wait(now: number): number {
    const excess = this.#levelAt(now) + 1 - this.#allowance.failures
    return excess <= 0 ? 0 : Math.ceil(excess * this.#allowance.secondsEach)
  }

  /** Whether this refusal is the first since the counter was empty. */
  isNews(): boolean {
    const isNews = !this.#isTold
    this.#isTold = true
    return isNews
  }

  add(by: number, now: number): void {
    const level = this.#levelAt(now)
    if (level === 0) this.#isTold = false
    this.#level = Math.max(0, level + by)
    this.#at = now
  }

  empty(): void {
    this.#level = 0
    this.#isTold = false
  }

  #levelAt(now: number): number {
    const elapsed = Math.max(0, now - this.#at)
    return Math.max(0, this.#level - elapsed / (1000 * this.#allowance.secondsEach))
  }
}
