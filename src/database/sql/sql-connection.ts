export type SqlValue = string | number | null

/** The values of one row, in the order of the selected columns. */
export type SqlRow = readonly SqlValue[]

/** A piece of a statement with the values of its `?` placeholders. Values are never part of the text. */
export interface SqlFragment {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/**
 * One connection, or what may be used of it. Texts have `?` for every value; a driver prepares each text once. A database
 * in this process answers at once, without a promise; await every answer. Every method throws or rejects with a
 * `StorageError`; a statement that fails has changed nothing, and its transaction goes on. What changes anything goes
 * through `execute` or `insert`: a piece of work that has used neither has nothing to be taken back.
 */
export interface SqlConnection {
  query(text: string, values?: readonly SqlValue[]): readonly SqlRow[] | Promise<readonly SqlRow[]>
  /** The first row, for a question that has one answer at most; cheaper than a list of one. */
  row(text: string, values?: readonly SqlValue[]): SqlRow | null | Promise<SqlRow | null>
  /** @returns how many rows matched the statement, changed or not. */
  execute(text: string, values?: readonly SqlValue[]): number | Promise<number>
  /** @returns what the database put into `idColumn`, the table's automatic key. */
  insert(text: string, values: readonly SqlValue[], idColumn: string): number | Promise<number>
}
