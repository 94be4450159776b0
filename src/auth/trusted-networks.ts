import { LRUCache } from 'lru-cache'
import { maxTrustedNetworks } from './rate-limits.js'

/**
 * The limit is a sum of sizes, because lru-cache allocates the memory for a `max` immediately, 14 ms of each start.
 */
const accountLimit = { maxSize: 20_000, sizeCalculation: () => 1 }

/**
 * The networks from which each account has logged in: the last 8 of an account, for the 20,000 accounts with the latest
 * logins. A login displaces networks of its own account only, and accounts are counted once, however often they log in.
 */
export class TrustedNetworks {
  /** The networks of each account, oldest login first. */
  readonly #networks = new LRUCache<string, string[]>(accountLimit)

  /** Whether the account has logged in from the network. The look-up does not keep the account in the cache, so failed logins do not. */
  has(account: string, network: string): boolean {
    return this.#networks.peek(account)?.includes(network) === true
  }

  /** Records a successful login. */
  add(account: string, network: string): void {
    const networks = this.#networks.get(account)
    if (networks === undefined) {
      this.#networks.set(account, [network])
      return
    }
    if (networks.at(-1) === network) return
    const index = networks.indexOf(network)
    if (index !== -1) networks.splice(index, 1)
    else if (networks.length >= maxTrustedNetworks) networks.shift()
    networks.push(network)
  }
}
