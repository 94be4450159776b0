import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { ChangeToken, PostQuery, PostSearch } from '../storage.js'
import { StorageError } from '../storage-error.js'
import { keyOf, postSql } from './post-query.js'
import { number, text } from './row-values.js'
import type { SqlConnection } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'

/** Maximum number of posts that a search finds. */
export const maxMatches = 10_000
/** Maximum length of a word. Longer ones are found nowhere: `includes` takes time for them that is not linear. */
const maxWordLength = 200
/** Number of rows that are searched between two turns of the event loop. */
const sliceRows = 500
/** Bytes of text that are searched between two turns of the event loop. A longer post is read alone. */
const sliceBytes = 250_000
/** Milliseconds until a search gives up. */
const maxDuration = 10_000
/** Maximum number of searches that wait for another one. */
const maxWaiting = 32
/** Maximum number of ids in all remembered results. */
const maxRememberedIds = 200_000

interface Search {
  /** The change token that was read before. */
  readonly token: ChangeToken
  /** Searches are numbered in the order in which they begin to read; infinite while it waits for its turn. */
  number: number
  readonly result: Promise<readonly number[]>
}

/**
 * Finds posts by the words in their title, excerpt and content. No index has these words, so the texts are read in slices:
 * other requests are handled between two slices, one search runs at a time, and a search that takes too long fails. The
 * words are compared here and not by the database, whose comparisons take quadratic time for some words.
 */
export class PostSearches {
  readonly #tables: TableNames
  readonly #dialect: SqlDialect
  /** The last search for each query. */
  readonly #searches = new LRUCache<string, Search>({ max: 100, maxSize: maxRememberedIds })
  /** The number of searches that have begun to read. */
  #begun = 0
  #waiting = 0
  /** Settles when the last search of the queue has ended. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(tables: TableNames, dialect: SqlDialect) {
    this.#tables = tables
    this.#dialect = dialect
  }

  /**
   * The ids of the posts that match the query: at most {@link maxMatches}, the highest ids.
   * @throws StorageError `busy` for a search that takes too long, or when too many wait.
   */
  async matches(query: PostQuery & { readonly search: PostSearch }, session: SqlSession): Promise<readonly number[]> {
    const { include, exclude } = query.search
    if ([...include, ...exclude].some((word) => word.length > maxWordLength)) return []
    if (session.freshness === null) return this.#scan(query, session.reader)
    const begun = this.#begun
    const token = await session.freshness.changeToken()
    const key = keyOf({ ...query, order: [] })
    const last = this.#searches.get(key)
    // As in `ReadsInFlight`, a caller joins a search only if it has not begun yet, or has read the same token. So no result is
    // older than a write that was acknowledged before the call.
    if (last !== undefined && (last.token === token || last.number > begun)) return last.result
    const search: Search = { token, number: Infinity, result: this.#inTurn(() => this.#run(search, query, session)) }
    this.#searches.set(key, search, { size: maxMatches })
    const isLast = (): boolean => this.#searches.peek(key) === search
    search.result.then(
      (ids) => isLast() && this.#searches.set(key, search, { size: ids.length + 1 }),
      () => isLast() && this.#searches.delete(key),
    )
    return search.result
  }

  #run(search: Search, query: PostQuery & { readonly search: PostSearch }, { reader }: SqlSession) {
    search.number = this.#begun += 1
    return this.#scan(query, reader)
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= maxWaiting) throw new StorageError('busy', 'Too many searches wait for each other.')
    this.#waiting += 1
    const result = this.#last.then(work).finally(() => (this.#waiting -= 1))
    this.#last = result.catch(() => undefined)
    return result
  }

  async #scan({ search, ...query }: PostQuery & { readonly search: PostSearch }, reader: SqlConnection) {
    const end = performance.now() + maxDuration
    const matches = matcherOf(search, this.#dialect.searchedText ?? inLowerCase)
    const ids: number[] = []
    for await (const slice of this.#slices(query, reader, end)) {
      for (const [id, ...texts] of await this.#texts(slice, reader)) if (matches(texts)) ids.push(id)
      if (ids.length >= maxMatches) return ids.slice(0, maxMatches)
      await nextTurnBefore(end)
    }
    return ids
  }

  /** The ids of the posts that meet the other conditions, the highest first. The texts of one slice are read together. */
  async *#slices(query: PostQuery, reader: SqlConnection, end: number): AsyncGenerator<readonly number[]> {
    const { posts } = this.#tables
    const { text: conditions, values } = postSql(query, this.#tables, this.#dialect, {
      isOrdered: false,
      isOfRange: true,
    })
    const where = conditions().trim()
    const lowest = `SELECT ID FROM ${posts} WHERE ID < ? ORDER BY ID DESC LIMIT 1 OFFSET ${sliceRows - 1}`
    const size = textColumns.map((column) => this.#dialect.byteLength(column)).join(' + ')
    const sizes = `SELECT p.ID, ${size} FROM ${posts} p ${where === '' ? 'WHERE' : `${where} AND`} p.ID >= ? AND p.ID < ? ORDER BY p.ID DESC`
    let slice: number[] = []
    let bytes = 0
    for (let upper = 2 ** 53, isLast = false; !isLast;) {
      const row = await reader.row(lowest, [upper])
      isLast = row === null
      const lower = isLast ? 0 : number(row?.[0])
      for (const [id, length] of await reader.query(sizes, [...values, lower, upper])) {
        if (slice.length > 0 && bytes + number(length) > sliceBytes) {
          yield slice
          slice = []
          bytes = 0
        }
        slice.push(number(id))
        bytes += number(length)
      }
      upper = lower
      // Here as well, because ranges whose posts meet no condition yield no slice.
      await nextTurnBefore(end)
    }
    if (slice.length > 0) yield slice
  }

  async #texts(ids: readonly number[], reader: SqlConnection): Promise<(readonly [id: number, ...texts: string[]])[]> {
    const columns = textColumns.map((column) => this.#dialect.asText(column)).join(', ')
    const among = this.#dialect.isOneOf('p.ID', ids)
    const rows = await reader.query(
      `SELECT p.ID, ${columns} FROM ${this.#tables.posts} p WHERE ${among.text} ORDER BY p.ID DESC`,
      among.values,
    )
    return rows.map(([id, ...texts]) => [number(id), ...texts.map(text)])
  }
}

/** @throws StorageError `busy` when the time of `performance.now()` is past `end`. */
async function nextTurnBefore(end: number): Promise<void> {
  if (performance.now() > end) throw new StorageError('busy', 'A search took too long.')
  await nextTurn()
}

const textColumns = ['p.post_title', 'p.post_excerpt', 'p.post_content'] as const

const inLowerCase = (content: string): string => content.toLowerCase()

/**
 * Whether one of the texts has each word, and none has an excluded one.
 * @param fold returns the form in which texts are compared.
 */
function matcherOf(
  { include, exclude }: PostSearch,
  fold: (content: string) => string,
): (texts: readonly string[]) => boolean {
  const included = include.map(fold)
  const excluded = exclude.map(fold)
  return (texts) => {
    const folded = texts.map(fold)
    const has = (word: string): boolean => folded.some((content) => content.includes(word))
    return included.every(has) && !excluded.some(has)
  }
}
