import { requireSqlValue } from '../sql/require-sql-value.js'
import type { SqlRow, SqlValue } from '../sql/sql-connection.js'

// Node 22 and libsql read a text only up to its first NUL character. Such a text is therefore stored as its UTF-8 bytes in a
// BLOB, which every version reads completely.

/**
 * The values as the library binds them. Every value that is bound passes through this function.
 * @throws StorageError `constraint` for a value of a type that SQL does not have.
 */
export function boundValues(values: readonly SqlValue[]): readonly (SqlValue | Uint8Array)[] {
  let hasNulText = false
  for (const value of values) {
    requireSqlValue(value)
    if (hasNul(value)) hasNulText = true
  }
  return hasNulText ? values.map((value) => (hasNul(value) ? Buffer.from(value, 'utf8') : value)) : values
}

const hasNul = (value: SqlValue): value is string => typeof value === 'string' && value.includes('\0')

/** The row as it was written; changed in place. */
export function restoredRow(row: unknown[]): SqlRow {
  for (const [column, value] of row.entries()) {
    if (value instanceof Uint8Array) row[column] = Buffer.from(value).toString('utf8')
  }
  return row as unknown as SqlRow
}
