import { hash, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { encodeText } from '../php/text.js'

/** Milliseconds for which a check is remembered, from its success on. */
const lifetime = 300_000
const maxPasswords = 1000

/**
 * Successful checks of passwords against stored hashes of phpass, which take 3 to 4 ms each. A check is remembered for five
 * minutes under a hash of the password and of the stored hash, with a key that only this process has: neither can be found out
 * from the memory of another process or after this one has ended, and a stored hash that changes finds no check.
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
   * SHA-256 of the key before the texts, in 0.5 µs; an HMAC takes 1.6. An HMAC is needed where an attacker sees the result, and can compute
   * that of a longer text from it. These results stay in this object.
   */
  #nameOf(password: string, storedHash: string): string {
    return hash('sha256', encodeText(`${this.#key}\0${storedHash}\0${password}`), 'base64')
  }
}

const isPhpass = (hash: string): boolean => hash.startsWith('$P$')
