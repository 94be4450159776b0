import type { SqlFragment, SqlReader, SqlRow } from '../sql/sql-connection.js'
import type { SqlDialect } from '../sql/sql-dialect.js'
import { number } from '../sql/row-values.js'
import { schemaVersionOption } from '../sql/migrate.js'
import { StorageError } from '../storage-error.js'
import { isAfter, keyOf, movedRow, rowName, type MovedRow, type RowKey } from './moved-row.js'
import { columnNames, type MovedTable } from './moved-table.js'

/** Rows that follow each other in the order of the key. */
export interface Chunk {
  readonly rows: readonly MovedRow[]
  readonly last: RowKey
}

/** A chunk has at most this many rows. */
export const maxChunkRows = 500
/** A chunk has at most this many bytes of text, or one row. */
export const maxChunkBytes = 1024 * 1024

/** Reads one table in the order of its primary key. Memory is bounded: the lengths of texts are read before the texts. */
export class TableWalk {
  readonly #reader: SqlReader
  readonly #table: MovedTable
  readonly #name: string
  readonly #lengths: string
  readonly #columns: string

  /** @param name of the table in the database. */
  constructor(reader: SqlReader, dialect: SqlDialect, table: MovedTable, name: string) {
    this.#reader = reader
    this.#table = table
    this.#name = name
    const texts = table.columns.filter(({ kind }) => kind === 'text')
    const length = texts.map((column) => `COALESCE(${dialect.byteLength(column.name)}, 0)`).join(' + ') || '0'
    const keys = table.columns.slice(0, table.keyLength).map((column) => column.name)
    this.#lengths = `SELECT ${keys.join(', ')}, ${length} FROM ${name}`
    this.#columns = `SELECT ${columnNames(table).join(', ')} FROM ${name}`
  }

  /** All rows after a key, in chunks. @param after null: from the beginning. */
  async *chunks(after: RowKey | null = null): AsyncGenerator<Chunk> {
    for (let before = after; ;) {
      const last = await this.#lastOfChunk(before)
      if (last === null) return
      yield { rows: await this.rows(before, last), last }
      before = last
    }
  }

  /** The rows after a key, up to another one. */
  async rows(after: RowKey | null, last: RowKey): Promise<readonly MovedRow[]> {
    const { text, values } = rangeCondition(this.#table, after, last)
    const rows = await this.#reader.query(`${this.#columns} ${text} ORDER BY ${orderOf(this.#table)}`, values)
    return rows.map((row) => movedRow(this.#table, this.#name, row))
  }

  /**
   * Keys and bytes of the rows after a key, up to another one.
   * @param limit maximum number of rows.
   */
  async lengths(after: RowKey | null, last: RowKey | null, limit: number): Promise<readonly SqlRow[]> {
    const { text, values } = rangeCondition(this.#table, after, last)
    return this.#reader.query(`${this.#lengths} ${text} ORDER BY ${orderOf(this.#table)} LIMIT ${limit}`, values)
  }

  /** The key of the last row of the chunk that follows a key; null when no row follows. */
  async #lastOfChunk(after: RowKey | null): Promise<RowKey | null> {
    let last: RowKey | null = null
    let bytes = 0
    for (const row of await this.lengths(after, null, maxChunkRows)) {
      bytes += number(row[this.#table.keyLength])
      if (last !== null && bytes > maxChunkBytes) break
      const key = keyOf(this.#table, this.#name, row)
      if (!isAfter(key, last ?? after))
        throw new StorageError(
          'failed',
          `${rowName(this.#table, this.#name, row)}: the rows are not in the order of their ids.`,
        )
      last = key
    }
    return last
  }
}

const orderOf = ({ columns, keyLength }: MovedTable): string =>
  columns
    .slice(0, keyLength)
    .map(({ name }) => name)
    .join(', ')

/** The condition of the rows that are moved: all but the version of the schema, which each database keeps for itself. */
export const movedCondition = ({ name }: MovedTable): string =>
  name === 'options' ? `option_name <> '${schemaVersionOption}'` : '1 = 1'

/**
 * The rows after a key, up to another one, as `WHERE` of a statement. A key of two columns is compared so that an index on the
 * first one serves: MariaDB reads the whole table for a comparison of rows.
 */
export function rangeCondition(table: MovedTable, after: RowKey | null, last: RowKey | null): SqlFragment {
  const { columns, keyLength } = table
  const [first = '', second = ''] = columns.map(({ name }) => name)
  const conditions: string[] = [movedCondition(table)]
  const values: number[] = []
  const add = (key: RowKey | null, operator: '>' | '<', orEqual: string): void => {
    if (key === null) return
    const [firstValue = 0, secondValue = 0] = key
    if (keyLength === 1) {
      conditions.push(`${first} ${operator}${orEqual} ?`)
      values.push(firstValue)
    } else {
      conditions.push(`${first} ${operator}= ? AND (${first} ${operator} ? OR ${second} ${operator}${orEqual} ?)`)
      values.push(firstValue, firstValue, secondValue)
    }
  }
  add(after, '>', '')
  add(last, '<', '=')
  return { text: `WHERE ${conditions.join(' AND ')}`, values }
}
