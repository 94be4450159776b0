import type { MaybePromise } from '../base/maybe-promise.js'
import type { JobRows } from '../database/job-rows.js'
import type { KindVersions } from '../database/kind-versions.js'
import type { ChangeToken, MetaRows, OptionRows, PostRows, RowVersion, Storage, UserRows } from '../database/storage.js'
import type { TermRows } from '../database/term-rows.js'
import type { ScheduledRows } from '../database/scheduled-rows.js'

/** The rows that a write has changed, for the caches of another program. `meta`: metadata only. */
export type WrittenRow =
  | {
      readonly kind: 'post'
      readonly id: number
      readonly event: 'insert' | 'update' | 'delete' | 'meta'
      /** The type of a post that is deleted. */
      readonly type?: string
      /** Ids of terms that the post no longer has. */
      readonly terms?: readonly number[]
    }
  | {
      readonly kind: 'user'
      readonly id: number
      readonly event: 'insert' | 'update' | 'delete' | 'meta'
      /** The user who gets the records of a deleted user. */
      readonly heir?: number
    }
  /** `taxonomy`: '' for all that the term belongs to. */
  | {
      readonly kind: 'term'
      readonly id: number
      readonly event: 'insert' | 'delete' | 'meta'
      readonly taxonomy: string
    }
  | { readonly kind: 'option'; readonly name: string }

type Report = (...rows: readonly WrittenRow[]) => void

/** Maximum number of moved children that are reported. One statement moves them all. */
const maxChildren = 1000

/**
 * A storage that reports the rows that it has written, once they are committed. A write that fails or is rolled back is
 * not reported.
 */
export class WrittenRowsStorage implements Storage {
  readonly posts: PostRows
  readonly users: UserRows
  readonly terms: TermRows
  readonly options: OptionRows
  readonly jobs: JobRows
  readonly #stored: Storage
  readonly #onWritten: (rows: readonly WrittenRow[]) => void

  /** @param onWritten must not throw. */
  constructor(stored: Storage, onWritten: (rows: readonly WrittenRow[]) => void) {
    this.#stored = stored
    this.#onWritten = onWritten
    const report: Report = (...rows) => onWritten(rows)
    this.posts = reportingPosts(stored.posts, report)
    this.users = reportingUsers(stored.users, report)
    this.terms = reportingTerms(stored.terms, report)
    this.options = reportingOptions(stored.options, report)
    this.jobs = stored.jobs
  }

  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#reportingAfterCommit((within) => this.#stored.transaction(within), work)
  }

  write<T>(work: (storage: Storage) => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
    return this.#reportingAfterCommit((within) => this.#stored.write(within, prepare), work)
  }

  async #reportingAfterCommit<T>(
    run: (within: (inside: Storage) => Promise<T>) => Promise<T>,
    work: (storage: Storage) => Promise<T>,
  ): Promise<T> {
    let rows: WrittenRow[] = []
    const result = await run((inside) => {
      // The work may run again from its beginning.
      const written: WrittenRow[] = []
      rows = written
      return work(new WrittenRowsStorage(inside, (more) => void written.push(...more)))
    })
    if (rows.length > 0) this.#onWritten(rows)
    return result
  }

  lock(names: readonly string[]): Promise<boolean> {
    return this.#stored.lock(names)
  }

  changeToken(): Promise<ChangeToken> {
    return this.#stored.changeToken()
  }

  versionsAt(token: ChangeToken): MaybePromise<KindVersions> {
    return this.#stored.versionsAt(token)
  }

  writes(): number {
    return this.#stored.writes()
  }

  versions(): Promise<ReadonlyMap<string, RowVersion>> {
    return this.#stored.versions()
  }

  ping(): Promise<void> {
    return this.#stored.ping()
  }

  close(): Promise<void> {
    return this.#stored.close()
  }
}

