import { LRUCache } from 'lru-cache'
import { afterwards, type Eventually } from '../../base/maybe-promise.js'

const KEPT_ANSWERS = 8192
/** Of answers and questions, in characters. */
const KEPT_TEXT = 4_000_000
const LONGEST_ANSWER = 32_768
const LONGEST_QUESTION = 512

interface Kept {
  readonly json: string
  readonly rows: readonly unknown[]
  /** From before the rows were read, or from before they were found to be the same. */
  stamp: number
}

/** A question that comes again is asked of the database again only when anybody has written since. */
export class KeptRows {
  readonly #kept = new LRUCache<string, Kept>({ max: KEPT_ANSWERS, maxSize: KEPT_TEXT })
  /** To keep what nobody asks for again, page after page of a long list, would cost a quarter of the time it takes. */
  readonly #asked = new Set<string>()

  /**
   * @param question what the rows are kept under. @param stamp of the database; see `Storage.stamp`.
   * @param read gives JSON. @param decode the same for all answers to a question.
   * @returns shared, and frozen when it comes again: to be read, and never to be handed out.
   */
  rows<T>(
    question: string,
    stamp: () => Eventually<number>,
    read: () => Eventually<string>,
    decode: (json: string) => readonly T[],
  ): Eventually<readonly T[]> {
    if (!this.#kept.has(question) && this.#isNew(question)) return afterwards(read(), decode)
    return afterwards(stamp(), (now) => {
      // Not before: whoever waited for the same stamp may have read the rows meanwhile.
      const known = this.#kept.get(question)
      if (known?.stamp === now) return known.rows as readonly T[]
      return afterwards(read(), (json) => {
        // What was decoded once is good for as long as the text is the same.
        if (known?.json === json) {
          known.stamp = now
          return known.rows as readonly T[]
        }
        const rows = decode(json)
        if (json.length > LONGEST_ANSWER) return rows
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
    if (question.length > LONGEST_QUESTION) return true
    if (this.#asked.has(question)) return false
    if (this.#asked.size >= KEPT_ANSWERS) this.#asked.clear()
    this.#asked.add(question)
    return true
  }
}
