import { lockKey } from './lock-key.js'
import { requireSqlValue } from '../sql/require-sql-value.js'
import type { SqlRow, SqlTransaction, SqlValue } from '../sql/sql-connection.js'
import { StorageError, transactionOver } from '../storage-error.js'
import { noResult, type PostgresConnection } from './postgres-connection.js'
import type { StatementResult } from './postgres-query.js'
import {
  isConflict,
  isLostConnection,
  nameInUse,
  refusedBegin,
  toStorageError,
  unknownOutcome,
} from './postgres-fault.js'
import { requireWholeNumbers } from './postgres-text.js'

/** How one attempt of a piece of work runs. */
export interface TransactionMode {
  /**
   * - `READ COMMITTED`: each statement sees what was committed before it. Other writers of the same rows are kept out by
   *   locks: of names, and of the rows that are read by their key.
   * - `SERIALIZABLE`: the server finds every conflict.
   */
  readonly isolation: 'READ COMMITTED' | 'SERIALIZABLE'
  /** Prefix of the names of locks, so that other schemas and table prefixes of the same database have separate locks. */
  readonly scope: string
  /**
   * The names that all attempts so far have locked; `lock` adds to them. They are locked first and together, in one order for
   * all transactions: a transaction that waits for them holds nothing for which another one waits.
   */
  readonly names: Set<string>
  /** The lock that comes before all others; null for none. Its exclusive holder waits until no other one is left. */
  readonly queue: { readonly name: string; readonly isExclusive: boolean } | null
  /** Milliseconds that a statement waits for a row, once the first locks are held; null: the same as for the first locks. */
  readonly rowTimeout: number | null
  /** Whether `lock` waits for a name that is not in `names`. If not, a name that is in use is a conflict. */
  readonly waitsForNames: boolean
  /** Whether a statement that fails is rolled back alone. If not, work that catches its error must run again. */
  readonly hasSavepoints: boolean
}

