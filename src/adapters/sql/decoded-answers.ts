import { LRUCache } from 'lru-cache'

const KEPT_ANSWERS = 256
/** Of answers and questions, in characters. */
const KEPT_TEXT = 1_000_000
const LONGEST_ANSWER = 32_768
const LONGEST_QUESTION = 512

/**
 * Lists in JSON, decoded once for as long as the database gives the same text to the same question: a fifth of a list of
 * ten records. The database is asked every time, and only an equal text counts, so nothing here can be out of date.
 */
export class DecodedAnswers {
  readonly #kept = new LRUCache<string, { readonly json: string; readonly rows: readonly unknown[] }>({
    max: KEPT_ANSWERS,
    maxSize: KEPT_TEXT,
  })
  /** To keep what nobody asks for again, page after page of a long list, would cost a quarter of the time it takes. */
  readonly #asked = new Set<string>()

  /**
   * @param question what the answer is kept under. @param decode the same for all answers to a question.
   * @returns shared, and frozen when it comes again: to be read, and never to be handed out.
   */
  decoded<T>(json: string, question: string, decode: (json: string) => readonly T[]): readonly T[] {
    const known = this.#kept.get(question)
    if (known !== undefined && known.json === json) return known.rows as readonly T[]
    const rows = decode(json)
    if (json.length > LONGEST_ANSWER || question.length > LONGEST_QUESTION) return rows
    if (!this.#asked.has(question)) this.#remember(question)
    else this.#kept.set(question, { json, rows: Object.freeze(rows) }, { size: json.length + question.length })
    return rows
  }

  #remember(question: string): void {
    if (this.#asked.size >= KEPT_ANSWERS) this.#asked.clear()
    this.#asked.add(question)
  }
}
