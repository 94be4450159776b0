import type { SqlFragment, SqlValue } from './sql-connection.js'

/**
 * The `SET` part of an update: the columns of the change, in the order of `columns`, so that changes of the same columns have
 * the same text. `null` when the change is empty.
 */
export function assignments<C extends string>(
  columns: readonly C[],
  change: { readonly [column in C]?: SqlValue },
): SqlFragment | null {
  const set: string[] = []
  const values: SqlValue[] = []
  for (const column of columns) {
    const value = change[column]
    if (value === undefined) continue
    set.push(`${column} = ?`)
    values.push(value)
  }
  return set.length === 0 ? null : { text: set.join(', '), values }
}
