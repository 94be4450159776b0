import { maxJoinedLength } from './send.js'

/**
 * Milliseconds of each turn of the event loop in which large responses are written. A client that reads takes one in a fraction
 * of a millisecond.
 */
const turnBudget = 2

/**
 * Bounds the time that a turn of the event loop writes large responses. The kernel takes megabytes of a response whose client
 * does not read, a millisecond for each. The requests of many clients arrive in one turn, and other clients would wait for all of
 * them.
 */
export class LargeResponses {
  readonly #waiting: (() => void)[] = []
  /** Milliseconds that this turn has written large responses. */
  #spent = 0
  #hasBegun = false
  readonly #now: () => number

  /** @param now replaces the clock in tests. In milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** @param length of the body. A small response is written at once. */
  send(length: number, write: () => void): void {
    if (length <= maxJoinedLength) write()
    else if (this.#waiting.length === 0 && this.#spent < turnBudget) this.#write(write)
    else this.#waiting.push(write)
  }

  #write(write: () => void): void {
    if (!this.#hasBegun) setImmediate(this.#nextTurn)
    this.#hasBegun = true
    const begun = this.#now()
    write()
    this.#spent += this.#now() - begun
  }

  readonly #nextTurn = (): void => {
    this.#hasBegun = false
    this.#spent = 0
    while (this.#spent < turnBudget) {
      const write = this.#waiting.shift()
      if (write === undefined) return
      this.#write(write)
    }
  }
}
