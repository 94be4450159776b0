import { StorageError } from '../database/storage-error.js'
import type { MetaRows, OptionRows, PostRows, Storage, TermRows, UserRows, UserWithMeta } from '../database/storage.js'
import { DryRunMeta } from './dry-run-meta.js'

/**
 * A database that can be read and not changed, for a request that is thought through and not answered. What
 * authentication notes down (a session, an application password, a secret that was not there yet) is kept beside the
 * database for as long as this object lives; every other write is refused.
 */
export class DryRunStorage implements Storage {
  readonly posts: PostRows
  readonly users: UserRows
  readonly terms: TermRows
  readonly options: OptionRows
  readonly #stored: Storage
  /** Somebody who is in no table: stands for a role. */
  #guest: UserWithMeta | null = null
  #tokenReads = 0

  constructor(stored: Storage) {
    this.#stored = stored
    this.posts = readOnlyPosts(stored.posts)
    this.users = this.#rehearsedUsers(stored.users)
    this.terms = readOnlyTerms(stored.terms)
    this.options = rehearsedOptions(stored.options)
  }

  /** From now on this user is found by login and id, before the stored ones. */
  invite(guest: UserWithMeta): void {
    this.#guest = guest
  }

  /** Nothing is written, so there is nothing to roll back. */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return work(this)
  }

  write<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.transaction(work)
  }

  /** Never the same twice: what is kept beside the database changes without its knowledge. */
  changeToken(): number {
    this.#tokenReads += 1
    return this.#tokenReads
  }

  writes(): number {
    return this.#stored.writes()
  }

  versions(): Promise<ReadonlyMap<string, number>> {
    return this.#stored.versions()
  }

  ping(): Promise<void> {
    return this.#stored.ping()
  }

  close(): Promise<void> {
    return this.#stored.close()
  }

  #rehearsedUsers(stored: UserRows): UserRows {
    const meta = new DryRunMeta(stored.meta)
    const guestAt = (key: Parameters<UserRows['find']>[0]): UserWithMeta | null => {
      const guest = this.#guest
      if (guest === null) return null
      const isMeant = 'id' in key ? key.id === guest.user.ID : 'login' in key && key.login === guest.user.user_login
      return isMeant ? guest : null
    }
    const findWithMeta: UserRows['findWithMeta'] = async (key, metaKeys) => {
      const found = guestAt(key) ?? (await stored.findWithMeta(key, metaKeys))
      return found && { user: found.user, meta: meta.over(found.user.ID, found.meta) }
    }
    return {
      find: async (key) => guestAt(key)?.user ?? stored.find(key),
      findWithMeta,
      list: (query) => stored.list(query),
      count: (query) => stored.count(query),
      insert: refused,
      update: refused,
      delete: refused,
      meta,
    }
  }
}

function readOnlyPosts(stored: PostRows): PostRows {
  return {
    find: (id) => stored.find(id),
    findWithMeta: (ids, selection) => stored.findWithMeta(ids, selection),
    list: (query, selection) => stored.list(query, selection),
    count: (query) => stored.count(query),
    slugTaken: (question) => stored.slugTaken(question),
    termsOf: (id, taxonomy) => stored.termsOf(id, taxonomy),
    insert: refused,
    update: refused,
    delete: refused,
    setTerms: refused,
    meta: readOnlyMeta(stored.meta),
  }
}

function readOnlyMeta(stored: MetaRows): MetaRows {
  return {
    read: (id, key) => stored.read(id, key),
    all: (id) => stored.all(id),
    ownersOf: (key, value, limit) => stored.ownersOf(key, value, limit),
    add: refused,
    write: refused,
    replace: refused,
    remove: refused,
  }
}

function readOnlyTerms(stored: TermRows): TermRows {
  return {
    find: (taxonomy, key) => stored.find(taxonomy, key),
    list: (taxonomy) => stored.list(taxonomy),
    insert: refused,
    delete: refused,
  }
}

function rehearsedOptions(stored: OptionRows): OptionRows {
  const noted = new Map<string, string>()
  const read = async (name: string) => noted.get(name) ?? (await stored.read(name))
  return {
    read,
    async readMany(names) {
      const found = new Map(await stored.readMany(names))
      for (const name of names) {
        const value = noted.get(name)
        if (value !== undefined) found.set(name, value)
      }
      return found
    },
    async write(name, value) {
      noted.set(name, value)
    },
    async writeOnce(name, value) {
      const known = (await read(name)) ?? value
      noted.set(name, known)
      return known
    },
    remove: refused,
  }
}

function refused(): Promise<never> {
  return Promise.reject(new StorageError('read-only', 'An explanation reads the database and changes nothing in it.'))
}
