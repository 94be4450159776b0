import { StorageError } from '../storage-error.js'
import type { SqlConnection } from '../sql/sql-connection.js'
import { losesTransaction } from './sqlite-fault.js'

/** A connection for the time of one piece of work; used later, it would write into somebody else's transaction. */
export interface Lease {
  readonly connection: SqlConnection
  /**
   * Whether the work may be done in part: it has failed after it has written, or a write of it has failed, which may have
   * cost all that came before even when the work has swallowed it (a trigger can roll back).
   */
  isHalfDone(hasFailed: boolean): boolean
  /** @throws the fault that cost the transaction, even when the work has swallowed it. */
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
    if (isOver) throw new StorageError('transaction', 'The transaction is over: await everything that its work starts.')
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
    },
    isHalfDone: (hasFailed) => hasFailedToWrite || (hasFailed && hasWritten),
    end() {
      isOver = true
      if (lost !== null) throw lost
    },
  }
}
