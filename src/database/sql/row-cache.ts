import { LRUCache } from 'lru-cache'
import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import type { ChangeToken } from '../storage.js'
import { ReadsInFlight } from '../reads-in-flight.js'
import { DerivedValues, type RowSet } from '../row-set.js'

const maxEntries = 8192
/** Of results and keys together. */
const maxCharacters = 4_000_000
const maxResultLength = 32_768
const maxKeyLength = 512

interface Entry {
  readonly json: string
  readonly rowSet: RowSet<unknown>
  /** The change token from before the rows were read, or from before they were found to be the same. */
  token: ChangeToken
  /** The number of that read among all reads of the cache. */
  number: number
}

/** How rows are read and decoded. */
export interface RowRead<Row> {
  /** Two reads with one key have the same result at any one moment. */
  readonly key: string
  /** The rows as JSON. */
  read(): MaybePromise<string>
  decode(json: string): readonly Row[]
}

/**
 * Caches rows that were read more than once. An entry is valid while the change token of the database equals its own. When
 * the token differs, the rows are read again, and decoded again only if their JSON differs. Readers share the reads of a
 * database that has to be waited for, see `ReadsInFlight`.
 */
export class RowCache {
  readonly #entries = new LRUCache<string, Entry>({ max: maxEntries, maxSize: maxCharacters })
  /** Queries are cached from their second execution on: caching one-off pages would slow them by about 25 %. */
  readonly #seen = new Set<string>()
  readonly #reads = new ReadsInFlight<RowSet<unknown>>()

  /** @param changeToken see `Storage.changeToken`. */
  rows<Row>(rowRead: RowRead<Row>, changeToken: () => MaybePromise<ChangeToken>): MaybePromise<RowSet<Row>> {
    const { key, read, decode } = rowRead
    if (!this.#entries.has(key) && this.#isFirst(key))
      return mapMaybePromise(read(), (json) => ({ rows: decode(json), derived: null }))
    const began = this.#reads.now()
    return mapMaybePromise(changeToken(), (token) => {
      // Looked up after the token was read, because another reader of the same token may have cached the rows.
      const entry = this.#entries.get(key)
      const rowSet =
        entry?.token === token ? entry.rowSet : this.#reads.share(key, token, began, () => this.#read(rowRead, token))
      return rowSet as MaybePromise<RowSet<Row>>
    })
  }

  #read<Row>({ key, read, decode }: RowRead<Row>, token: ChangeToken): MaybePromise<RowSet<Row>> {
    const number = this.#reads.now()
    return mapMaybePromise(read(), (json) => {
      const entry = this.#entries.get(key)
      if (entry?.json === json) {
        if (entry.number < number) {
          entry.token = token
          entry.number = number
        }
        return entry.rowSet as RowSet<Row>
      }
      const rows = decode(json)
      // A read that was sent later may have ended earlier: its rows stay.
      if (json.length > maxResultLength || (entry !== undefined && entry.number > number))
        return { rows, derived: null }
      const rowSet = { rows, derived: new DerivedValues() }
      this.#entries.set(key, { json, rowSet, token, number }, { size: json.length + key.length })
      return rowSet
    })
  }

  #isFirst(key: string): boolean {
    if (key.length > maxKeyLength) return true
    if (this.#seen.has(key)) return false
    if (this.#seen.size >= maxEntries) this.#seen.clear()
    this.#seen.add(key)
    return true
  }
}
