import { StorageError } from '../../storage/storage-error.js'
import type { SqlConnection } from '../sql/sql-database.js'

/** A connection for the time of one piece of work; used later, it would write into somebody else's transaction. */
export interface Lease {
  readonly connection: SqlConnection
  end(): void
}

export function lease(connection: SqlConnection): Lease {
  let ended = false
  const whileItLasts = <T>(work: () => Promise<T>): Promise<T> =>
    ended
      ? Promise.reject(
          new StorageError('transaction', 'The transaction is over: await everything that its work starts.'),
        )
      : work()
  return {
    connection: {
      query: (text, values) => whileItLasts(() => connection.query(text, values)),
      execute: (text, values) => whileItLasts(() => connection.execute(text, values)),
      insert: (text, values, idColumn) => whileItLasts(() => connection.insert(text, values, idColumn)),
    },
    end: () => {
      ended = true
    },
  }
}
