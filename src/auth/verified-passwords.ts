import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { encodeText } from '../php/text.js'

/** Milliseconds for which a check is remembered, from its success on. */
const lifetime = 300_000
/** Maximum number of checks that are remembered. */
const maxPasswords = 1000

/**
 * Successful checks of passwords against stored hashes of phpass, which take 3 to 4 ms each. A check is remembered for five
 * minutes under a hash of the password and of the stored hash, with a random key that only this object has. A changed
 * stored hash has another name, so its password is checked again.
 */
export class VerifiedPasswords {
  readonly #key = randomBytes(32).toString('base64')
  /** The time of each check by the clock. */
  readonly #checks = new LRUCache<string, number>({ max: maxPasswords })
  /** The checks that are being made. */
  readonly #running = new Map<string, Promise<boolean>>()
  readonly #clock: () => number

  /** @param clock milliseconds, for durations. */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Whether this password was checked against this stored hash with success in the last five minutes. */
  has(password: string, storedHash: string): boolean {
    if (this.#checks.size === 0 || !isPhpass(storedHash)) return false
    const name = this.#nameOf(password, storedHash)
    const checkedAt = this.#checks.get(name)
    if (checkedAt === undefined) return false
    if (this.#clock() - checkedAt < lifetime) return true
    this.#checks.delete(name)
    return false
  }

  /**
   * Checks a password against a stored hash, and remembers a success. Requests that come meanwhile with the same
   * password wait for the same check: a program that opens fifty connections at once costs one.
   * @param verify makes the check. @throws what `verify` throws.
   */
  async check(password: string, storedHash: string, verify: () => Promise<boolean>): Promise<boolean> {
    if (!isPhpass(storedHash)) return verify()
    const name = this.#nameOf(password, storedHash)
    const running = this.#running.get(name)
    // The queue may have had no place for the other request, and may have one for this.
    if (running !== undefined) return running.catch(verify)
    const check = verify()
    this.#running.set(name, check)
    try {
      const matches = await check
      if (matches) this.#checks.set(name, this.#clock())
      return matches
    } finally {
      this.#running.delete(name)
    }
  }

  /**
   * SHA-256 of the key and the texts takes 0.5 µs, an HMAC 1.6 µs. Only an attacker who sees the result needs an HMAC as a
   * defence: from a plain hash, that of a longer text can be computed. These results stay in this object.
   */
  #nameOf(password: string, storedHash: string): string {
    return hash('sha256', encodeText(`${this.#key}\0${storedHash}\0${password}`), 'base64')
  }
}

const isPhpass = (hash: string): boolean => hash.startsWith('$P$')