/** One transaction. It begins with the first statement. Statements run one after the other. */
export class PostgresTransaction implements SqlTransaction {
  /** See `SqlTransaction.locking`: a serializable transaction needs no lock. */
  readonly locking: string
  readonly #connection: PostgresConnection
  readonly #mode: TransactionMode
  readonly #held = new Set<string>()
  #begun = false
  #isOver = false
  /** Whether locks of the session have to be released. */
  #hasSessionLocks = false
  /** The error that has ended the transaction, even when the work has caught it. */
  #failure: StorageError | null = null
  #needsSavepoints = false
  #hasGoneOn = false
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: PostgresConnection, mode: TransactionMode) {
    this.#connection = connection
    this.#mode = mode
    this.locking = mode.isolation === 'SERIALIZABLE' ? '' : ' FOR UPDATE'
  }

  /** The error that has ended the transaction; null while it goes on. */
  get failure(): StorageError | null {
    return this.#failure
  }

  /** Whether the failure comes from a statement that a savepoint would have rolled back alone. */
  get needsSavepoints(): boolean {
    return this.#needsSavepoints
  }

  /** Whether the work has sent a statement after the failure, so it has caught the error. */
  get hasGoneOn(): boolean {
    return this.#hasGoneOn
  }

  async query(text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return (await this.#inTurn(() => this.#read(text, values))).rows
  }

  async row(text: string, values: readonly SqlValue[] = []): Promise<SqlRow | null> {
    return (await this.query(text, values))[0] ?? null
  }

  async execute(text: string, values: readonly SqlValue[] = []): Promise<number> {
    if (/^(?:SAVEPOINT|RELEASE|ROLLBACK)\b/.test(text)) return this.#savepoint(text)
    return (await this.#inTurn(() => this.#write(text, values))).matched
  }

  async insert(text: string, values: readonly SqlValue[], idColumn: string): Promise<number> {
    const { rows } = await this.#inTurn(() => {
      requireWholeNumbers(values)
      return this.#write(`${text} RETURNING ${idColumn}`, values)
    })
    return Number(rows[0]?.[0])
  }

  async lock(names: readonly string[]): Promise<boolean> {
    for (const name of names) this.#mode.names.add(name)
    let isLate = false
    await this.#inTurn(async () => {
      if (!this.#begun) {
        const begun = this.#begin()
        // Later statements wait on the server. A serializable transaction may await other things, so it waits for its locks here.
        if (this.#mode.isolation === 'SERIALIZABLE') await this.#guarded(begun)
        return noResult
      }
      const missing = names.filter((name) => !this.#held.has(name))
      if (missing.length === 0) return noResult
      isLate = true
      const result = await this.#guarded(this.#lockLate(missing))
      for (const name of missing) this.#held.add(name)
      return result
    })
    return isLate
  }

  /** Locks a name in place of the missing row. The server has room for a few thousand locks, so many rows share one. */
  async lockMissing(name: string): Promise<void> {
    await this.lock([`rows ${lockKey(name) & 511n}`])
  }

  /**
   * @throws StorageError the failure of the transaction, even when the work has caught it; `unavailable` when the
   *   connection is lost before the server has answered whether it has committed.
   */
  async commit(): Promise<void> {
    await this.#end()
    try {
      if (this.#failure !== null) throw this.#failure
      if (!this.#begun) return
      const { command } = await this.#connection.run('COMMIT').catch((error: unknown) => {
        throw isLostConnection(error) ? unknownOutcome(error) : error
      })
      if (command !== 'COMMIT') throw new StorageError('transaction', 'The transaction had failed and was rolled back.')
    } finally {
      this.#release()
    }
  }

  async rollBack(): Promise<void> {
    await this.#end()
    try {
      if (this.#begun && this.#connection.isOpen) await this.#connection.run('ROLLBACK')
    } catch {
      this.#connection.abandon()
    } finally {
      this.#release()
    }
  }

  /** Refuses further statements, and waits for those that run. */
  async #end(): Promise<void> {
    this.#isOver = true
    await this.#last
  }

  /** Releases the locks of the session without waiting for the response: the next statement of the connection runs after it. */
  #release(): void {
    if (!this.#hasSessionLocks || !this.#connection.isOpen) return
    this.#hasSessionLocks = false
    this.#connection.run('SELECT pg_advisory_unlock_all()').catch(() => this.#connection.abandon())
  }

  #inTurn(statement: () => Promise<StatementResult>): Promise<StatementResult> {
    const result = this.#last.then(() => {
      if (this.#isOver) throw transactionOver()
      if (this.#failure !== null) {
        this.#hasGoneOn = true
        throw this.#failure
      }
      return statement()
    })
    if (this.#isOver) return result
    this.#last = result.catch(() => undefined)
    return result
  }

  /**
   * Sends `BEGIN` and the first locks. A serializable transaction takes them before it begins, for the session: otherwise its
   * snapshot would be older than what the previous holders have written.
   * @returns a promise that resolves when the locks are held. Statements may be sent earlier.
   */
  #begin(): Promise<unknown> {
    if (this.#begun) return Promise.resolve()
    this.#begun = true
    const { isolation, names } = this.#mode
    const isOfSession = isolation === 'SERIALIZABLE'
    for (const name of names) this.#held.add(name)
    const begin = (): Promise<StatementResult> =>
      this.#connection.run(`BEGIN ISOLATION LEVEL ${isolation}`).catch((error: unknown) => {
        throw refusedBegin(error) ?? error
      })
    const steps = isOfSession ? [() => this.#firstLocks(true), begin] : [begin, () => this.#firstLocks(false)]
    const sent = steps.map((step) => step() ?? Promise.resolve())
    // An error here is the failure of the transaction; later statements fail only because of it.
    for (const step of sent) step.catch((error: unknown) => this.#failedBy(toStorageError(error)))
    const all = Promise.all(sent)
    all.catch(() => undefined)
    return all
  }

  #firstLocks(isOfSession: boolean): Promise<StatementResult> | null {
    const { names, queue, rowTimeout } = this.#mode
    const keys = [...(queue === null ? [] : [queue.name]), ...[...names].sort()].map((name) => this.#keyOf(name))
    if (keys.length === 0) return null
    if (isOfSession) this.#hasSessionLocks = true
    const take = isOfSession ? 'pg_advisory_lock' : 'pg_advisory_xact_lock'
    const first = queue?.isExclusive === false ? `${take}_shared` : take
    const limit = rowTimeout === null ? '' : `, CASE WHEN n = ? THEN set_config('lock_timeout', ?, true) END`
    return this.#connection.run(
      `SELECT CASE n WHEN 1 THEN ${first}(k) ELSE ${take}(k) END${limit}
      FROM unnest(?::bigint[]) WITH ORDINALITY l (k, n)`,
      [...(rowTimeout === null ? [] : [keys.length, String(rowTimeout)]), arrayOf(keys)],
    )
  }

  /** Locks names while others are held. Waiting for a name could end in a deadlock, so by default a name in use is a conflict. */
  async #lockLate(names: readonly string[]): Promise<StatementResult> {
    const keys = arrayOf(names.map((name) => this.#keyOf(name)))
    if (this.#mode.waitsForNames)
      return this.#connection.run('SELECT pg_advisory_xact_lock(k) FROM unnest(?::bigint[]) k', [keys])
    const result = await this.#connection.run(
      'SELECT bool_and(pg_try_advisory_xact_lock(k)) FROM unnest(?::bigint[]) k',
      [keys],
    )
    if (result.rows[0]?.[0] !== 1) throw nameInUse()
    return result
  }

  #keyOf(name: string): bigint {
    return lockKey(`${this.#mode.scope} ${name}`)
  }

  /** Sends the statement of a savepoint without waiting for the response: after a failure the next statement fails. */
  async #savepoint(text: string): Promise<number> {
    const isRollback = text.startsWith('ROLLBACK')
    await this.#inTurn(async () => {
      if (this.#mode.hasSavepoints) void this.#read(text, []).catch(() => undefined)
      if (this.#mode.hasSavepoints || !isRollback) return noResult
      this.#needsSavepoints = true
      throw this.#failedBy(new StorageError('transaction', 'A part of the transaction has failed.'))
    })
    return 0
  }

  /** A statement without a savepoint: a failure ends the transaction. */
  #read(text: string, values: readonly SqlValue[]): Promise<StatementResult> {
    for (const value of values) requireSqlValue(value)
    void this.#begin()
    return this.#guarded(this.#connection.run(text, values))
  }

  async #write(text: string, values: readonly SqlValue[]): Promise<StatementResult> {
    for (const value of values) requireSqlValue(value)
    void this.#begin()
    if (this.#mode.hasSavepoints) return this.#writeInSavepoint(text, values)
    try {
      return await this.#connection.run(text, values)
    } catch (error) {
      if (this.#failure !== null) throw this.#failure
      const failure = toStorageError(error)
      this.#needsSavepoints = !isConflict(failure) && !isLostConnection(failure)
      throw this.#failedBy(failure)
    }
  }

  /** The savepoint, the statement and the release are sent together. */
  async #writeInSavepoint(text: string, values: readonly SqlValue[]): Promise<StatementResult> {
    const savepoint = this.#connection.run('SAVEPOINT statement')
    const result = this.#connection.run(text, values)
    const release = this.#connection.run('RELEASE SAVEPOINT statement')
    const [saved, outcome] = await Promise.allSettled([savepoint, result, release])
    if (outcome.status === 'fulfilled') return outcome.value
    const error = toStorageError(outcome.reason)
    if (saved.status === 'rejected' || isConflict(error) || isLostConnection(error)) throw this.#failedBy(error)
    await this.#guarded(this.#connection.run('ROLLBACK TO SAVEPOINT statement'))
    await this.#guarded(this.#connection.run('RELEASE SAVEPOINT statement'))
    throw error
  }

  async #guarded<T>(result: Promise<T>): Promise<T> {
    try {
      return await result
    } catch (error) {
      throw this.#failedBy(toStorageError(error))
    }
  }

  #failedBy(error: StorageError): StorageError {
    return (this.#failure ??= error)
  }
}

const arrayOf = (keys: readonly bigint[]): string => `{${keys.join()}}`
