import type { SqlConnection } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'

/** The interface of a database client for `sqlStorage`. */
export interface SqlDatabase {
  readonly dialect: SqlDialect
  /** Reads committed data only, each in one statement. */
  readonly reader: SqlConnection
  /**
   * Runs short work of this package atomically. It may share a commit with other waiting work. Resolves when it is durable.
   */
  write<T>(work: (connection: SqlConnection) => T | Promise<T>): Promise<T>
  /** As `write`, for work of unknown length: it has a transaction of its own and a time limit. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>
  /** See `Storage.changeToken`. */
  changeToken(): number | Promise<number>
  close(): Promise<void>
}
