import type { MaybePromise } from '../base/maybe-promise.js'
import type { ChangeToken } from './storage.js'

interface Read<T> {
  readonly result: Promise<T>
  /** The change token that was read before the read was sent. */
  readonly token: ChangeToken
  /** Reads are numbered in the order in which they are sent. */
  readonly number: number
}

/**
 * Reads of a database that have not ended, by key, so that many readers of one thing cause one read.
 *
 * A reader must see every write that was acknowledged before it began. A read that another reader has sent shows it those
 * writes in two cases, and is shared only then:
 * - The read was sent after this reader began, so the database executes it after those writes.
 * - The read has the token of this reader. Equal tokens mean that no write was acknowledged between the two moments at which
 *   they were read, and the read was sent after its own token. So it shows every write that this reader's token covers.
 *
 * Any other read in flight may have been executed before a write that this reader has to show.
 */
export class ReadsInFlight<T> {
  /** The last read that was sent for each key. */
  readonly #reads = new Map<string, Read<T>>()
  #sent = 0

  /** A reader takes this moment before it reads its token. */
  now(): number {
    return this.#sent
  }

  /**
   * The result of a read in flight that the reader may share, or else of a new one.
   * @param began the moment at which the reader began. Null for a read that may use values cached for its token: only readers of
   *   that token may share it.
   * @param token the change token, read since then.
   * @param send sends a read. Its result is shared unless it is available synchronously.
   */
  share(key: string, token: ChangeToken, began: number | null, send: () => MaybePromise<T>): MaybePromise<T> {
    const current = this.#reads.get(key)
    if (current !== undefined && (current.token === token || (began !== null && current.number > began)))
      return current.result
    const number = (this.#sent += 1)
    const result = send()
    if (!(result instanceof Promise)) return result
    const read = { result, token, number }
    this.#reads.set(key, read)
    const end = (): void => {
      if (this.#reads.get(key) === read) this.#reads.delete(key)
    }
    result.then(end, end)
    return result
  }
}
