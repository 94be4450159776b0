import type { SqlDialect } from './sql-dialect.js'

export type SqlValue = string | number | null

/** The values of one row, in the order of the selected columns. */
export type SqlRow = readonly SqlValue[]

/** A piece of a statement with the values of its `?` placeholders. Values are never part of the text. */
export interface SqlFragment {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/**
 * One connection, or what may be used of it. Texts have `?` for every value; a driver prepares each text once.
 * Every method rejects with a `StorageError`.
 */
export interface SqlConnection {
  query(text: string, values?: readonly SqlValue[]): Promise<readonly SqlRow[]>
  /** @returns how many rows matched the statement, changed or not. */
  execute(text: string, values?: readonly SqlValue[]): Promise<number>
  /** @returns what the database put into `idColumn`, the table's automatic key. */
  insert(text: string, values: readonly SqlValue[], idColumn: string): Promise<number>
}

/** What a database client has to offer for `SqlStorage` to work on it. */
export interface SqlDatabase {
  readonly dialect: SqlDialect
  /** Reads see what is committed and nothing else, each in one statement. */
  readonly reader: SqlConnection
  /**
   * Runs short work of ours atomically; it may share a commit with other work that waits. Resolves when it is as
   * durable as the database promises.
   */
  write<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>
  /** As `write`, for work of unknown length: it shares nothing and has a time limit. */
  transaction<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>
  /** See `Storage.stamp`. */
  stamp(): number | Promise<number>
  close(): Promise<void>
}
