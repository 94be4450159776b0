import type { SqlRow, SqlTransaction, SqlValue } from '../sql/sql-connection.js'
import { StorageError, transactionOver } from '../storage-error.js'
import type { MysqlConnection, StatementResult } from './mysql-connection.js'
import { isConflict, isLostConnection, toStorageError } from './mysql-fault.js'
import { requireWholeNumbers } from './mysql-values.js'
import type { WriterLocks } from './writer-locks.js'

export type Isolation = 'READ COMMITTED' | 'SERIALIZABLE'

/**
 * One transaction. Statements run one after the other, and none after a failure that has ended it: the server would commit
 * each of them by itself. A statement that fails otherwise has changed nothing, and the transaction goes on.
 *
 * Reads lock the rows that they find, so that no other writer changes them before the transaction has ended, and so that
 * two transactions that read and then write one row follow each other.
 */
export class MysqlTransaction implements SqlTransaction {
  readonly #connection: MysqlConnection
  readonly #locks: WriterLocks
  #isOver = false
  /** The error that has ended the transaction, even when the work has caught it. */
  #failure: StorageError | null = null
  /** Whether a statement has defined a table: the server has committed before it, and commits each statement after it. */
  #isCommitted = false
  #hasWritten = false
  /** Whether no result since the last write shows that the server still has the transaction. Results of reads and errors do not. */
  #isUnsure = false
  #last: Promise<unknown> = Promise.resolve()
  /** The names of missing rows that are locked already. */
  readonly #lockedMissing = new Set<string>()

  constructor(connection: MysqlConnection, locks: WriterLocks) {
    this.#connection = connection
    this.#locks = locks
  }

  async begin(isolation: Isolation): Promise<void> {
    if (isolation !== 'READ COMMITTED') await this.#connection.run(`SET TRANSACTION ISOLATION LEVEL ${isolation}`)
    await this.#connection.run('START TRANSACTION')
  }

  async query(text: string, values: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return (await this.#inTurn(this.#locking(text), values)).rows
  }

  async row(text: string, values: readonly SqlValue[] = []): Promise<SqlRow | null> {
    return (await this.query(text, values))[0] ?? null
  }

  async execute(text: string, values: readonly SqlValue[] = []): Promise<number> {
    if (isWrite(text)) requireWholeNumbers(values)
    return (await this.#inTurn(text, values)).matched
  }

  async insert(text: string, values: readonly SqlValue[], idColumn: string): Promise<number> {
    requireWholeNumbers(values)
    return idOf(await this.#inTurn(text, values), text, values, idColumn)
  }

  async lock(names: readonly string[]): Promise<boolean> {
    if (names.length === 0) return false
    for (const statement of this.#locks.ofNames(names)) await this.run(statement)
    return true
  }

  /** Locks a name in place of the missing row: READ COMMITTED does not lock the gap, so that new rows of different owners never wait. */
  async lockMissing(name: string): Promise<void> {
    if (this.#lockedMissing.has(name)) return
    this.#lockedMissing.add(name)
    await this.lock([name])
  }

  /** Runs a statement of the transaction itself. */
  async run(text: string): Promise<void> {
    await this.#inTurn(text, [])
  }

  /**
   * @throws StorageError the failure of the transaction, even when the work has caught it; `unavailable` when the
   *   connection is lost before the server has answered whether it has committed.
   */
  async commit(): Promise<void> {
    await this.#end()
    if (this.#failure !== null) throw this.#failure
    // The result of COMMIT does not show whether there was a transaction.
    if (this.#hasWritten && this.#isUnsure) this.#requireTransaction(await this.#connection.run('SAVEPOINT last'))
    try {
      await this.#connection.run('COMMIT')
    } catch (error) {
      throw isLostConnection(error) ? unknownOutcome(error) : error
    }
  }

  /** Rolls back. When that fails, the connection is ended, which rolls back as well. */
  async rollBack(): Promise<void> {
    await this.#end()
    try {
      if (this.#connection.isOpen) await this.#connection.run('ROLLBACK')
    } catch {
      this.#connection.abandon()
    }
  }

  /** Refuses further statements, and waits for the one that runs. */
  async #end(): Promise<void> {
    this.#isOver = true
    await this.#last
  }

  /**
   * Without this check, work would succeed although the server has rolled back its first statements and stored only the last ones.
   * @throws StorageError when the server has rolled the transaction back.
   */
  #requireTransaction({ hasTransaction }: StatementResult): void {
    if (hasTransaction === false && !this.#isCommitted) throw rolledBack()
  }

  /** MySQL refuses locks of the tables that describe others, and MariaDB does not lock them. */
  #locking(text: string): string {
    return text === this.#locks.unlocked || text.includes('information_schema.') ? text : `${text} FOR UPDATE`
  }

  #inTurn(text: string, values: readonly SqlValue[]): Promise<StatementResult> {
    const isLate = this.#isOver
    const result = this.#last.then(async () => {
      if (isLate) throw transactionOver()
      if (this.#failure !== null) throw this.#failure
      this.#isUnsure = true
      this.#hasWritten ||= !text.startsWith('SELECT')
      try {
        const statement = await this.#connection.run(text, values)
        this.#isCommitted ||= statement.hasTransaction === false && definesTables(text)
        this.#isUnsure = statement.hasTransaction === null
        this.#requireTransaction(statement)
        return statement
      } catch (error) {
        if (isConflict(error) || isLostConnection(error) || !this.#connection.isOpen)
          this.#failure ??= toStorageError(error)
        throw error
      }
    })
    if (!isLate) this.#last = result.catch(() => undefined)
    return result
  }
}

/** Whether the numbers of a statement are stored. In a condition any number is allowed: a fraction finds nothing. */
const isWrite = (text: string): boolean => text.startsWith('INSERT')

const definesTables = (text: string): boolean => /^(?:CREATE|ALTER|DROP|RENAME|TRUNCATE)\b/.test(text)

/** A node of a Galera cluster may roll back a transaction for a write of another node. Like a deadlock, it lets the work run again. */
const rolledBack = (): StorageError =>
  new StorageError('busy', 'Other writers changed the same rows (the server has rolled the transaction back).', {
    cause: Object.assign(new Error('The transaction is gone.'), { errno: 1213 }),
  })

/** The id of a new row: that of `idColumn` when the insert has a value for it, else the generated one. */
export function idOf(
  { insertId }: StatementResult,
  text: string,
  values: readonly SqlValue[],
  idColumn: string,
): number {
  const columns = /\(([^)]*)\)/.exec(text)?.[1]?.split(', ') ?? []
  const index = columns.indexOf(idColumn)
  return index === -1 ? insertId : Number(values[index])
}

export const unknownOutcome = (error: unknown): StorageError =>
  new StorageError(
    'unavailable',
    'The connection was lost while the transaction was committed: whether its writes are stored is unknown. Read them before they are written again.',
    // Without the code of the driver: a transaction like this is never repeated.
    { cause: new Error(toStorageError(error).message) },
  )
