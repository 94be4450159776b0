import { LRUCache } from 'lru-cache'
import { networkOf } from './network.js'

/** A limit of failed attempts. */
export interface Allowance {
  /** Number of failures without a wait. */
  readonly failures: number
  /** Seconds until each further attempt. */
  readonly secondsEach: number
}

/** The limits of failed attempts before a client has to wait. */
export interface RateLimits {
  /** Attempts at one account from one network. */
  readonly pair: Allowance
  /** Attempts at any account from one network, except accounts that the network has logged in to. */
  readonly network: Allowance
  /** Attempts at one account from all networks. Networks that have logged in to the account do not have to wait. */
  readonly account: Allowance
}

/**
 * The limits for passwords that users choose. Users make fewer than ten mistakes. An attacker in one network can try
 * 2,889 passwords of an account on the first day and 2,880 on each later day. With fifty networks these are 8,739 and
 * 8,640.
 */
export const signInLimits: RateLimits = {
  pair: { failures: 10, secondsEach: 30 },
  network: { failures: 100, secondsEach: 6 },
  account: { failures: 100, secondsEach: 10 },
}

/**
 * The limits for application passwords. Their 142 bits cannot be guessed. These limits reduce the load of a program
 * with an outdated password.
 */
export const applicationPasswordLimits: RateLimits = {
  pair: { failures: 60, secondsEach: 6 },
  network: { failures: 300, secondsEach: 2 },
  account: { failures: 1000, secondsEach: 1 },
}

/**
 * At most 20,000 entries in each cache. The least recently used are removed. The limit is a sum of sizes, because
 * lru-cache allocates the memory for a `max` immediately: for eight caches 3 MB, and 14 ms of each start.
 */
const cacheLimits = { maxSize: 20_000, sizeCalculation: () => 1 }

/** A limit has begun to refuse attempts. Reported once, and again only after the counter was empty. */
export interface LockOut {
  /** The limit that refuses attempts. */
  readonly limit: keyof RateLimits
  readonly network: string
  /** The user name in the first refused attempt. */
  readonly login: string
  /** Seconds until one more attempt is allowed. */
  readonly wait: number
}

/** An attempt that the limiter allows. It counts as a failure until one of these methods is called. */
export interface Attempt {
  /** The credentials were valid. Earlier failures at this account from this network no longer count. */
  succeeded(): void
  /** The credentials were not checked. The attempt does not count. */
  abandoned(): void
}

/**
 * Limits the rate of failed logins. The counters are leaky buckets, so every refusal ends after a while. Attempts from
 * other networks never delay a network that has logged in to an account before, so an attacker cannot lock out a user.
 * Memory is bounded. Each process has its own counters.
 */
export class RateLimiter {
  readonly #pairs: Counters
  readonly #networks: Counters
  readonly #accounts: Counters
  /** Pairs of network and account with a successful login. */
  readonly #trustedPairs = new LRUCache<string, true>(cacheLimits)
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
   * Begins an attempt before its credentials are checked. Attempts in progress count, so that concurrent attempts do
   * not exceed the limits.
   *
   * @param account a key of the account, which may be unknown.
   * @param address the network address of the client.
   * @param login the user name for {@link LockOut}.
   * @returns the attempt, or the number of seconds to wait.
   */
  begin(account: string, address: string, login = account): Attempt | number {
    const network = networkOf(address)
    const pair = `${network} ${account}`
    const isTrusted = this.#trustedPairs.get(pair) ?? false
    const now = this.#clock()
    const pairCounter = this.#pairs.find(pair)
    const networkCounter = this.#networks.find(network)
    const accountCounter = this.#accounts.find(account)
    const wait = Math.max(
      waitOf(pairCounter, now),
      isTrusted ? 0 : Math.max(waitOf(networkCounter, now), waitOf(accountCounter, now)),
    )
    if (wait > 0) {
      const report = (limit: keyof RateLimits, counter: LeakyBucket | undefined): void => {
        if (waitOf(counter, now) > 0 && counter?.isFirstRefusal()) this.#onLockOut({ limit, network, login, wait })
      }
      report('pair', pairCounter)
      if (!isTrusted) {
        report('network', networkCounter)
        report('account', accountCounter)
      }
      return wait
    }
    const failuresOfPair = pairCounter ?? this.#pairs.add(pair)
    const counters = [
      failuresOfPair,
      networkCounter ?? this.#networks.add(network),
      accountCounter ?? this.#accounts.add(account),
    ]
    for (const counter of counters) counter.add(1, now)
    const removeAttempt = () => {
      for (const counter of counters) counter.add(-1, this.#clock())
    }
    return {
      succeeded: () => {
        removeAttempt()
        failuresOfPair.empty()
        if (!isTrusted) this.#trustedPairs.set(pair, true)
      },
      abandoned: removeAttempt,
    }
  }
}

/**
 * Counters by key. They are emptied, not deleted, because deleting the last entry makes lru-cache clear all of its
 * arrays.
 */
class Counters {
  readonly #counters = new LRUCache<string, LeakyBucket>(cacheLimits)
  readonly #allowance: Allowance

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Does not create a counter, so that refused attempts at any number of accounts do not displace counters. */
  find(key: string): LeakyBucket | undefined {
    return this.#counters.get(key)
  }

  /** Creates a counter. */
  add(key: string): LeakyBucket {
    const counter = new LeakyBucket(this.#allowance)
    this.#counters.set(key, counter)
    return counter
  }
}

const waitOf = (counter: LeakyBucket | undefined, now: number): number => counter?.wait(now) ?? 0

/** A counter that decreases by one in `secondsEach`, down to zero. Times are milliseconds since 1970. */
class LeakyBucket {
  readonly #allowance: Allowance
  #level = 0
  /** When `#level` was computed. */
  #updatedAt = 0
  #isReported = false

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Whole seconds until the next attempt is allowed; 0 when it is allowed now. */
  wait(now: number): number {
    const excess = this.#levelAt(now) + 1 - this.#allowance.failures
    return excess <= 0 ? 0 : Math.ceil(excess * this.#allowance.secondsEach)
  }

  /** Whether this is the first call since the counter was empty. */
  isFirstRefusal(): boolean {
    const isFirst = !this.#isReported
    this.#isReported = true
    return isFirst
  }

  add(amount: number, now: number): void {
    const level = this.#levelAt(now)
    if (level === 0) this.#isReported = false
    this.#level = Math.max(0, level + amount)
    this.#updatedAt = now
  }

  empty(): void {
    this.#level = 0
    this.#isReported = false
  }

  #levelAt(now: number): number {
    const elapsed = Math.max(0, now - this.#updatedAt)
    return Math.max(0, this.#level - elapsed / (1000 * this.#allowance.secondsEach))
  }
}
