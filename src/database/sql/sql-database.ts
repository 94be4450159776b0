import type { SqlConnection } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'

/** What a database client has to offer for `SqlStorage` to work on it. */
export interface SqlDatabase {
  readonly dialect: SqlDialect
  /** Reads see what is committed and nothing else, each in one statement. */
  readonly reader: SqlConnection
  /**
   * Runs short work of ours atomically; it may share a commit with other work that waits. Resolves when it is as
   * durable as the database promises.
   */
  write<T>(work: (connection: SqlConnection) => T | Promise<T>): Promise<T>
  /** As `write`, for work of unknown length: it shares nothing and has a time limit. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>
  /** See `Storage.changeToken`. */
  changeToken(): number | Promise<number>
  close(): Promise<void>
}
