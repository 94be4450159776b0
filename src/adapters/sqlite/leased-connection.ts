import { StorageError } from '../../storage/storage-error.js'
import type { SqlConnection } from '../sql/sql-database.js'
import { losesTransaction } from './sqlite-fault.js'

/** A connection for the time of one piece of work; used later, it would write into somebody else's transaction. */
export interface Lease {
  readonly connection: SqlConnection
  /** @throws the fault that cost the transaction, even when the work has swallowed it. */
  end(): void
}

export function lease(connection: SqlConnection): Lease {
  let over: StorageError | null = null
  let lost: unknown = null
  const whileItLasts = async <T>(statement: () => Promise<T>): Promise<T> => {
    if (over !== null) throw over
    if (lost !== null) throw lost
    try {
      return await statement()
    } catch (error) {
      if (losesTransaction(error)) lost = error
      throw error
    }
  }
  return {
    connection: {
      query: (text, values) => whileItLasts(() => connection.query(text, values)),
      execute: (text, values) => whileItLasts(() => connection.execute(text, values)),
      insert: (text, values, idColumn) => whileItLasts(() => connection.insert(text, values, idColumn)),
    },
    end() {
      over = new StorageError('transaction', 'The transaction is over: await everything that its work starts.')
      if (lost !== null) throw lost
    },
  }
}
