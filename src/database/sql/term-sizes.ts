import { LRUCache } from 'lru-cache'
import type { RecordsOfTerm } from './post-lists.js'

const maxTerms = 1000
/** Milliseconds for which numbers are used. */
const lifetime = 60_000

/**
 * How many records terms have, by which their lists are planned. The numbers may be those of a minute ago: with wrong ones a list
 * takes longer, and has the same records.
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
