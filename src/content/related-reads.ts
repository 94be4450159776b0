import { BatchedReads } from './batched-reads.js'
import type { PostColumn, PostRow, PostSelection, Storage, UserRow } from '../database/storage.js'
import type { TermRow } from '../database/term-rows.js'

// `post_type` is read because the response cache tracks posts by their type.
const columns = ['post_name', 'post_parent', 'post_type'] as const satisfies readonly PostColumn[]
const ancestorSelection: PostSelection<(typeof columns)[number]> = { key: 'ancestors', columns, metaKeys: [] }

type Ancestor = Pick<PostRow, 'ID' | (typeof columns)[number]>

/**
 * Reads the rows that a permalink depends on besides the row of its record: parents, authors, categories. For a list of
 * records, each kind of row is read with one statement, and each level of parents with one.
 */
export class RelatedReads {
  readonly posts: BatchedReads<number, Ancestor>
  readonly users: BatchedReads<number, UserRow>
  /** The categories of a post, by its id. */
  readonly categoriesOf: BatchedReads<number, readonly TermRow[]>
  readonly #storage: Storage
  readonly #terms = new Map<string, BatchedReads<number, TermRow>>()

  constructor(storage: Storage) {
    this.#storage = storage
    this.posts = new BatchedReads(async (ids) => {
      const { rows } = await storage.posts.findWithMeta(ids, ancestorSelection)
      return new Map(rows.map(({ post }) => [post.ID, post]))
    })
    this.users = new BatchedReads(async (ids) => {
      const users = await storage.users.findMany(ids)
      return new Map(users.map((user) => [user.ID, user]))
    })
    this.categoriesOf = new BatchedReads((ids) => storage.posts.termsOf(ids, ['category']))
  }

  /** The terms of a taxonomy, by id. */
  terms(taxonomy: string): BatchedReads<number, TermRow> {
    const cached = this.#terms.get(taxonomy)
    if (cached !== undefined) return cached
    const reads = new BatchedReads<number, TermRow>(async (ids) => {
      const terms = await this.#storage.terms.findMany(taxonomy, ids)
      return new Map(terms.map((term) => [term.term_id, term]))
    })
    this.#terms.set(taxonomy, reads)
    return reads
  }
}
