import type { TermRow } from '../term-rows.js'
import { number, text } from './row-values.js'
import type { SqlRow } from './sql-connection.js'
import type { TableNames } from './table-names.js'

/**
 * `SELECT` and `FROM` of terms `t` joined with their taxonomy `x`, in the order in which `termOf` reads them.
 * @param before a column that is selected before them.
 */
export const termSelect = ({ terms, term_taxonomy }: TableNames, before?: string): string =>
  `SELECT ${before === undefined ? '' : `${before}, `}t.term_id, x.term_taxonomy_id, t.name, t.slug, x.taxonomy, x.description, x.parent, x.count
  FROM ${terms} t JOIN ${term_taxonomy} x ON x.term_id = t.term_id`

export function termOf(row: SqlRow): TermRow {
  return {
    term_id: number(row[0]),
    term_taxonomy_id: number(row[1]),
    name: text(row[2]),
    slug: text(row[3]),
    taxonomy: text(row[4]),
    description: text(row[5]),
    parent: number(row[6]),
    count: number(row[7]),
  }
}
