import type { TermComparison, TermFilter } from '../term-filter.js'
import { groupCondition } from './group-condition.js'
import { placeholders } from './row-values.js'
import type { SqlFragment } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/**
 * The condition of a filter over `posts p`. The ids of the terms are read once per query; the terms of a post are read through
 * the index of `term_relationships`.
 */
export function termCondition(filter: TermFilter, tables: TableNames, dialect: SqlDialect): SqlFragment {
  if ('taxonomy' in filter) return comparison(filter, tables, dialect)
  return groupCondition(filter, (each) => termCondition(each, tables, dialect))
}

/**
 * `WITH` of the terms of a query and of those below them, with their ids in `term_tree`.
 * `UNION` takes each term once, so that cycles of terms end as well.
 * @param named selects `term_taxonomy_id` and `term_id`. The value of the rest is the taxonomy.
 */
export const termsBelow = (named: string, { term_taxonomy }: TableNames): string =>
  // Most terms have the parent 0. Without the first condition, a planner takes that for the number of terms below any, and reads all.
  `WITH RECURSIVE term_tree(id, term_id) AS (${named}
    UNION SELECT x.term_taxonomy_id, x.term_id FROM term_tree w
      CROSS JOIN ${term_taxonomy} x WHERE x.parent > 0 AND x.parent = w.term_id AND x.taxonomy = ?)`

const columns = { id: 't.term_id', slug: 't.slug', name: 't.name' } as const

function comparison(filter: TermComparison, tables: TableNames, dialect: SqlDialect): SqlFragment {
  const { taxonomy, compare, by, values, includesChildren } = filter
  const { terms, term_taxonomy, term_relationships } = tables
  const isNegated = compare.startsWith('not ')
  const has = (query: string): string => {
    const related = `FROM ${term_relationships} r WHERE ${dialect.isAmong('r.term_taxonomy_id', query)}`
    if (compare === 'in') return dialect.isAmong('p.ID', `SELECT r.object_id ${related}`)
    // The other comparisons may match most posts, so a list of their ids would be long. The index is read for each post.
    return `${isNegated ? 'NOT ' : ''}${dialect.existsForEach(`SELECT 1 ${related} AND r.object_id = p.ID`)}`
  }
  if (compare.endsWith('exists'))
    return {
      text: has(`SELECT x.term_taxonomy_id FROM ${term_taxonomy} x WHERE x.taxonomy = ?`),
      values: [taxonomy],
    }
  if (values.length === 0) return { text: isNegated ? '1 = 1' : '1 = 0', values: [] }
  const named = `SELECT x.term_taxonomy_id, x.term_id FROM ${terms} t JOIN ${term_taxonomy} x ON x.term_id = t.term_id
    WHERE ${columns[by]} IN (${placeholders(values.length)}) AND x.taxonomy = ?`
  if (!includesChildren)
    return { text: has(`SELECT n.term_taxonomy_id FROM (${named}) n`), values: [...values, taxonomy] }
  return { text: has(`${termsBelow(named, tables)} SELECT id FROM term_tree`), values: [...values, taxonomy, taxonomy] }
}
