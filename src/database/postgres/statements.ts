/** A statement as the server takes it. */
export interface ServerStatement {
  /** With `$1`, `$2` … for the values. */
  readonly text: string
  /** The name under which each connection prepares it; `''`: it is parsed at each use. */
  readonly name: string
}

/** A statement that is parsed at each use. */
export const unnamed = (text: string): ServerStatement => ({ text, name: '' })

/** Maximum number of prepared statements of a connection. Each takes memory of the server. */
const maxNamed = 400
const maxCached = 2000

/** The statements of one database, by their text with `?` for each value. */
export class Statements {
  readonly #cache = new Map<string, ServerStatement>()
  #named = 0

  of(text: string): ServerStatement {
    const cached = this.#cache.get(text)
    if (cached !== undefined) return cached
    const statement = { text: numbered(text), name: this.#nameOf(text) }
    if (this.#cache.size < maxCached) this.#cache.set(text, statement)
    return statement
  }

  /** Other statements, such as those that define tables, are used once and have no name. */
  #nameOf(text: string): string {
    if (this.#named >= maxNamed || !/^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)) return ''
    this.#named += 1
    return `s${this.#named}`
  }
}

/** Question marks in quoted texts, such as regular expressions, are no placeholders. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll(/'(?:[^']|'')*'|\?/g, (part) => (part === '?' ? `$${(count += 1)}` : part))
}
