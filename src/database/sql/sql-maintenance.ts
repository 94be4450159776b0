import type { TableNames } from './table-names.js'

/** The statements of a dialect for the commands that look after a database. */
export interface SqlMaintenance {
  /** A query that yields the name and version of the server: `PostgreSQL 15.18`. */
  readonly version: string
  /**
   * A query for the schema of the database, in rows of five columns: kind, table, name, text and position. The kinds:
   *
   * - `table`, `column`, `index`, `trigger`, `function`, `collation`. A text that is not empty is a part of the
   *   statement that created it.
   * - `identity`: the table generates ids.
   * - `primary`, `unique`: a column of a unique key. The text is the column, the position its place in the key.
   */
  readonly catalog: string
  /** A query for the bytes of each table with its indexes, or of the whole database: then the name is NULL. */
  sizes(tables: TableNames): string
  /** Statements that raise the versions of all kinds of rows, also of kinds that no trigger has counted yet. */
  raiseVersions(tables: TableNames): readonly string[]
  /** Statements of one transaction that fill `listed`, `counts` and `indexed_values` again; none where there are no such tables. */
  fillLists(tables: TableNames): readonly string[]
  /** A query for the highest id that a table has generated; 0 when it has generated none. */
  lastId(table: string, column: string): string
  /** Statements after which a table generates ids above this one. No row has a higher id. */
  setLastId(table: string, column: string, id: number): readonly string[]
  /** Statements to run after a table was filled. */
  afterLoad(table: string): readonly string[]
}
