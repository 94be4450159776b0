import { number } from '../sql/row-values.js'
import type { SqlConnection } from '../sql/sql-connection.js'
import type { SqlStore } from '../sql/sql-store.js'
import { StorageError } from '../storage-error.js'
import { rowAsJson, type TableRows } from './data-part.js'
import { keyOf, rowName, type MovedRow, type RowKey } from './moved-row.js'
import { columnNames, type MovedTable } from './moved-table.js'
import { maxChunkBytes, rangeCondition, TableWalk } from './table-walk.js'

/** Numbers of rows that one statement inserts. They are few, because each text is prepared. */
const batchSizes = [100, 10, 1]

/** A table into which a copy or an import writes the rows of a source, in the order of its key. */
export class TargetTable {
  readonly #store: SqlStore
  readonly #table: MovedTable
  readonly #name: string
  readonly #walk: TableWalk
  /** The key up to which the table has the rows of the source. */
  #last: RowKey | null = null
  /** Whether the table has no row after `#last`. */
  #isAtEnd = false

  constructor(store: SqlStore, table: MovedTable) {
    const { database, tables } = store
    this.#store = store
    this.#table = table
    this.#name = tables[table.name]
    this.#walk = new TableWalk(database.reader, database.dialect, table, this.#name)
  }

  /** The highest id that was written. */
  get lastId(): number {
    return this.#last?.[0] ?? 0
  }

  /**
   * Puts these rows after those of the previous call, and removes other rows among them. Rows that are there already are not written
   * again. @throws StorageError that names the row.
   */
  async put({ rows, lines }: TableRows): Promise<void> {
    const [final] = rows.slice(-1)
    if (final === undefined) return
    const last = keyOf(this.#table, this.#name, final)
    this.#isAtEnd ||= (await this.#walk.lengths(this.#last, null, 1)).length === 0
    if (this.#isAtEnd) await this.#write(rows, last, lines)
    else if (!(await this.#has(rows, last))) {
      await this.#overwrite(rows, last, lines)
      await this.#requireSame(rows, last)
    }
    this.#last = last
  }

  /** Reads a chunk that was written again. A difference means that the database stores another value than it received. */
  async #requireSame(rows: readonly MovedRow[], last: RowKey): Promise<void> {
    const stored = await this.#walk.rows(this.#last, last)
    const index = rows.findIndex((row, each) => rowAsJson(row) !== rowAsJson(stored[each] ?? []))
    const row = rows[index]
    if (row === undefined) return
    throw new StorageError(
      'constraint',
      `${rowName(this.#table, this.#name, row)}: the database stores another value than that of the source. Correct the row there.`,
    )
  }

  /** Removes the rows after the last one. */
  async removeLaterRows(): Promise<void> {
    if (this.#isAtEnd || (await this.#walk.lengths(this.#last, null, 1)).length === 0) return
    await this.#store.database.write((connection) => this.#remove(connection, null))
  }

  /** Whether the table has these rows and no others up to `last`. */
  async #has(rows: readonly MovedRow[], last: RowKey): Promise<boolean> {
    const lengths = await this.#walk.lengths(this.#last, last, rows.length + 1)
    if (lengths.length !== rows.length) return false
    const bytes = lengths.reduce((sum, row) => sum + number(row[this.#table.keyLength]), 0)
    const expected = rows.flat().reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
    // A database may need several bytes for a character. Far more bytes are other texts, which need not be read.
    if (bytes > 8 * expected + maxChunkBytes) return false
    const stored = await this.#walk.rows(this.#last, last)
    return rows.every((row, index) => rowAsJson(row) === rowAsJson(stored[index] ?? []))
  }

  /** A later row of an earlier attempt may have a value that must be unique: then all later ones are written again as well. */
  async #overwrite(rows: readonly MovedRow[], last: RowKey, lines: readonly number[] | null): Promise<void> {
    try {
      await this.#write(rows, last, lines)
    } catch (error) {
      if (!(error instanceof StorageError) || error.fault !== 'constraint') throw error
      await this.removeLaterRows()
      this.#isAtEnd = true
      await this.#write(rows, last, lines)
    }
  }

  async #write(rows: readonly MovedRow[], last: RowKey, lines: readonly number[] | null): Promise<void> {
    const { write } = this.#store.database
    const inBatches = (sizes: readonly number[]) =>
      write(async (connection) => {
        if (!this.#isAtEnd) await this.#remove(connection, last)
        await this.#insert(connection, rows, sizes, lines)
      })
    try {
      await inBatches(batchSizes)
    } catch (error) {
      const isOfRow = error instanceof StorageError && ['constraint', 'failed'].includes(error.fault)
      if (!isOfRow) throw error
      // One by one, so that the error names the row.
      await inBatches([1])
    }
  }

  async #remove(connection: SqlConnection, last: RowKey | null): Promise<void> {
    const { text, values } = rangeCondition(this.#table, this.#last, last)
    await connection.execute(`DELETE FROM ${this.#name} ${text}`, values)
  }

  async #insert(
    connection: SqlConnection,
    rows: readonly MovedRow[],
    sizes: readonly number[],
    lines: readonly number[] | null,
  ): Promise<void> {
    const columns = columnNames(this.#table)
    const rowPlaceholders = `(${columns.map(() => '?').join(', ')})`
    for (let index = 0; index < rows.length;) {
      const size = sizes.find((each) => each <= rows.length - index) ?? 1
      const batch = rows.slice(index, index + size)
      const values = batch.map(() => rowPlaceholders).join(', ')
      try {
        await connection.execute(`INSERT INTO ${this.#name} (${columns.join(', ')}) VALUES ${values}`, batch.flat())
      } catch (error) {
        throw size === 1 ? this.#named(error, batch[0] ?? [], lines?.[index] ?? null) : error
      }
      index += size
    }
  }

  #named(error: unknown, row: MovedRow, line: number | null): unknown {
    if (!(error instanceof StorageError)) return error
    const place = line === null ? '' : `line ${line}: `
    return new StorageError(error.fault, `${place}${rowName(this.#table, this.#name, row)}: ${error.message}`, {
      cause: error.cause,
    })
  }
}
