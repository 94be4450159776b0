import type { MaybePromise } from '../base/maybe-promise.js'
import type { JobRows } from './job-rows.js'
import type { KindVersions } from './kind-versions.js'
import type { ChangeToken, OptionRows, PostRows, RowVersion, Storage, UserRows } from './storage.js'
import type { TermRows } from './term-rows.js'

/**
 * A storage that can be passed on before the database is open: handler classes are built and checked before a start opens
 * any data.
 */
export class DeferredStorage implements Storage {
  #opened: Storage | null = null
  #narrowColumns: ReadonlySet<string> = new Set()

  /** Passes later calls on to the open database. @param narrowColumns see `OpenedStorage.narrowColumns`. */
  opened(storage: Storage, narrowColumns: ReadonlySet<string> = new Set()): void {
    this.#opened = storage
    this.#narrowColumns = narrowColumns
  }

  /** See `OpenedStorage.narrowColumns`. Empty before the database is open. */
  get narrowColumns(): ReadonlySet<string> {
    return this.#narrowColumns
  }

  get posts(): PostRows {
    return this.#storage().posts
  }

  get users(): UserRows {
    return this.#storage().users
  }

  get terms(): TermRows {
    return this.#storage().terms
  }

  get options(): OptionRows {
    return this.#storage().options
  }

  get jobs(): JobRows {
    return this.#storage().jobs
  }

  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#storage().transaction(work)
  }

  write<T>(work: (storage: Storage) => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
    return this.#storage().write(work, prepare)
  }

  lock(names: readonly string[]): Promise<boolean> {
    return this.#storage().lock(names)
  }

  changeToken(): Promise<ChangeToken> {
    return this.#storage().changeToken()
  }

  versionsAt(token: ChangeToken): MaybePromise<KindVersions> {
    return this.#storage().versionsAt(token)
  }

  writes(): number {
    return this.#storage().writes()
  }

  versions(): Promise<ReadonlyMap<string, RowVersion>> {
    return this.#storage().versions()
  }

  ping(): Promise<void> {
    return this.#storage().ping()
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }

  #storage(): Storage {
    if (!this.#opened)
      throw new Error('The database is not open yet: a constructor may inject a store, but must not use it.')
    return this.#opened
  }
}
