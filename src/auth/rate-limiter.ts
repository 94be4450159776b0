import type { Attempt, AttemptLimiter, LockOut } from './attempt-limiter.js'
import { FailureCounters } from './failure-counters.js'
import type { Requester } from './fair-queue.js'
import { networkOf, prefixOf } from './network.js'
import type { RateLimits } from './rate-limits.js'
import { TrustedNetworks } from './trusted-networks.js'

/** The number of wider networks whose failures are counted. See {@link RateLimiter}. */
const maxPrefixes = 1000

/**
 * Limits the rate of failed logins. The counters are leaky buckets, so every refusal ends after a while. Attempts from
 * other networks never delay a network that has logged in to an account before, so an attacker cannot lock out a user.
 * Each limiter has its own counters.
 *
 * Memory is bounded: 20,000 counters of each limit hold failures. Attempts that succeed or are abandoned displace no
 * counter. When there are more failed counters, those with the fewest failures are forgotten, so a flood of single
 * failures does not displace a counter that refuses attempts. A failure that makes the limiter forget one counts against
 * the wider network of its client, with the allowance of one network: an attacker with very many networks has to wait
 * with their whole provider. Trusted networks do not wait for that.
 */
export class RateLimiter implements AttemptLimiter {
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

  /** See {@link AttemptLimiter.begin}. */
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
    const pairCounter = this.#pairs.begin(pair, now)
    const networkCounter = this.#networks.begin(network, now)
    const accountCounter = this.#accounts.begin(account, now)
    let isOpen = true
    const end = (): void => {
      isOpen = false
      this.#pairs.end(pairCounter)
      this.#networks.end(networkCounter)
      this.#accounts.end(accountCounter)
    }
    return {
      requester: { network, account, isTrusted },
      succeeded: () => {
        if (!isOpen) return
        this.#pairs.empty(pairCounter)
        this.#trustedNetworks.add(account, network)
        end()
      },
      failed: () => {
        if (!isOpen) return
        const now = this.#now()
        const hasForgotten = [
          this.#pairs.addFailure(pairCounter, now),
          this.#networks.addFailure(networkCounter, now),
          this.#accounts.addFailure(accountCounter, now),
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
