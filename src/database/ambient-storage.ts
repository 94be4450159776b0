import { AsyncLocalStorage } from 'node:async_hooks'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { JobRows } from './job-rows.js'
import type { KindVersions } from './kind-versions.js'
import type { ChangeToken, OptionRows, PostRows, RowVersion, Storage, UserRows } from './storage.js'
import type { TermRows } from './term-rows.js'

interface RunningTransaction<Effect> {
  readonly storage: Storage
  readonly effects: Effect[]
}

/**
 * A storage whose calls take part in the transaction that is running in their async context, so that services share a
 * transaction without passing it on. Outside a transaction the calls reach the database directly. A call that was not awaited,
 * and comes after the end of its transaction, is refused.
 *
 * @typeParam Effect an action that is due once a transaction is committed.
 */
export class AmbientStorage<Effect = never> implements Storage {
  readonly #stored: Storage
  readonly #onCommit: (effects: readonly Effect[]) => void
  readonly #context = new AsyncLocalStorage<RunningTransaction<Effect>>()
  /** Before the first transaction, calls do not look for their context. */
  #hasTransactions = false

  /** @param onCommit called with the effects of each transaction, and of each write outside of one, when they are durable. */
  constructor(stored: Storage, onCommit: (effects: readonly Effect[]) => void = () => undefined) {
    this.#stored = stored
    this.#onCommit = onCommit
  }

  /** Whether the calls take part in a transaction. */
  get isInTransaction(): boolean {
    return this.#running() !== undefined
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

  get jobs(): JobRows {
    return this.#current().jobs
  }

  /** Inside a transaction: a part of it, whose writes are undone when `work` fails. */
  async transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    let effects: Effect[] = []
    const result = await this.#current().transaction((storage) => {
      this.#hasTransactions = true
      // Work that runs again has not had the effects of its first attempt.
      effects = []
      return this.#context.run({ storage, effects }, () => work(storage))
    })
    if (effects.length > 0) this.written(effects)
    return result
  }

  /** Adds effects of a write that has succeeded. They are passed to `onCommit` when the running transaction is committed. */
  written(effects: readonly Effect[]): void {
    const running = this.#running()
    if (running === undefined) this.#onCommit(effects)
    else running.effects.push(...effects)
  }

  /** `work` must use the storage that it receives only. Services that use this one would wait for its end. */
  write<T>(work: (storage: Storage) => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
    return this.#current().write(work, prepare)
  }

  lock(names: readonly string[]): Promise<boolean> {
    return this.#current().lock(names)
  }

  versions(): Promise<ReadonlyMap<string, RowVersion>> {
    return this.#current().versions()
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

  ping(): Promise<void> {
    return this.#stored.ping()
  }

  close(): Promise<void> {
    return this.#stored.close()
  }

  #current(): Storage {
    return this.#running()?.storage ?? this.#stored
  }

  #running(): RunningTransaction<Effect> | undefined {
    return this.#hasTransactions ? this.#context.getStore() : undefined
  }
}
