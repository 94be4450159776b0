import { StorageError } from '../database/storage-error.js'
import type { JobRows } from '../database/job-rows.js'
import { KindVersions } from '../database/kind-versions.js'
import type {
  ChangeToken,
  MetaRows,
  OptionRows,
  PostRows,
  RowVersion,
  Storage,
  UserRows,
  UserWithMeta,
} from '../database/storage.js'
import type { TermRows } from '../database/term-rows.js'
import { DryRunMeta } from './dry-run-meta.js'

/**
 * A read-only storage for explanations. Writes of authentication, which are sessions, application passwords and generated
 * secrets, are held in memory. Every other write is rejected with a `StorageError` `read-only`.
 */
export class DryRunStorage implements Storage {
  readonly posts: PostRows
  readonly users: UserRows
  readonly terms: TermRows
  readonly options: OptionRows
  readonly jobs: JobRows
  readonly #storage: Storage
  /** The user of `explain --user editor`, who represents the role and is in no table. */
  #roleUser: UserWithMeta | null = null
  #tokenReads = 0

  constructor(storage: Storage) {
    this.#storage = storage
    this.posts = readOnlyPosts(storage.posts)
    this.users = this.#dryRunUsers(storage.users)
    this.terms = readOnlyTerms(storage.terms)
    this.options = dryRunOptions(storage.options)
    this.jobs = readOnlyJobs(storage.jobs)
  }

  /** Adds a user that represents a role. It takes precedence over a stored user with the same login or id. */
  setRoleUser(user: UserWithMeta): void {
    this.#roleUser = user
  }

  /** Runs the work on this storage. No rollback is needed, because nothing is written to the database. */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return work(this)
  }

  async write<T>(work: (storage: Storage) => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
    await prepare?.()
    return this.transaction(work)
  }

  /** Takes no lock: no other process sees the changes in memory. */
  async lock(): Promise<boolean> {
    return false
  }

  /** A new token for each call, because the token of the database does not include the changes in memory. */
  async changeToken(): Promise<number> {
    this.#tokenReads += 1
    return this.#tokenReads
  }

  /** Each token has versions of its own, so no cached value is valid for another token. */
  async versionsAt(token: ChangeToken): Promise<KindVersions> {
    return new KindVersions(new Map(), `dry run ${token}`)
  }

  writes(): number {
    return this.#storage.writes()
  }

  versions(): Promise<ReadonlyMap<string, RowVersion>> {
    return this.#storage.versions()
  }

  ping(): Promise<void> {
    return this.#storage.ping()
  }

  close(): Promise<void> {
    return this.#storage.close()
  }

  #dryRunUsers(users: UserRows): UserRows {
    const meta = new DryRunMeta(users.meta)
    const roleUserAt = (key: Parameters<UserRows['find']>[0]): UserWithMeta | null => {
      const row = this.#roleUser
      if (row === null) return null
      const matches = 'id' in key ? key.id === row.user.ID : 'login' in key && key.login === row.user.user_login
      return matches ? row : null
    }
    const findWithMeta: UserRows['findWithMeta'] = async (key, metaKeys) => {
      const row = roleUserAt(key) ?? (await users.findWithMeta(key, metaKeys))
      return row && { user: row.user, meta: meta.withChanges(row.user.ID, row.meta) }
    }
    return {
      find: async (key) => roleUserAt(key)?.user ?? users.find(key),
      findWithMeta,
      findMany: async (ids) => {
        const rows = await users.findMany(ids)
        return ids.flatMap((id) => roleUserAt({ id })?.user ?? rows.find(({ ID }) => ID === id) ?? [])
      },
      list: (query) => users.list(query),
      count: (query) => users.count(query),
      insert: rejectWrite,
      update: rejectWrite,
      delete: rejectWrite,
      firstFreeNicename: (nicenames, exceptId) => users.firstFreeNicename(nicenames, exceptId),
      meta,
    }
  }
}

function readOnlyPosts(posts: PostRows): PostRows {
  return {
    find: (id) => posts.find(id),
    findWithMeta: (ids, selection) => posts.findWithMeta(ids, selection),
    list: (query, selection) => posts.list(query, selection),
    count: (query) => posts.count(query),
    slugTaken: (query) => posts.slugTaken(query),
    firstFreeSlug: (query) => posts.firstFreeSlug(query),
    termsOf: (ids, taxonomies) => posts.termsOf(ids, taxonomies),
    insert: rejectWrite,
    update: rejectWrite,
    delete: rejectWrite,
    hideComments: rejectWrite,
    showComments: rejectWrite,
    moveChildren: rejectWrite,
    setTerms: rejectWrite,
    meta: readOnlyMeta(posts.meta),
    scheduled: {
      due: (until, after, limit) => posts.scheduled.due(until, after, limit),
      publish: rejectWrite,
    },
  }
}

function readOnlyMeta(meta: MetaRows): MetaRows {
  return {
    read: (id, key) => meta.read(id, key),
    all: (id) => meta.all(id),
    ownersOf: (key, value, limit) => meta.ownersOf(key, value, limit),
    add: rejectWrite,
    write: rejectWrite,
    replace: rejectWrite,
    remove: rejectWrite,
  }
}

function readOnlyTerms(terms: TermRows): TermRows {
  return {
    find: (taxonomy, key) => terms.find(taxonomy, key),
    findMany: (taxonomy, ids) => terms.findMany(taxonomy, ids),
    list: (taxonomy) => terms.list(taxonomy),
    insert: rejectWrite,
    delete: rejectWrite,
    firstFreeSlug: (taxonomy, slugs) => terms.firstFreeSlug(taxonomy, slugs),
    meta: readOnlyMeta(terms.meta),
  }
}

/** Options whose changes are held in memory. */
function dryRunOptions(options: OptionRows): OptionRows {
  const changes = new Map<string, string>()
  const read = async (name: string) => changes.get(name) ?? (await options.read(name))
  return {
    read,
    async readMany(names) {
      const values = new Map(await options.readMany(names))
      for (const name of names) {
        const value = changes.get(name)
        if (value !== undefined) values.set(name, value)
      }
      return values
    },
    async write(name, value) {
      changes.set(name, value)
    },
    async writeOnce(name, value) {
      const current = (await read(name)) ?? value
      changes.set(name, current)
      return current
    },
    remove: rejectWrite,
  }
}

function readOnlyJobs(jobs: JobRows): JobRows {
  return {
    list: (query) => jobs.list(query),
    openNames: () => jobs.openNames(),
    add: rejectWrite,
    claim: rejectWrite,
    extend: rejectWrite,
    finish: rejectWrite,
    fail: rejectWrite,
    giveBack: rejectWrite,
    retry: rejectWrite,
    remove: rejectWrite,
  }
}

function rejectWrite(): Promise<never> {
  return Promise.reject(new StorageError('read-only', 'An explanation reads the database and changes nothing in it.'))
}
