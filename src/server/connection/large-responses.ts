import { maxJoinedLength } from './send.js'

/**
 * Writes one large response in each turn of the event loop. The kernel takes megabytes of a response whose client does not read,
 * a millisecond for each. The requests of many clients arrive in one turn, and other clients would wait for all of them.
 */
export class LargeResponses {
  readonly #waiting: (() => void)[] = []
  /** Whether this turn has written one. */
  #isTurnTaken = false

  /** @param length of the body. A small response is written at once. */
  send(length: number, write: () => void): void {
    if (length <= maxJoinedLength) write()
    else if (this.#isTurnTaken) this.#waiting.push(write)
    else this.#write(write)
  }

  #write(write: () => void): void {
    this.#isTurnTaken = true
    setImmediate(this.#next)
    write()
  }

  readonly #next = (): void => {
    const write = this.#waiting.shift()
    if (write === undefined) this.#isTurnTaken = false
    else this.#write(write)
  }
}
