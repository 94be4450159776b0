import type { SqlRow, SqlValue } from '../sql/sql-database.js'

// Node 22 and libsql end a text they read at its first NUL character. Such a text is therefore kept as its UTF-8 bytes,
// in a BLOB, which every version reads whole.

/** What is handed to the library for these values. */
export function boundValues(values: readonly SqlValue[]): (SqlValue | Uint8Array)[] {
  return values.map((value) => (typeof value === 'string' && value.includes('\0') ? Buffer.from(value, 'utf8') : value))
}

/** The rows as they were written; changed in place. */
export function restoredRows(rows: readonly (readonly unknown[])[]): readonly SqlRow[] {
  for (const row of rows as readonly unknown[][]) {
    for (let column = 0; column < row.length; column += 1) {
      const value = row[column]
      if (value instanceof Uint8Array) row[column] = Buffer.from(value).toString('utf8')
    }
  }
  return rows as readonly SqlRow[]
}
