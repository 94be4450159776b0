import { lockKey } from './lock-key.js'
import { requireSqlValue } from '../sql/require-sql-value.js'
import type { SqlRow, SqlTransaction, SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import type { PostgresConnection, StatementResult } from './postgres-connection.js'
import { isConflict, isLostConnection, toStorageError, unknownOutcome } from './postgres-fault.js'
import { requireWholeNumbers } from './postgres-text.js'

/**
 * One transaction. It begins with the first statement, so that names locked before have their latest state in its snapshot.
 * Statements run one after the other: one that fails is rolled back alone, to a savepoint.
 */
export class PostgresTransaction implements SqlTransaction {
  readonly #connection: PostgresConnection
  /** Prefix of the names of locks: other schemas and tables of the same database lock names of their own. */
  readonly #scope: string
  #begun = false
  #isOver = false
  /** Whether locks of the session have to be released. */
  #hasSessionLocks = false
  /** The error that has ended the transaction, even when the work has caught it. */
  #failure: StorageError | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(connection: PostgresConnection, scope: string) {
    this.#connection = connection
    this.#scope = scope
  }

  /** The error that has ended the transaction; null while it goes on. */
  get failure(): StorageError | null {
    return this.#failure
  }

  async query(text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return (await this.#inTurn(() => this.#read(text, values))).rows
  }

  async row(text: string, values: readonly SqlValue[] = []): Promise<SqlRow | null> {
    return (await this.query(text, values))[0] ?? null
  }

  async execute(text: string, values: readonly SqlValue[] = []): Promise<number> {
    const isSavepoint = /^(?:SAVEPOINT|RELEASE|ROLLBACK)\b/.test(text)
    return (await this.#inTurn(() => (isSavepoint ? this.#read(text, values) : this.#write(text, values)))).matched
  }

  async insert(text: string, values: readonly SqlValue[], idColumn: string): Promise<number> {
    const { rows } = await this.#inTurn(() => {
      requireWholeNumbers(values)
      return this.#write(`${text} RETURNING ${idColumn}`, values)
    })
    return Number(rows[0]?.[0])
  }

  /**
   * Before the transaction has begun, the locks are those of the session: a lock of the transaction would be waited for by
   * a statement that has its snapshot already, so that it would not show what the holder before has written.
   */
  async lock(names: readonly string[]): Promise<void> {
    const keys = `{${names.map((name) => lockKey(`${this.#scope} ${name}`)).join()}}`
    await this.#inTurn(() => {
      if (this.#begun) return this.#read('SELECT pg_advisory_xact_lock(k) FROM unnest(?::bigint[]) k', [keys])
      this.#hasSessionLocks = true
      return this.#guarded(this.#connection.run('SELECT pg_advisory_lock(k) FROM unnest(?::bigint[]) k', [keys]))
    })
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

  /** The answer is not waited for: the next statement of the connection follows it. */
  #release(): void {
    if (!this.#hasSessionLocks || !this.#connection.isOpen) return
    this.#hasSessionLocks = false
    this.#connection.run('SELECT pg_advisory_unlock_all()').catch(() => this.#connection.abandon())
  }

  #inTurn(statement: () => Promise<StatementResult>): Promise<StatementResult> {
    const result = this.#last.then(() => {
      if (this.#isOver)
        throw new StorageError('transaction', 'The transaction is over: await everything that its work starts.')
      if (this.#failure !== null) throw this.#failure
      return statement()
    })
    if (this.#isOver) return result
    this.#last = result.catch(() => undefined)
    return result
  }

  #begin(): void {
    if (this.#begun) return
    this.#begun = true
    // A failure shows in the statement that follows.
    this.#connection.run('BEGIN ISOLATION LEVEL SERIALIZABLE').catch(() => undefined)
  }

  /** A statement without a savepoint: a failure ends the transaction. */
  #read(text: string, values: readonly SqlValue[]): Promise<StatementResult> {
    for (const value of values) requireSqlValue(value)
    this.#begin()
    return this.#guarded(this.#connection.run(text, values))
  }

  /** The savepoint, the statement and the release are sent together. */
  async #write(text: string, values: readonly SqlValue[]): Promise<StatementResult> {
    for (const value of values) requireSqlValue(value)
    this.#begin()
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

  async #guarded(result: Promise<StatementResult>): Promise<StatementResult> {
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
