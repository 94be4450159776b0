import type { MetaEntry } from '../storage.js'
import type { SqlValue } from './sql-connection.js'

/** A text column; a number where another program wrote one. */
export const text = (value: SqlValue | undefined): string =>
  typeof value === 'string' ? value : value == null ? '' : String(value)

/** A column of whole numbers; of anything else that another program wrote, the number that starts it, else 0. */
export const number = (value: SqlValue | undefined): number =>
  typeof value === 'number' ? Math.trunc(value) : Number.parseInt(value ?? '', 10) || 0

/** A row of a metadata table in JSON: its id, key and value. */
export type MetaTriple = readonly [id: number, key: string | null, value: string | null]

/** Sorts by id, the oldest first. The database returns them in any order. */
export function metaEntries(triples: readonly MetaTriple[]): MetaEntry[] {
  const isSorted = triples.every(([id], index) => index === 0 || (triples[index - 1]?.[0] ?? 0) < id)
  const oldestFirst = isSorted ? triples : triples.toSorted(([left], [right]) => left - right)
  return oldestFirst.map(([, key, value]) => ({ key: key ?? '', value }))
}

/** The oldest entry of each key. */
export function firstOfKeys(entries: readonly MetaEntry[], keys: ReadonlySet<string>): MetaEntry[] {
  const missing = new Set(keys)
  return entries.filter(({ key }) => missing.delete(key))
}

/**
 * The metadata in the values of a row.
 * @param values from the index `start` on, one value of `SqlDialect.metadataOfKey` for each key.
 */
export function valuesOfKeys(values: readonly unknown[], start: number, keys: readonly string[]): MetaEntry[] {
  const entries: MetaEntry[] = []
  keys.forEach((key, index) => {
    const value = values[start + index]
    if (value !== null) entries.push({ key, value: typeof value === 'string' ? value : null })
  })
  return entries
}

/** The result of a query made by `SqlDialect.metadataAsJson`. */
export const metadata = (json: SqlValue | undefined): MetaEntry[] =>
  metaEntries(JSON.parse(text(json) || '[]') as readonly MetaTriple[])

/** The number of rows of a page: a whole number, 0 for an invalid value. */
export const countOrNone = (value: number): number =>
  value >= 1 ? Math.min(Math.trunc(value), Number.MAX_SAFE_INTEGER) : 0

export const placeholders = (amount: number): string => Array.from({ length: amount }, () => '?').join(', ')
