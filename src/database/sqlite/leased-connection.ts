import { transactionOver } from '../storage-error.js'
import type { SqlConnection, SqlTransaction } from '../sql/sql-connection.js'
import { losesTransaction } from './sqlite-fault.js'

/** A connection for one job. Every statement after the end of the job throws: it would write into the transaction of another job. */
export interface Lease {
  readonly connection: SqlTransaction
  /**
   * Whether a part of the work may be missing: it has failed after a write, or one of its writes has failed, which may have
   * rolled back the writes before it even when the work has caught the error (a trigger can roll back).
   */
  mayBeIncomplete(hasFailed: boolean): boolean
  /** @throws the error that rolled back the transaction, even when the work has caught it. */
  end(): void
}

export function lease(connection: SqlConnection): Lease {
  let isOver = false
  let hasWritten = false
  let hasFailedToWrite = false
  let lost: unknown = null
  const attempt = <T>(statement: () => T | Promise<T>, writes: boolean): T | Promise<T> => {
    const failed = (error: unknown): never => {
      if (losesTransaction(error)) lost = error
      if (writes) hasFailedToWrite = true
      throw error
    }
    if (isOver) throw transactionOver()
    if (lost !== null) throw lost
    if (writes) hasWritten = true
    try {
      const result = statement()
      return result instanceof Promise ? result.catch(failed) : result
    } catch (error) {
      return failed(error)
    }
  }
  return {
    connection: {
      query: (text, values) => attempt(() => connection.query(text, values), false),
      row: (text, values) => attempt(() => connection.row(text, values), false),
      execute: (text, values) => attempt(() => connection.execute(text, values), true),
      insert: (text, values, idColumn) => attempt(() => connection.insert(text, values, idColumn), true),
      // This is the connection of the only writer, which holds the whole database.
      lock: () => false,
    },
    mayBeIncomplete: (hasFailed) => hasFailedToWrite || (hasFailed && hasWritten),
    end() {
      isOver = true
      if (lost !== null) throw lost
    },
  }
}
