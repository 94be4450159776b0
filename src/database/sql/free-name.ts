import { oneOfTexts } from './post-query.js'
import { text } from './row-values.js'
import type { SqlFragment } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import { equalWithoutCaseAndAccents, isAscii, unaccented } from './text-comparison.js'

/** Rows whose names count, and the column that holds the names. */
export interface NamedRows {
  /** The tables and joins after `FROM`. */
  readonly from: string
  readonly column: string
  /** Which rows count. The text begins with ` AND `. */
  readonly condition: SqlFragment
  /** See `SqlDialect.comparedOutside`. */
  readonly outside: string | null
}

/**
 * The first of the names that no row has, compared without case and accents; null when rows have all of them.
 *
 * One statement reads those names of the rows that equal one of them, by the index of the column. So it reads at most as
 * many rows as there are names, however many rows have names that only begin alike.
 */
export async function firstFreeName(
  names: readonly string[],
  { from, column, condition, outside }: NamedRows,
  { reader }: SqlSession,
  dialect: SqlDialect,
): Promise<string | null> {
  const select = `SELECT DISTINCT ${column} FROM ${from} WHERE`
  const candidates = new Set(names.flatMap((name) => (isAscii(name) ? name : [name, unaccented(name)])))
  const rowsOf = (all: readonly string[]): SqlFragment => {
    const same = oneOfTexts(column, all, dialect)
    // Names made by `sanitize_title` are ASCII. `outside` selects the few names that other programs may have written.
    const others = outside === null ? '' : ` UNION ${select} ${outside}${condition.text}`
    return {
      text: `${select} ${same.text}${condition.text}${others}`,
      values: [...same.values, ...condition.values, ...(outside === null ? [] : condition.values)],
    }
  }
  const query = dialect.takenNames?.([...candidates], from, column, condition) ?? rowsOf([...candidates])
  const rows = await reader.query(query.text, query.values)
  const stored = rows.map(([name]) => text(name))
  const taken = new Set(stored.map((name) => name.toLowerCase()))
  const candidatesInLowerCase = new Set([...candidates].map((name) => name.toLowerCase()))
  const areAllSpelledSo = stored.every((name) => isAscii(name) && candidatesInLowerCase.has(name.toLowerCase()))
  /** Whether a row has the name in a spelling that differs in more than case. */
  const isSpelledOtherwise = async (name: string): Promise<boolean> => {
    if (stored.length === 0 || (areAllSpelledSo && isAscii(name))) return false
    if (outside !== null) return stored.some((other) => equalWithoutCaseAndAccents(other, name))
    const row = await reader.row(`SELECT 1 FROM ${from} WHERE ${column} = ?${condition.text} LIMIT 1`, [
      name,
      ...condition.values,
    ])
    return row !== null
  }
  for (const name of names) if (!taken.has(name.toLowerCase()) && !(await isSpelledOtherwise(name))) return name
  return null
}
