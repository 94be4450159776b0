import { requireSqlValue } from '../sql/require-sql-value.js'
import type { SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'

// PostgreSQL takes no NUL character in a text. It is stored as the character U+10FFFE, which Unicode will never assign, and
// '0'. The character itself is stored with '1', so that every text is read as it was written.
const escape = '\u{10FFFE}'

const escaped = (text: string): string =>
  text.includes('\0') || text.includes(escape)
    ? text.replaceAll(escape, `${escape}1`).replaceAll('\0', `${escape}0`)
    : text

const unescaped = (text: string, nul: string): string =>
  text.includes(escape) ? text.replaceAll(/\u{10FFFE}([01])/gu, (_, digit) => (digit === '0' ? nul : escape)) : text

/**
 * The values as they are sent. A number that no column of whole numbers can hold is sent as NULL, which equals no value of a
 * row: such an id finds nothing.
 * @throws StorageError `constraint` for a value of a type that SQL does not have.
 */
export function boundValues(values: readonly SqlValue[]): (string | null)[] {
  return values.map((value) => {
    requireSqlValue(value)
    if (typeof value === 'string') return escaped(value)
    if (typeof value !== 'number') return null
    if (Number.isSafeInteger(value)) return String(value)
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value).toString() : null
  })
}

/** @throws StorageError `constraint` for a number that `boundValues` would make NULL. */
export function requireWholeNumbers(values: readonly SqlValue[]): void {
  const wrong = values.find(
    (value) => typeof value === 'number' && !(Number.isInteger(value) && Math.abs(value) < 2 ** 63),
  )
  if (wrong !== undefined)
    throw new StorageError('constraint', `The database stores whole numbers, and was given ${String(wrong)}.`)
}

/** Reads a value of a column. */
export type ColumnReader = (text: string) => SqlValue

const readers: ReadonlyMap<number, ColumnReader> = new Map<number, ColumnReader>([
  // bool
  [16, (text) => (text === 't' ? 1 : 0)],
  // int8, int2, int4, oid, float4, float8
  ...[20, 21, 23, 26, 700, 701].map((oid) => [oid, Number] as const),
  // json, which is read as text
  [114, (text) => unescaped(text, String.raw`\u0000`)],
  // jsonb, of which single values are read
  [3802, (text) => JSON.parse(unescaped(text, String.raw`\u0000`)) as SqlValue],
])

const readText: ColumnReader = (text) => unescaped(text, '\0')

/** @param type the number of a type in PostgreSQL. @returns how a value of a column of this type is read from its text. */
export const columnReader = (type: number): ColumnReader => readers.get(type) ?? readText
