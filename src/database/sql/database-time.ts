import type { SqlFragment } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'

/**
 * A time in milliseconds since 1970, as SQL.
 * @param now of the caller's clock; null for the clock of the database, which all machines share.
 * @param offset milliseconds after it.
 */
export function databaseTime({ now: databaseNow }: SqlDialect, now: number | null, offset = 0): SqlFragment {
  if (now !== null) return { text: '?', values: [Math.trunc(now) + offset] }
  return offset === 0 ? { text: databaseNow, values: [] } : { text: `${databaseNow} + ?`, values: [offset] }
}
