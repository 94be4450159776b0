export type SqlValue = string | number | null

/** The values of one row, in the order of the selected columns. */
export type SqlRow = readonly SqlValue[]

/** A piece of a statement with the values of its `?` placeholders. Values are never part of the text. */
export interface SqlFragment {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/**
 * A connection. Texts have `?` for every value. A driver prepares each text once. A
 * database in this process returns results without a promise, so await every result. Every method throws or rejects with a
 * `StorageError`. A statement that fails has changed nothing, and its transaction goes on. All changes are made by `execute`
 * or `insert`: work that has used neither needs no rollback.
 */
export interface SqlConnection {
  query(text: string, values?: readonly SqlValue[]): readonly SqlRow[] | Promise<readonly SqlRow[]>
  /** The first row, for a query with at most one row. It is cheaper than a list of one. */
  row(text: string, values?: readonly SqlValue[]): SqlRow | null | Promise<SqlRow | null>
  /** @returns the number of rows that matched the statement, changed or not. */
  execute(text: string, values?: readonly SqlValue[]): number | Promise<number>
  /** @returns the value of `idColumn`, the automatic key of the table. */
  insert(text: string, values: readonly SqlValue[], idColumn: string): number | Promise<number>
}

/** The part of a connection that reads. */
export type SqlReader = Pick<SqlConnection, 'query' | 'row'>

/** The connection of a transaction. */
export interface SqlTransaction extends SqlConnection {
  /**
   * The end of a query whose rows no other writer may change before the transaction ends. Left out: that holds for all rows
   * that a transaction reads.
   */
  readonly locking?: string
  /** See `Storage.lock`. The names are in ascending order, each once. */
  lock(names: readonly string[]): boolean | Promise<boolean>
  /**
   * As `lock`, for one name of rows that may be missing and are then inserted. Left out where a transaction notices that
   * another one has inserted such a row.
   */
  lockMissing?(name: string): Promise<void>
}
