import type { MetaEntry } from '../../storage/storage.js'
import type { SqlValue } from './sql-database.js'

/** A text column; a number where another program wrote one. */
export const text = (value: SqlValue | undefined): string =>
  typeof value === 'string' ? value : value == null ? '' : String(value)

export const number = (value: SqlValue | undefined): number => (typeof value === 'number' ? value : Number(value ?? 0))

/** What `SqlDialect.metadataAsJson` yields. */
export function metadata(json: SqlValue | undefined): MetaEntry[] {
  const pairs = JSON.parse(text(json) || '[]') as readonly (readonly [string | null, string | null])[]
  return pairs.map(([key, value]) => ({ key: key ?? '', value }))
}

/** How many rows a page has: a whole number, 0 for what makes no sense. */
export const countOrNone = (value: number): number =>
  value >= 1 ? Math.min(Math.trunc(value), Number.MAX_SAFE_INTEGER) : 0

export const placeholders = (amount: number): string => Array.from({ length: amount }, () => '?').join(', ')
