import type { PostOrder, PostQuery } from '../../storage/storage.js'
import { placeholders } from './row-values.js'
import type { SqlFragment, SqlValue } from './sql-database.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

const ORDER_COLUMNS = {
  date: 'p.post_date',
  modified: 'p.post_modified',
  title: 'p.post_title',
  slug: 'p.post_name',
  id: 'p.ID',
  menu_order: 'p.menu_order',
} as const

/**
 * The `WHERE` of a query over `posts p`. Only values that are given take part, so that the few kinds of question an
 * application asks make few texts, each prepared once.
 */
export function postConditions(query: PostQuery, tables: TableNames, dialect: SqlDialect): SqlFragment {
  const parts: SqlFragment[] = []
  // These leave a handful of rows; type and status, which also give the order, would be walked from end to end.
  const narrow = query.ids !== undefined || query.slug !== undefined || (query.parent ?? 0) !== 0
  const wide = (column: string): string => (narrow ? dialect.withoutIndex(column) : column)
  const equals = (column: string, value: SqlValue | undefined): void => {
    if (value !== undefined) parts.push({ text: `${column} = ?`, values: [value] })
  }
  const among = (column: string, values: readonly string[] | undefined): void => {
    if (values !== undefined) parts.push(oneOfTexts(column, values))
  }
  among(wide('p.post_type'), query.types)
  among(wide('p.post_status'), query.statuses)
  equals('p.post_author', query.author)
  equals('p.post_parent', query.parent)
  equals('p.post_name', query.slug)
  if (query.ids !== undefined) parts.push(dialect.isOneOf('p.ID', query.ids))
  if (query.term !== undefined) parts.push(hasTerm(query.term, tables))
  if (query.search !== undefined) {
    parts.push(dialect.contains(['p.post_title', 'p.post_excerpt', 'p.post_content'], query.search))
  }
  if (parts.length === 0) return { text: '', values: [] }
  return {
    text: `WHERE ${parts.map((part) => part.text).join(' AND ')}`,
    values: parts.flatMap((part) => part.values),
  }
}

/** One value is compared with `=`, so that an index that is sorted by the next column still serves the order. */
export function oneOfTexts(column: string, values: readonly string[]): SqlFragment {
  if (values.length === 0) return { text: '1 = 0', values: [] }
  if (values.length === 1) return { text: `${column} = ?`, values }
  return { text: `${column} IN (${placeholders(values.length)})`, values }
}

function hasTerm(term: { readonly taxonomy: string; readonly slug: string }, tables: TableNames): SqlFragment {
  return {
    text: `p.ID IN (SELECT r.object_id FROM ${tables.terms} t
      JOIN ${tables.term_taxonomy} x ON x.term_id = t.term_id
      JOIN ${tables.term_relationships} r ON r.term_taxonomy_id = x.term_taxonomy_id
      WHERE t.slug = ? AND x.taxonomy = ?)`,
    values: [term.slug, term.taxonomy],
  }
}

/** The `ORDER BY` of a query over `posts p`; always total, so that pages neither repeat nor lose a row. */
export function postOrder(order: readonly PostOrder[], tables: TableNames, dialect: SqlDialect): SqlFragment {
  const terms: string[] = []
  const values: SqlValue[] = []
  for (const { by, direction } of order) {
    const towards = direction === 'desc' ? 'DESC' : 'ASC'
    if (typeof by === 'string') {
      terms.push(`${ORDER_COLUMNS[by]} ${towards}`)
      continue
    }
    const value = by.as === 'number' ? dialect.asNumber('m.meta_value') : 'm.meta_value'
    const missing = by.as === 'number' ? '0' : `''`
    terms.push(
      `COALESCE((SELECT ${value} FROM ${tables.postmeta} m WHERE m.post_id = p.ID AND m.meta_key = ?
      ORDER BY m.meta_id LIMIT 1), ${missing}) ${towards}`,
    )
    values.push(by.meta)
  }
  const last = order.at(-1)
  const newestFirst = last?.direction === 'desc' && (last.by === 'date' || last.by === 'modified')
  if (last?.by !== 'id') terms.push(newestFirst ? 'p.ID DESC' : 'p.ID ASC')
  return { text: `ORDER BY ${terms.join(', ')}`, values }
}
