import { StorageError } from '../../storage/storage-error.js'
import type { SqlConnection } from '../sql/sql-connection.js'
import { losesTransaction } from './sqlite-fault.js'

/** A connection for the time of one piece of work; used later, it would write into somebody else's transaction. */
export interface Lease {
  readonly connection: SqlConnection
  /** Whether it has been used for anything but reading. */
  hasWritten(): boolean
  /** @throws the fault that cost the transaction, even when the work has swallowed it. */
  end(): void
}

export function lease(connection: SqlConnection): Lease {
  let isOver = false
  let hasWritten = false
  let lost: unknown = null
  const failed = (error: unknown): never => {
    if (losesTransaction(error)) lost = error
    throw error
  }
  const whileItLasts = <T>(statement: () => T | Promise<T>): T | Promise<T> => {
    if (isOver) throw new StorageError('transaction', 'The transaction is over: await everything that its work starts.')
    if (lost !== null) throw lost
    try {
      const result = statement()
      return result instanceof Promise ? result.catch(failed) : result
    } catch (error) {
      return failed(error)
    }
  }
  const writing = <T>(statement: () => T | Promise<T>): T | Promise<T> => {
    hasWritten = true
    return whileItLasts(statement)
  }
  return {
    connection: {
      query: (text, values) => whileItLasts(() => connection.query(text, values)),
      row: (text, values) => whileItLasts(() => connection.row(text, values)),
      execute: (text, values) => writing(() => connection.execute(text, values)),
      insert: (text, values, idColumn) => writing(() => connection.insert(text, values, idColumn)),
    },
    hasWritten: () => hasWritten,
    end() {
      isOver = true
      if (lost !== null) throw lost
    },
  }
}
