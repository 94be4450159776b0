import type { SqlRow, SqlValue } from '../sql/sql-connection.js'
import { number, text } from '../sql/row-values.js'
import { StorageError } from '../storage-error.js'
import type { MovedColumn, MovedTable } from './moved-table.js'

/**
 * A row that is copied to another database, exported or imported: its values in the order of the columns, equal in every kind of
 * database.
 */
export type MovedRow = readonly SqlValue[]

/** The values of a row's key. */
export type RowKey = readonly number[]

/**
 * A row as every kind of database stores it. A text that another program wrote into a column of numbers is
 * converted to a number, as in all other reads.
 * @throws StorageError `constraint` for a number that JavaScript cannot represent exactly.
 */
export function movedRow(table: MovedTable, tableName: string, row: SqlRow): MovedRow {
  const values = table.columns.map((column, index) => movedValue(column, row[index]))
  const unsafe = values.findIndex((value) => typeof value === 'number' && !Number.isSafeInteger(value))
  if (unsafe !== -1)
    throw new StorageError(
      'constraint',
      `${rowName(table, tableName, row)}: ${table.columns[unsafe]?.name} is ${String(row[unsafe])}. Numbers up to ${Number.MAX_SAFE_INTEGER} can be moved.`,
    )
  return values
}

function movedValue({ kind, isNullable }: MovedColumn, value: SqlValue | undefined): SqlValue {
  if (value == null && isNullable) return null
  return kind === 'number' ? number(value) : text(value)
}

/** The key of a row. @throws StorageError `constraint` for a key that no database of this package generates. */
export function keyOf(table: MovedTable, tableName: string, row: SqlRow): RowKey {
  const key = row.slice(0, table.keyLength)
  const least = table.keyLength === 1 ? 1 : 0
  if (key.every((value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= least))
    return key
  throw new StorageError(
    'constraint',
    `${rowName(table, tableName, row)}: the id must be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}. Change or delete the row.`,
  )
}

/** Whether the key comes after the other one; null comes before all. */
export function isAfter(key: RowKey, before: RowKey | null): boolean {
  if (before === null) return true
  const index = key.findIndex((value, position) => value !== before[position])
  return index !== -1 && (key[index] ?? 0) > (before[index] ?? 0)
}

/** `wp_posts, ID 17`. */
export function rowName({ columns, keyLength }: MovedTable, tableName: string, row: SqlRow): string {
  const key = columns.slice(0, keyLength).map(({ name }, index) => `${name} ${String(row[index])}`)
  return `${tableName}, ${key.join(', ')}`
}