function reportingPosts(stored: PostRows, report: Report): PostRows {
  return {
    find: (id) => stored.find(id),
    findWithMeta: (ids, selection) => stored.findWithMeta(ids, selection),
    list: (query, selection) => stored.list(query, selection),
    count: (query) => stored.count(query),
    slugTaken: (query) => stored.slugTaken(query),
    firstFreeSlug: (query) => stored.firstFreeSlug(query),
    termsOf: (ids, taxonomies) => stored.termsOf(ids, taxonomies),
    async insert(row, meta) {
      const id = await stored.insert(row, meta)
      report({ kind: 'post', id, event: 'insert' })
      return id
    },
    async update(id, change) {
      const isUpdated = await stored.update(id, change)
      report({ kind: 'post', id, event: 'update' })
      return isUpdated
    },
    async delete(id) {
      const type = (await stored.find(id))?.post_type
      const isDeleted = await stored.delete(id)
      report(
        { kind: 'post', id, event: 'delete', ...(type !== undefined && { type }) },
        { kind: 'option', name: 'sticky_posts' },
      )
      return isDeleted
    },
    async hideComments(id) {
      const statuses = await stored.hideComments(id)
      report({ kind: 'post', id, event: 'meta' }, { kind: 'option', name: 'sticky_posts' })
      return statuses
    },
    showComments: (statuses) => stored.showComments(statuses),
    async moveChildren(move) {
      const query = { types: move.types, parent: move.from, order: [], limit: maxChildren, offset: 0 }
      const { rows } = await stored.list(query, { columns: ['ID'], metaKeys: [] })
      const moved = await stored.moveChildren(move)
      report(...rows.map(({ post }): WrittenRow => ({ kind: 'post', id: post.ID, event: 'meta' })))
      return moved
    },
    async setTerms(id, taxonomy, termIds) {
      const before = ((await stored.termsOf([id], [taxonomy])).get(id) ?? []).map(({ term_id }) => term_id)
      await stored.setTerms(id, taxonomy, termIds)
      report({ kind: 'post', id, event: 'meta', terms: before.filter((term) => !termIds.includes(term)) })
    },
    meta: reportingMeta(stored.meta, (id) => report({ kind: 'post', id, event: 'meta' })),
    scheduled: reportingScheduled(stored.scheduled, report),
  }
}

function reportingScheduled(stored: ScheduledRows, report: Report): ScheduledRows {
  return {
    due: (until, after, limit) => stored.due(until, after, limit),
    async publish(id, until) {
      const isPublished = await stored.publish(id, until)
      if (isPublished) report({ kind: 'post', id, event: 'update' })
      return isPublished
    },
  }
}

function reportingUsers(stored: UserRows, report: Report): UserRows {
  return {
    find: (key) => stored.find(key),
    findMany: (ids) => stored.findMany(ids),
    findWithMeta: (key, metaKeys) => stored.findWithMeta(key, metaKeys),
    list: (query) => stored.list(query),
    count: (query) => stored.count(query),
    firstFreeNicename: (nicenames, exceptId) => stored.firstFreeNicename(nicenames, exceptId),
    async insert(row) {
      const id = await stored.insert(row)
      report({ kind: 'user', id, event: 'insert' })
      return id
    },
    async update(id, change) {
      const isUpdated = await stored.update(id, change)
      report({ kind: 'user', id, event: 'update' })
      return isUpdated
    },
    async delete(id, heir) {
      const isDeleted = await stored.delete(id, heir)
      report({ kind: 'user', id, event: 'delete', ...(heir !== undefined && { heir }) })
      return isDeleted
    },
    meta: reportingMeta(stored.meta, (id) => report({ kind: 'user', id, event: 'meta' })),
  }
}

function reportingMeta(stored: MetaRows, report: (id: number) => void): MetaRows {
  const reported = async <T>(id: number, write: Promise<T>): Promise<T> => {
    const result = await write
    report(id)
    return result
  }
  return {
    read: (id, key) => stored.read(id, key),
    all: (id) => stored.all(id),
    ownersOf: (key, value, limit) => stored.ownersOf(key, value, limit),
    add: (id, key, value) => reported(id, stored.add(id, key, value)),
    write: (id, key, value) => reported(id, stored.write(id, key, value)),
    replace: (id, key, expected, value) => reported(id, stored.replace(id, key, expected, value)),
    remove: (id, key) => reported(id, stored.remove(id, key)),
  }
}

function reportingTerms(stored: TermRows, report: Report): TermRows {
  return {
    find: (taxonomy, key) => stored.find(taxonomy, key),
    findMany: (taxonomy, ids) => stored.findMany(taxonomy, ids),
    list: (taxonomy) => stored.list(taxonomy),
    firstFreeSlug: (taxonomy, slugs) => stored.firstFreeSlug(taxonomy, slugs),
    async insert(term) {
      const id = await stored.insert(term)
      report({ kind: 'term', id, event: 'insert', taxonomy: term.taxonomy })
      return id
    },
    async delete(taxonomy, id) {
      const isDeleted = await stored.delete(taxonomy, id)
      report({ kind: 'term', id, event: 'delete', taxonomy })
      return isDeleted
    },
    meta: reportingMeta(stored.meta, (id) => report({ kind: 'term', id, event: 'meta', taxonomy: '' })),
  }
}

function reportingOptions(stored: OptionRows, report: Report): OptionRows {
  return {
    read: (name) => stored.read(name),
    readMany: (names) => stored.readMany(names),
    async write(name, value, isAutoloaded) {
      await stored.write(name, value, isAutoloaded)
      report({ kind: 'option', name })
    },
    async writeOnce(name, value) {
      const written = await stored.writeOnce(name, value)
      report({ kind: 'option', name })
      return written
    },
    async remove(name) {
      const isRemoved = await stored.remove(name)
      report({ kind: 'option', name })
      return isRemoved
    },
  }
}
