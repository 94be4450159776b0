import type { MaybePromise } from '../base/maybe-promise.js'
import type { JobRows } from '../database/job-rows.js'
import type { KindVersions } from '../database/kind-versions.js'
import type {
  ChangeToken,
  MetaRows,
  OptionRows,
  PostRows,
  RowVersion,
  ScheduledRows,
  Storage,
  TermRows,
  UserRows,
} from '../database/storage.js'

/** The rows that a write has changed, for the caches of another program. `meta`: metadata only. */
export type WrittenRow =
  | {
      readonly kind: 'post'
      readonly id: number
      readonly event: 'insert' | 'update' | 'delete' | 'meta'
      /** The type of a post that is deleted. */
      readonly type?: string
      /** Terms that the post has no more. */
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

type Note = (...rows: readonly WrittenRow[]) => void

/** Children that are moved with one statement and named one by one. */
const maxChildren = 1000

/** A storage that tells what it has written, after it is committed. A write that fails or is rolled back is not told. */
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
    const note: Note = (...rows) => onWritten(rows)
    this.posts = notedPosts(stored.posts, note)
    this.users = notedUsers(stored.users, note)
    this.terms = notedTerms(stored.terms, note)
    this.options = notedOptions(stored.options, note)
    this.jobs = stored.jobs
  }

  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#told((within) => this.#stored.transaction(within), work)
  }

  write<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#told((within) => this.#stored.write(within), work)
  }

  async #told<T>(
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

  changeToken(): MaybePromise<ChangeToken> {
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

function notedPosts(stored: PostRows, note: Note): PostRows {
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
      note({ kind: 'post', id, event: 'insert' })
      return id
    },
    async update(id, change) {
      const isUpdated = await stored.update(id, change)
      note({ kind: 'post', id, event: 'update' })
      return isUpdated
    },
    async delete(id) {
      const type = (await stored.find(id))?.post_type
      const isDeleted = await stored.delete(id)
      note(
        { kind: 'post', id, event: 'delete', ...(type !== undefined && { type }) },
        { kind: 'option', name: 'sticky_posts' },
      )
      return isDeleted
    },
    async hideComments(id) {
      const statuses = await stored.hideComments(id)
      note({ kind: 'post', id, event: 'meta' }, { kind: 'option', name: 'sticky_posts' })
      return statuses
    },
    showComments: (statuses) => stored.showComments(statuses),
    async moveChildren(move) {
      const query = { types: move.types, parent: move.from, order: [], limit: maxChildren, offset: 0 }
      const { rows } = await stored.list(query, { columns: ['ID'], metaKeys: [] })
      const moved = await stored.moveChildren(move)
      note(...rows.map(({ post }): WrittenRow => ({ kind: 'post', id: post.ID, event: 'meta' })))
      return moved
    },
    async setTerms(id, taxonomy, termIds) {
      const before = ((await stored.termsOf([id], [taxonomy])).get(id) ?? []).map(({ term_id }) => term_id)
      await stored.setTerms(id, taxonomy, termIds)
      note({ kind: 'post', id, event: 'meta', terms: before.filter((term) => !termIds.includes(term)) })
    },
    meta: notedMeta(stored.meta, (id) => note({ kind: 'post', id, event: 'meta' })),
    scheduled: notedScheduled(stored.scheduled, note),
  }
}

function notedScheduled(stored: ScheduledRows, note: Note): ScheduledRows {
  return {
    due: (until, after, limit) => stored.due(until, after, limit),
    async publish(id, until) {
      const isPublished = await stored.publish(id, until)
      if (isPublished) note({ kind: 'post', id, event: 'update' })
      return isPublished
    },
  }
}

function notedUsers(stored: UserRows, note: Note): UserRows {
  return {
    find: (key) => stored.find(key),
    findMany: (ids) => stored.findMany(ids),
    findWithMeta: (key, metaKeys) => stored.findWithMeta(key, metaKeys),
    list: (query) => stored.list(query),
    count: (query) => stored.count(query),
    firstFreeNicename: (nicenames, exceptId) => stored.firstFreeNicename(nicenames, exceptId),
    async insert(row) {
      const id = await stored.insert(row)
      note({ kind: 'user', id, event: 'insert' })
      return id
    },
    async update(id, change) {
      const isUpdated = await stored.update(id, change)
      note({ kind: 'user', id, event: 'update' })
      return isUpdated
    },
    async delete(id, heir) {
      const isDeleted = await stored.delete(id, heir)
      note({ kind: 'user', id, event: 'delete', ...(heir !== undefined && { heir }) })
      return isDeleted
    },
    meta: notedMeta(stored.meta, (id) => note({ kind: 'user', id, event: 'meta' })),
  }
}

function notedMeta(stored: MetaRows, note: (id: number) => void): MetaRows {
  const noted = async <T>(id: number, write: Promise<T>): Promise<T> => {
    const result = await write
    note(id)
    return result
  }
  return {
    read: (id, key) => stored.read(id, key),
    all: (id) => stored.all(id),
    ownersOf: (key, value, limit) => stored.ownersOf(key, value, limit),
    add: (id, key, value) => noted(id, stored.add(id, key, value)),
    write: (id, key, value) => noted(id, stored.write(id, key, value)),
    replace: (id, key, expected, value) => noted(id, stored.replace(id, key, expected, value)),
    remove: (id, key) => noted(id, stored.remove(id, key)),
  }
}

function notedTerms(stored: TermRows, note: Note): TermRows {
  return {
    find: (taxonomy, key) => stored.find(taxonomy, key),
    findMany: (taxonomy, ids) => stored.findMany(taxonomy, ids),
    list: (taxonomy) => stored.list(taxonomy),
    firstFreeSlug: (taxonomy, slugs) => stored.firstFreeSlug(taxonomy, slugs),
    async insert(term) {
      const id = await stored.insert(term)
      note({ kind: 'term', id, event: 'insert', taxonomy: term.taxonomy })
      return id
    },
    async delete(taxonomy, id) {
      const isDeleted = await stored.delete(taxonomy, id)
      note({ kind: 'term', id, event: 'delete', taxonomy })
      return isDeleted
    },
    meta: notedMeta(stored.meta, (id) => note({ kind: 'term', id, event: 'meta', taxonomy: '' })),
  }
}

function notedOptions(stored: OptionRows, note: Note): OptionRows {
  return {
    read: (name) => stored.read(name),
    readMany: (names) => stored.readMany(names),
    async write(name, value, isAutoloaded) {
      await stored.write(name, value, isAutoloaded)
      note({ kind: 'option', name })
    },
    async writeOnce(name, value) {
      const written = await stored.writeOnce(name, value)
      note({ kind: 'option', name })
      return written
    },
    async remove(name) {
      const isRemoved = await stored.remove(name)
      note({ kind: 'option', name })
      return isRemoved
    },
  }
}
