import type { MomentKind } from '../moment.js'
import type { SqlFragment } from './sql-connection.js'
import type { SqlMaintenance } from './sql-maintenance.js'
import type { TableNames } from './table-names.js'

/** One step of the schema, as statements that run in order in one transaction. Never changed once it was released. */
export type Migration = readonly string[]

/** Rows to insert that belong to another new row. */
export interface OwnedRows {
  readonly table: string
  readonly ownerColumn: string
  /** The other columns, which hold texts. */
  readonly columns: readonly string[]
  readonly count: number
}

/** A row to insert. */
export interface InsertedRow {
  readonly table: string
  /** The automatic key of the table. */
  readonly idColumn: string
  /** The other columns. */
  readonly columns: readonly string[]
}

/** A page of the posts of a term. */
export interface PageOfTerm {
  /** The table that has the order, with its alias. */
  readonly from: string
  /** The column of that table with the id of the post. */
  readonly id: string
  /** Conditions over that table, to be added to another one: they begin with ` AND `, or are an empty text. */
  readonly where: SqlFragment
  /** `ORDER BY` over that table. */
  readonly order: SqlFragment
  readonly listed: string
  /** `WITH RECURSIVE` of the ids of the term and of those below it, as `id` of `term_tree`. */
  readonly termTree: SqlFragment
  /** The conditions on type and status over `listed l`, to be added to another condition: it begins with ` AND `. */
  readonly andListed: SqlFragment
  readonly limit: number
  readonly offset: number
}

/** Posts of a type whose numbers of a key are read. */
export interface IndexedRange {
  readonly type: string
  readonly key: string
  /** The id before the first one. */
  readonly after: number
  readonly last: number
}

/** The statements that fill the table `indexed_values`; see `IndexedMeta`. */
export interface IndexedValues {
  /** A query that yields 1 where keys can be added; null where they always can. */
  readonly availableQuery: string | null
  /** Statements that wait for open transactions which write posts or metadata, and hold up others. */
  lockWrites(tables: TableNames): readonly string[]
  /** A query for the next `count` ids of posts after the id of its placeholder, in order. */
  nextIds(tables: TableNames, count: number): string
  /** A query that waits for transactions which write posts of a range, or their metadata, and then locks them. */
  lockRange(tables: TableNames, range: IndexedRange): SqlFragment
  /** Statements that read the numbers of a key while other programs write, after `lockRange`. */
  fill(tables: TableNames, range: IndexedRange): readonly SqlFragment[]
}

/**
 * Where databases differ. Columns that WordPress compares without case (logins, addresses, slugs, titles, metadata
 * keys) are declared so in the tables; `=` and `ORDER BY` then mean the same in every dialect.
 */
