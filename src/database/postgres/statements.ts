import type { DriverQuery } from './postgres-driver.js'

/** A statement as the server knows it. */
export interface ServerStatement {
  /**
   * The text with `$1`, `$2` … for the values, and the name that it is prepared under on each connection; without one it is
   * parsed at each use. They are inherited properties, because the driver copies the own ones at each use.
   */
  readonly query: DriverQuery
}

/** A statement that is parsed at each use. */
export const unnamed = (text: string): ServerStatement => ({ query: inherited({ text, rowMode: 'array' }) })

const inherited = (query: DriverQuery): DriverQuery => Object.create(query) as DriverQuery

/** Maximum number of prepared statements of a connection, each of which takes memory of the server. */
const maxNamed = 400
const maxCached = 2000

/** The statements of one database, by their text with `?` for each value. */
export class Statements {
  readonly #cache = new Map<string, ServerStatement>()
  #named = 0

  of(text: string): ServerStatement {
    const cached = this.#cache.get(text)
    if (cached !== undefined) return cached
    const name = this.#nameOf(text)
    const statement =
      name === null ? unnamed(numbered(text)) : { query: inherited({ text: numbered(text), name, rowMode: 'array' }) }
    if (this.#cache.size < maxCached) this.#cache.set(text, statement)
    return statement
  }

  /** Statements that define tables are used once. */
  #nameOf(text: string): string | null {
    if (this.#named >= maxNamed || !/^(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text)) return null
    this.#named += 1
    return `s${this.#named}`
  }
}

/** Question marks in quoted texts, such as regular expressions, are no placeholders. */
function numbered(text: string): string {
  let count = 0
  return text.replaceAll(/'(?:[^']|'')*'|\?/g, (part) => (part === '?' ? `$${(count += 1)}` : part))
}
