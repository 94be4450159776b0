import { LRUCache } from 'lru-cache'
import type { RecordsOfTerm } from './post-lists.js'

const maxTerms = 1000
/** Milliseconds for which the numbers of a term are cached. */
const lifetime = 60_000

/**
 * Caches how many records terms have, by which `walkSql` chooses a query. The numbers may be a minute old: with wrong numbers a
 * list takes longer, and has the same records.
 */
export class TermSizes {
  readonly #sizes = new LRUCache<string, Promise<RecordsOfTerm>>({ max: maxTerms, ttl: lifetime })

  /** @param key equal for queries of equal numbers. @param read called at most once a minute for a key. */
  of(key: string, read: () => Promise<RecordsOfTerm>): Promise<RecordsOfTerm> {
    const cached = this.#sizes.get(key)
    if (cached !== undefined) return cached
    const sizes = read()
    this.#sizes.set(key, sizes)
    sizes.catch(() => this.#sizes.delete(key))
    return sizes
  }
}
