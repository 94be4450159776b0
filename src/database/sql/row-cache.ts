import { LRUCache } from 'lru-cache'
import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import type { KindVersions } from '../kind-versions.js'
import type { ChangeToken } from '../storage.js'
import { ReadsInFlight } from '../reads-in-flight.js'
import { DerivedValues, type RowSet } from '../row-set.js'

const maxEntries = 8192
/** Maximum length of all results and keys together, in characters. */
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
  /** The kinds that the rows depend on; null for any. */
  readonly tags: readonly string[] | null
  /** The versions from before the rows were read; null where they are not known. */
  versions: KindVersions | null
  /**
   * Whether the last read for another token has found the same rows. Then the versions are read first: writes are likely to
   * be of other kinds. For rows that change with every write, that would only be one more statement.
   */
  isSteady: boolean
}

/** How rows are read and decoded. */
export interface RowRead<Row> {
  /** Two reads with one key have the same result at any one moment. */
  readonly key: string
  /** The rows as a text, mostly JSON. */
  read(): MaybePromise<string>
  decode(json: string): readonly Row[]
  /** The kinds that rows with this result depend on, see `Storage.versions`; null, or left out, for any kind. */
  tagsOf?(rows: readonly Row[]): readonly string[] | null
  /**
   * Whether one request is likely to read them more than once, as a permission callback and a handler do. They are then
   * cached from their first execution on. Default: false.
   */
  readonly isReadAgain?: boolean
}

/** Functions that read the change token and the versions of kinds. */
export interface Freshness {
  /** See `Storage.changeToken`. */
  changeToken(): Promise<ChangeToken>
  /** See `Storage.versionsAt`. */
  versionsAt(token: ChangeToken): MaybePromise<KindVersions>
}

/**
 * Caches rows that were read more than once. An entry is valid while the change token of the database equals its own. When
 * the token differs, the versions of the entry's kinds decide, so that a write of another kind leaves it in place. Otherwise
 * the rows are read again, and decoded again only if their JSON differs. Readers share the reads of a database that has to
 * be waited for, see `ReadsInFlight`.
 */
export class RowCache {
  readonly #entries = new LRUCache<string, Entry>({ max: maxEntries, maxSize: maxCharacters })
  /** Queries are cached from their second execution on: caching one-off pages would slow them by about 25 %. */
  readonly #seen = new Set<string>()
  readonly #reads = new ReadsInFlight<RowSet<unknown>>()

  rows<Row>(rowRead: RowRead<Row>, freshness: Freshness): Promise<RowSet<Row>> {
    const { key, isReadAgain = false } = rowRead
    if (!this.#entries.has(key) && (isReadAgain ? key.length > maxKeyLength : this.#isFirst(key)))
      return uncachedRows(rowRead)
    const began = this.#reads.now()
    return freshness.changeToken().then((token) => this.#rowsAt(rowRead, token, began, freshness))
  }

  /** @param began the moment before the token was read. */
  #rowsAt<Row>(
    rowRead: RowRead<Row>,
    token: ChangeToken,
    began: number,
    freshness: Freshness,
  ): MaybePromise<RowSet<Row>> {
    // Looked up after the token was read, because another reader of the same token may have cached the rows.
    const entry = this.#entries.get(rowRead.key)
    if (entry?.token === token) return entry.rowSet as RowSet<Row>
    if (entry === undefined || entry.tags === null || !entry.isSteady) return this.#share(rowRead, token, began, null)
    return mapMaybePromise<KindVersions, RowSet<Row>>(freshness.versionsAt(token), (versions) =>
      isUnwritten(entry, token, versions)
        ? (entry.rowSet as RowSet<Row>)
        : this.#share(rowRead, token, began, versions),
    )
  }

  /** @param versions those at the token; null where they were not read. */
  #share<Row>(
    rowRead: RowRead<Row>,
    token: ChangeToken,
    began: number,
    versions: KindVersions | null,
  ): MaybePromise<RowSet<Row>> {
    const send = (): MaybePromise<RowSet<unknown>> => this.#read(rowRead, token, versions)
    return this.#reads.share(rowRead.key, token, began, send) as MaybePromise<RowSet<Row>>
  }

  /** The parameters are those of `#share`. */
  #read<Row>(rowRead: RowRead<Row>, token: ChangeToken, versions: KindVersions | null): MaybePromise<RowSet<Row>> {
    const { key } = rowRead
    const number = this.#reads.now()
    return mapMaybePromise(rowRead.read(), (json) => {
      // `peek`: `rows` has marked the entry as used.
      const entry = this.#entries.peek(key)
      if (entry?.json === json) {
        if (entry.number < number) {
          entry.token = token
          entry.number = number
          entry.versions = versions
          entry.isSteady = true
        }
        return entry.rowSet as RowSet<Row>
      }
      const rows = rowRead.decode(json)
      // A read that was sent later may have ended earlier: its rows stay.
      if (json.length > maxResultLength || (entry !== undefined && entry.number > number))
        return { rows, derived: null }
      const rowSet = { rows, derived: new DerivedValues() }
      const tags = rowRead.tagsOf?.(rows) ?? null
      const entryOfRows = { json, rowSet, token, number, tags, versions, isSteady: false }
      this.#entries.set(key, entryOfRows, { size: json.length + key.length })
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

/** Whether none of the kinds of cached rows was written up to the moment of these versions, so that they are valid for the token. */
function isUnwritten(entry: Entry, token: ChangeToken, versions: KindVersions): boolean {
  // Another reader may have validated the entry since.
  if (entry.token === token) return true
  if (entry.tags === null || entry.versions?.areSame(versions, entry.tags) !== true) return false
  entry.token = token
  return true
}

/** Reads rows without a cache. */
export async function uncachedRows<Row>(rowRead: RowRead<Row>): Promise<RowSet<Row>> {
  return { rows: rowRead.decode(await rowRead.read()), derived: null }
}
