import { setTimeout as sleep } from 'node:timers/promises'
import { StorageError } from '../storage-error.js'
import type { SqlConnection, SqlRow, SqlValue } from '../sql/sql-connection.js'
import type { SqliteClient, SqliteStatement } from './sqlite-client.js'
import { isBusy, toStorageError } from './sqlite-fault.js'

/** Maximum number of prepared statements. An application has a few dozen different queries. */
const maxStatements = 256

/** One open SQLite connection. Statements are prepared at their first use and cached. */
export class SqliteConnection implements SqlConnection {
  readonly #client: SqliteClient
  readonly #statements = new Map<string, SqliteStatement>()
  readonly #busyTimeout: number
  #closed = false
  #refusal: StorageError | null = null
  #beforeCommit = (): void => undefined

  /** @param busyTimeout how long a statement waits for a lock of another process, in milliseconds. */
  constructor(client: SqliteClient, busyTimeout: number) {
    this.#client = client
    this.#busyTimeout = busyTimeout
  }

  query(text: string, values: readonly SqlValue[] = []): readonly SqlRow[] | Promise<readonly SqlRow[]> {
    return this.#untilUnlocked(() => this.#prepared(text).all(values))
  }

  row(text: string, values: readonly SqlValue[] = []): SqlRow | null | Promise<SqlRow | null> {
    return this.#untilUnlocked(() => this.#prepared(text).get(values))
  }

  execute(text: string, values: readonly SqlValue[] = []): number | Promise<number> {
    return this.#untilUnlocked(() => this.#prepared(text).run(values).changes)
  }

  /** Ends a transaction. @throws what the check of `beforeCommit` throws. */
  commit(): number | Promise<number> {
    this.#beforeCommit()
    return this.execute('COMMIT')
  }

  /** Possible also while all statements are refused. */
  rollBack(): number | Promise<number> {
    return this.#untilUnlocked(() => this.#statement('ROLLBACK').run([]).changes)
  }

  /** As `execute`, but fails immediately when another process has the lock. */
  attempt(text: string): number {
    try {
      return this.#prepared(text).run([]).changes
    } catch (error) {
      throw toStorageError(error)
    }
  }

  insert(text: string, values: readonly SqlValue[]): number | Promise<number> {
    return this.#untilUnlocked(() => this.#prepared(text).run(values).lastInsertRowid)
  }

  /** Every statement throws the error from now on; null ends that. An open transaction can still be rolled back. */
  refuse(error: StorageError | null): void {
    this.#refusal = error
  }

  /** Sets the check that runs before each commit. @param check throws when the transaction must be rolled back. */
  beforeCommit(check: () => void): void {
    this.#beforeCommit = check
  }

  /** May be called twice. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#statements.clear()
    this.#client.close()
  }

  /** Returns without a promise when no other process has the lock. It waits by a timer: SQLite's own waiting would block the process. */
  #untilUnlocked<T>(work: () => T): T | Promise<T> {
    try {
      return work()
    } catch (error) {
      const first = toStorageError(error)
      if (!isBusy(first)) throw first
      return this.#again(work, performance.now() + this.#busyTimeout, first)
    }
  }

  async #again<T>(work: () => T, deadline: number, last: unknown): Promise<T> {
    if (performance.now() >= deadline) throw last
    // Random, so that waiting processes do not try at the same time again and again.
    await sleep(1 + Math.random() * 4)
    try {
      return work()
    } catch (error) {
      const next = toStorageError(error)
      if (!isBusy(next)) throw next
      return this.#again(work, deadline, next)
    }
  }

  /** @throws StorageError when statements are refused. */
  requireUsable(): void {
    if (this.#refusal !== null) throw this.#refusal
  }

  #prepared(text: string): SqliteStatement {
    this.requireUsable()
    return this.#statement(text)
  }

  #statement(text: string): SqliteStatement {
    if (this.#closed) throw new StorageError('unavailable', 'The database is closed.')
    const cached = this.#statements.get(text)
    if (cached !== undefined) return cached
    const statement = this.#client.prepare(text)
    for (const oldest of this.#statements.keys()) {
      if (this.#statements.size < maxStatements) break
      this.#statements.delete(oldest)
    }
    this.#statements.set(text, statement)
    return statement
  }
}
