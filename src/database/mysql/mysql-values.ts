import { requireSqlValue } from '../sql/require-sql-value.js'
import type { SqlRow, SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'

const isWholeNumber = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 63

/**
 * The values as the driver binds them. NaN and infinite numbers are bound as NULL, which equals no value of a row, so a
 * query for such an id finds nothing.
 * @throws StorageError `constraint` for a value of a type that SQL does not have.
 */
export function boundValues(values: readonly SqlValue[]): readonly SqlValue[] {
  let isBindable = true
  for (const value of values) {
    requireSqlValue(value)
    if (typeof value === 'number' && !Number.isFinite(value)) isBindable = false
  }
  return isBindable
    ? values
    : values.map((value) => (typeof value === 'number' && !Number.isFinite(value) ? null : value))
}

/** @throws StorageError `constraint` for a number that a column of whole numbers would store as another one. */
export function requireWholeNumbers(values: readonly SqlValue[]): void {
  const wrong = values.find((value) => typeof value === 'number' && !isWholeNumber(value))
  if (wrong !== undefined)
    throw new StorageError('constraint', `The database stores whole numbers, and was given ${String(wrong)}.`)
}

/**
 * The beginning of the name of a result column whose value is JSON. A column without an alias has the text of its expression as
 * its name. See `metadataOfKey` of the dialect.
 */
export const jsonColumn = '(SELECT COALESCE(JSON_QUOTE('

/** Parses the values of JSON columns. The rows are changed in place and returned. */
export function decodedRows(
  rows: readonly unknown[][],
  columns: readonly { readonly name: string }[],
): readonly SqlRow[] {
  columns.forEach(({ name }, index) => {
    if (!name.startsWith(jsonColumn)) return
    for (const row of rows) if (typeof row[index] === 'string') row[index] = JSON.parse(row[index])
  })
  return rows as unknown as readonly SqlRow[]
}