export interface SqlDialect {
  /** The first n steps create version n of the schema. */
  migrations(tables: TableNames): readonly Migration[]
  /**
   * Whether a statement of a migration fails because an interrupted start has run it before. Left out where a migration is one
   * transaction.
   */
  readonly isRepeatedStatement?: (error: unknown) => boolean
  /** Statements before the first tables, each in a separate transaction. They change nothing when they have run before. */
  beforeTables?(tables: TableNames): readonly string[]
  /** A query with one placeholder, a table's name, that finds a row when the table exists. */
  readonly findTable: string
  /** A query without placeholders that finds a row when the database holds any table at all. */
  readonly findAnyTable: string
  /** A query for the names of all tables and of the triggers that are not disabled, which are compared without case. */
  readonly partNames: string
  /**
   * The statement that drops a trigger, which may be disabled or missing, before it is created. Left out: triggers cannot be disabled.
   * @param creation the statement that creates it.
   */
  dropTrigger?(creation: string): string
  /** The statements of the commands that look after a database. */
  readonly maintenance: SqlMaintenance
  /** A query that yields all metadata of an owner as JSON `[[id, key, value], …]`, in any order. */
  metadataAsJson(table: string, idColumn: string, ownerColumn: string, owner: string): string
  /**
   * A query that yields the value of an owner's oldest row of exactly this key: text, or 0 for SQL NULL; NULL without such a
   * row.
   * @param place where the query is used: as a separate column, which is read faster, or among the values of a list in JSON.
   */
  metadataOfKey(
    table: string,
    idColumn: string,
    ownerColumn: string,
    owner: string,
    key: string,
    place: 'column' | 'json',
  ): SqlFragment
  /** A list in JSON with one value for each: text as `asText` makes it, numbers, or other JSON. */
  listAsJson(values: readonly string[]): string
  /**
   * The JSON of each row of a query in one list.
   * @param order an expression by which the list is ordered; null for the order of the rows, or for any order.
   */
  rowsAsJson(json: string, order: string | null): string
  /** The length of a text column in bytes, found without reading the text. */
  byteLength(column: string): string
  /** A text column so that JSON can hold it, whatever characters there are in it. */
  asText(column: string): string
  /**
   * A column of whole numbers; where the database lets another program put anything into it, the number that starts it,
   * else 0.
   */
  asInteger(column: string): string
  /** `column` holds one of these values. Lists of different lengths share a text, so that there are few statements. */
  isOneOf(column: string, values: readonly number[] | readonly string[]): SqlFragment
  /**
   * A query for the names that rows have in a column. Left out where a query for the rows whose column is one of the names is as
   * fast.
   * @param condition which rows count; its text begins with ` AND `.
   */
  takenNames?(names: readonly string[], from: string, column: string, condition: SqlFragment): SqlFragment
  /** One of the columns contains the text, without regard to case. */
  contains(columns: readonly string[], text: string): SqlFragment
  /** A text column contains the placeholder `?`, byte for byte. */
  containsBytes(column: string): string
  /** A text as searches of posts compare it, and the words that they look for. Default: in lower case. */
  searchedText?(text: string): string
  /** A text column, or a placeholder of a text, in the form in which texts are compared letter for letter. */
  exactText(expression: string): string
  /** The name of a term, or a placeholder of one, in the form in which an index has the names. Left out: the name itself. */
  indexedName?(expression: string): string
  /** A text column, or a placeholder of a text, in the form in which texts are ordered without regard to case. */
  textWithoutCase(expression: string): string
  /** A text column equals the text without regard to case. Left out: the forms of `textWithoutCase` are equal. */
  equalsWithoutCase?(column: string, text: string): SqlFragment
  /** Whether an expression contains the text of a placeholder, letter for letter. */
  containsExactly(expression: string): string
  /** The number that a text starts with; 0 when it starts with none. */
  asNumber(expression: string): string
  /** The number of `numberOfMoment`, but 0 for the time of a `date`; NULL for a text that is no date or time. */
  asMoment(expression: string, kind: MomentKind): string
  /**
   * The column in a form that no index serves, for databases that would use a wide index although a narrow one exists; the
   * column itself where the planner chooses the narrow one.
   */
  withoutIndex(column: string): string
  /** `column` holds one of the values that a query yields, which are few in comparison with the rows of the table. */
  isAmong(column: string, query: string): string
  /**
   * A query has a row. The database runs it for each row that the other conditions leave, and not once for the whole table.
   * @param query one of a constant, `SELECT 1 …`, which names a column of the row.
   */
  existsForEach(query: string): string
  /** The keys that order rows by a column of `posts p`, the first one with an index where there is one. */
  orderKeys(column: string): readonly string[]
  /** `LIMIT` and `OFFSET`, in the form for which the database makes the best plan. Pages that are read often may have separate texts. */
  page(limit: number, offset: number): SqlFragment
  /**
   * A query for the ids of a page of a term, as `page_id` and in their order, where it is faster than one of the usual form.
   * Left out, or null: there is none.
   */
  pageOfTerm?(page: PageOfTerm): SqlFragment | null
  /** Whether triggers keep the tables `listed` and `counts`; see `postgres-lists.ts`. */
  readonly hasLists: boolean
  /** Null where no triggers keep `indexed_values`. */
  readonly indexedValues: IndexedValues | null
  /** `FROM` the rows of `table p` whose ids the query yields as `page_id`, in the order of that query. */
  fromPage(idsQuery: string, table: string): string
  /** The expression that orders the rows of `fromPage`; null where they need no sorting. */
  readonly pageOrder: string | null
  /** A query for each tag and its version; see `Storage.versions`. */
  versions(tables: TableNames): string
  /**
   * One statement of an insert and of the rows that belong to the new row, in their order; the new id is in their
   * `ownerColumn`. Left out: the other rows need a second statement.
   * @param insert has one placeholder for each value. The values of the other rows, all of them texts, follow.
   */
  insertWithRows?(insert: string, idColumn: string, rows: OwnedRows): string
  /**
   * The statement of `SqlDatabase.insertUnlessFound`: an insert of a row, and of those that belong to it, unless a query finds
   * a row. The values are those of the query, of the row, and of the other rows. Its result is the new id.
   * @param query of one table, without an order.
   */
  insertUnlessFound?(query: string, row: InsertedRow, rows: OwnedRows, tables: TableNames): string
  /** An insert that does nothing when the unique key is taken. */
  insertUnlessExists(table: string, columns: readonly string[], values?: string): string
  /** An insert that overwrites the other columns when the unique key is taken. */
  insertOrOverwrite(table: string, key: string, columns: readonly string[]): string
  /**
   * Deletes the first `limit` rows that meet a condition, in the order of a column, from a table whose key is `name`. It reads no
   * other rows when an index has the columns of the condition and of the order.
   */
  deleteFirst(table: string, condition: SqlFragment, order: string, limit: number): SqlFragment
  /**
   * Whether another writer has inserted a row with the same key at the same moment. Left out where one writer at a time sees
   * every key.
   */
  readonly isDuplicateKey?: (error: unknown) => boolean
  /** The time of the database in whole milliseconds since 1970, the same in a whole statement. */
  readonly now: string
  /**
   * An insert of counters (`name`, `kind`, `empty_at`, `networks`) that raises those that exist. The values of the rows
   * are followed by the present time, twice.
   */
  fillCounters(table: string, rows: number): string
  /**
   * A condition that selects the rows whose `column` the database cannot compare without case and accents, so that this process
   * compares them; `null` when `=` is enough.
   */
  comparedOutside(column: string): string | null
}
