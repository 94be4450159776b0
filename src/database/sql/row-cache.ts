import { LRUCache } from 'lru-cache'
import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'

const maxEntries = 8192
/** Of answers and questions, in characters. */
const maxCharacters = 4_000_000
const maxResultLength = 32_768
const maxKeyLength = 512

interface Entry {
  readonly json: string
  readonly rows: readonly unknown[]
  /** From before the rows were read, or from before they were found to be the same. */
  stamp: number
}

/** A question that comes again is asked of the database again only when anybody has written since. */
export class RowCache {
  readonly #kept = new LRUCache<string, Entry>({ max: maxEntries, maxSize: maxCharacters })
  /** To keep what nobody asks for again, page after page of a long list, would cost a quarter of the time it takes. */
  readonly #asked = new Set<string>()

  /**
   * @param question what the rows are kept under. @param stamp of the database; see `Storage.stamp`.
   * @param read gives JSON. @param decode the same for all answers to a question.
   * @returns shared, and frozen when it comes again: to be read, and never to be handed out.
   */
  rows<T>(
    question: string,
    stamp: () => MaybePromise<number>,
    read: () => MaybePromise<string>,
    decode: (json: string) => readonly T[],
  ): MaybePromise<readonly T[]> {
    if (!this.#kept.has(question) && this.#isNew(question)) return mapMaybePromise(read(), decode)
    return mapMaybePromise(stamp(), (now) => {
      // Not before: whoever waited for the same stamp may have read the rows meanwhile.
      const known = this.#kept.get(question)
      if (known?.stamp === now) return known.rows as readonly T[]
      return mapMaybePromise(read(), (json) => {
        // What was decoded once is good for as long as the text is the same.
        if (known?.json === json) {
          known.stamp = now
          return known.rows as readonly T[]
        }
        const rows = decode(json)
        if (json.length > maxResultLength) return rows
        this.#kept.set(
          question,
          { json, rows: Object.freeze(rows), stamp: now },
          { size: json.length + question.length },
        )
        return rows
      })
    })
  }

  #isNew(question: string): boolean {
    if (question.length > maxKeyLength) return true
    if (this.#asked.has(question)) return false
    if (this.#asked.size >= maxEntries) this.#asked.clear()
    this.#asked.add(question)
    return true
  }
}
