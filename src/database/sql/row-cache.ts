import { LRUCache } from 'lru-cache'
import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import type { ChangeToken } from '../storage.js'
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
 * the token differs, the rows are read again, and decoded again only if their JSON differs.
 */
export class RowCache {
  readonly #entries = new LRUCache<string, Entry>({ max: maxEntries, maxSize: maxCharacters })
  /** Queries are cached from their second execution on: caching one-off pages would slow them by about 25 %. */
  readonly #seen = new Set<string>()

  /** @param changeToken see `Storage.changeToken`. */
  rows<Row>(
    { key, read, decode }: RowRead<Row>,
    changeToken: () => MaybePromise<ChangeToken>,
  ): MaybePromise<RowSet<Row>> {
    if (!this.#entries.has(key) && this.#isFirst(key))
      return mapMaybePromise(read(), (json) => ({ rows: decode(json), derived: null }))
    return mapMaybePromise(changeToken(), (token) => {
      // Looked up after the token was read, because another reader of the same token may have cached the rows.
      const entry = this.#entries.get(key)
      if (entry?.token === token) return entry.rowSet as RowSet<Row>
      return mapMaybePromise(read(), (json) => {
        if (entry?.json === json) {
          entry.token = token
          return entry.rowSet as RowSet<Row>
        }
        const rows = decode(json)
        if (json.length > maxResultLength) return { rows, derived: null }
        const rowSet = { rows, derived: new DerivedValues() }
        this.#entries.set(key, { json, rowSet, token }, { size: json.length + key.length })
        return rowSet
      })
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
