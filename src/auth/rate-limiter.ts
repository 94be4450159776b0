import { FailureCounters, type Allowance } from './failure-counters.js'
import type { Requester } from './fair-queue.js'
import { networkOf, prefixOf } from './network.js'
import { TrustedNetworks } from './trusted-networks.js'

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
 * The limits for the passwords of records. A record has many visitors, so few failures of all networks together must not
 * lock out the others: one network has the limits of a login.
 */
export const recordPasswordLimits: RateLimits = { ...signInLimits, account: { failures: 10_000, secondsEach: 1 } }

const unlimited: Allowance = { failures: Infinity, secondsEach: 1 }

/**
 * The limits for entered passwords of records. Each counts, right or wrong, because each is hashed for the cookie before it
 * is compared with any record.
 */
export const enteredPasswordLimits: RateLimits = {
  pair: unlimited,
  network: { failures: 100, secondsEach: 2 },
  account: unlimited,
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

/** The number of wider networks whose failures are counted. See {@link RateLimiter}. */
const maxPrefixes = 1000

/** A limit has begun to refuse attempts. Reported once, and again only after the counter was empty. */
export interface LockOut {
  /** The limit that refuses attempts: one of the limits, or that of the wider network. */
  readonly limit: keyof RateLimits | 'prefix'
  readonly network: string
  /** The user name in the first refused attempt. */
  readonly login: string
  /** Seconds until one more attempt is allowed. */
  readonly wait: number
}

/** An attempt that the limiter allows. It counts as a failure until its end, the first call of one of these methods. */
export interface Attempt {
  /** Who makes the attempt, for the queue of password hashes. */
  readonly requester: Requester
  /** The credentials were valid. Earlier failures at this account from this network no longer count. */
  succeeded(): void
  /** The credentials were wrong. */
  failed(): void
  /** The credentials were not checked. The attempt does not count. */
  abandoned(): void
}

/**
 * Limits the rate of failed logins. The counters are leaky buckets, so every refusal ends after a while. Attempts from
 * other networks never delay a network that has logged in to an account before, so an attacker cannot lock out a user.
 * Each process has its own counters.
 *
 * Memory is bounded: 20,000 counters of each limit hold failures. Attempts that succeed or are abandoned displace no
 * counter. When there are more failed counters, those with the fewest failures are forgotten, so a flood of single
 * failures does not displace a counter that refuses attempts. A failure that makes the limiter forget one counts against
 * the wider network of its client, with the allowance of one network: an attacker with very many networks has to wait
 * with their whole provider. Trusted networks do not wait for that.
 */
export class RateLimiter {
  readonly #pairs: FailureCounters
  readonly #networks: FailureCounters
  readonly #accounts: FailureCounters
  /** Failures that made the limiter forget others, by wider network. */
  readonly #prefixes: FailureCounters
  readonly #trustedNetworks = new TrustedNetworks()
  readonly #now: () => number
  readonly #onLockOut: (lockOut: LockOut) => void

  /** @param clock milliseconds of a monotonic clock: setting back a wall clock would prolong every wait. */
  constructor(limits: RateLimits, clock: () => number, onLockOut: (lockOut: LockOut) => void = () => {}) {
    this.#onLockOut = onLockOut
    this.#pairs = new FailureCounters(limits.pair)
    this.#networks = new FailureCounters(limits.network)
    this.#accounts = new FailureCounters(limits.account)
    this.#prefixes = new FailureCounters(limits.network, maxPrefixes)
    // Sums of whole numbers are exact.
    this.#now = () => Math.floor(clock())
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
    const isTrusted = this.#trustedNetworks.has(account, network)
    const now = this.#now()
    const pair = `${network} ${account}`
    const waits = {
      pair: this.#pairs.waitOf(pair, now),
      network: isTrusted ? 0 : this.#networks.waitOf(network, now),
      account: isTrusted ? 0 : this.#accounts.waitOf(account, now),
      prefix: isTrusted ? 0 : this.#prefixes.waitOf(prefixOf(network), now),
    }
    const wait = Math.max(waits.pair, waits.network, waits.account, waits.prefix)
    if (wait > 0) {
      const report = (limit: LockOut['limit'], counters: FailureCounters, key: string): void => {
        if (waits[limit] > 0 && counters.isFirstRefusal(key)) this.#onLockOut({ limit, network, login, wait })
      }
      report('pair', this.#pairs, pair)
      report('network', this.#networks, network)
      report('account', this.#accounts, account)
      report('prefix', this.#prefixes, prefixOf(network))
      return wait
    }
    return this.#start({ pair, network, account, isTrusted }, now)
  }

  #start({ pair, network, account, isTrusted }: Requester & { readonly pair: string }, now: number): Attempt {
    const ofPair = this.#pairs.begin(pair, now)
    const ofNetwork = this.#networks.begin(network, now)
    const ofAccount = this.#accounts.begin(account, now)
    let isOpen = true
    const end = (): void => {
      isOpen = false
      this.#pairs.end(ofPair)
      this.#networks.end(ofNetwork)
      this.#accounts.end(ofAccount)
    }
    return {
      requester: { network, account, isTrusted },
      succeeded: () => {
        if (!isOpen) return
        this.#pairs.empty(ofPair)
        this.#trustedNetworks.add(account, network)
        end()
      },
      failed: () => {
        if (!isOpen) return
        const now = this.#now()
        const hasForgotten = [
          this.#pairs.addFailure(ofPair, now),
          this.#networks.addFailure(ofNetwork, now),
          this.#accounts.addFailure(ofAccount, now),
        ]
        if (hasForgotten.includes(true)) this.#countAgainst(prefixOf(network), now)
        end()
      },
      abandoned: () => {
        if (isOpen) end()
      },
    }
  }

  #countAgainst(prefix: string, now: number): void {
    const counter = this.#prefixes.begin(prefix, now)
    this.#prefixes.addFailure(counter, now)
    this.#prefixes.end(counter)
  }
}
