import { AsyncLocalStorage } from 'node:async_hooks'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { KindVersions } from './kind-versions.js'
import type { ChangeToken, OptionRows, PostRows, RowVersion, Storage, TermRows, UserRows } from './storage.js'

/**
 * A storage whose calls take part in the transaction that is running in their async context. So all services that share
 * this storage take part in a transaction, without being handed it. Outside a transaction the calls reach the database
 * directly. A call that was not awaited, and comes after the end of its transaction, is refused.
 */
export class AmbientStorage implements Storage {
  readonly #stored: Storage
  readonly #context = new AsyncLocalStorage<Storage>()
  /** Before the first transaction, calls do not look for their context. */
  #hasTransactions = false

  constructor(stored: Storage) {
    this.#stored = stored
  }

  get posts(): PostRows {
    return this.#current().posts
  }

  get users(): UserRows {
    return this.#current().users
  }

  get terms(): TermRows {
    return this.#current().terms
  }

  get options(): OptionRows {
    return this.#current().options
  }

  /** Inside a transaction: a part of it, whose writes are undone when `work` fails. */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#current().transaction((storage) => {
      this.#hasTransactions = true
      return this.#context.run(storage, () => work(storage))
    })
  }

  /** `work` must use the storage that it receives only. Services that use this one would wait for its end. */
  write<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#current().write(work)
  }

  lock(names: readonly string[]): Promise<boolean> {
    return this.#current().lock(names)
  }

  versions(): Promise<ReadonlyMap<string, RowVersion>> {
    return this.#current().versions()
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

  ping(): Promise<void> {
    return this.#stored.ping()
  }

  close(): Promise<void> {
    return this.#stored.close()
  }

  #current(): Storage {
    return this.#hasTransactions ? (this.#context.getStore() ?? this.#stored) : this.#stored
  }
}
