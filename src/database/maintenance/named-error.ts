import type { SqlStore } from '../sql/sql-store.js'
import { StorageError } from '../storage-error.js'

/** The result of the work. A StorageError gets the name of the database in front of its message. */
export async function withName<T>({ name }: Pick<SqlStore, 'name'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof StorageError) || error.message.includes(name)) throw error
    throw new StorageError(error.fault, `${name}: ${error.message}`, { cause: error.cause })
  }
}
