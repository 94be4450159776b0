import { maxJoinedLength } from './send.js'

/** Characters or bytes of large responses that a turn of the event loop writes. A longer response is written alone. */
const maxPerTurn = 4 * 1024 * 1024

/**
 * Bounds how much of large responses a turn of the event loop writes. The kernel accepts megabytes of a response even when
 * its client does not read, and each megabyte takes a millisecond. The requests of many clients may arrive in one turn, and
 * other clients would wait for all of their responses.
 */
export class LargeResponses {
  readonly #waiting: { readonly length: number; readonly write: () => void }[] = []
  /** Length of the large responses that this turn has written. */
  #written = 0

  /** @param length of the body. A small response is written at once. */
  send(length: number, write: () => void): void {
    if (length <= maxJoinedLength) write()
    else if (this.#waiting.length === 0 && this.#fits(length)) this.#write(length, write)
    else this.#waiting.push({ length, write })
  }

  #fits(length: number): boolean {
    return this.#written === 0 || this.#written + length <= maxPerTurn
  }

  #write(length: number, write: () => void): void {
    if (this.#written === 0) setImmediate(this.#nextTurn)
    this.#written += length
    write()
  }

  readonly #nextTurn = (): void => {
    this.#written = 0
    for (let [next] = this.#waiting; next !== undefined && this.#fits(next.length); [next] = this.#waiting) {
      this.#waiting.shift()
      this.#write(next.length, next.write)
    }
  }
}
