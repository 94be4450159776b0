import type { PostOrder, PostQuery } from '../storage.js'
import {
  conditionsOf,
  keyOf,
  oneOfTexts,
  orderOf,
  orderText,
  shapeOf,
  termTree,
  whereText,
  type PostSql,
} from './post-query.js'
import type { IndexedMeta } from './indexed-meta.js'
import type { SqlFragment } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/** The orders that indexes of type and status have. */
const indexedOrders: ReadonlySet<PostOrder['by']> = new Set(['date', 'modified', 'menu_order'])
/** The last row of a page that may be found by walking along an index. */
const maxWalked = 100

/** The conditions on type and status over another table than `posts`. Its text begins with ` AND `, or is empty. */
function andTypeAndStatus(alias: string, { types, statuses }: Selected, dialect: SqlDialect): SqlFragment {
  const parts = [
    ...(types === undefined ? [] : [oneOfTexts(`${alias}.post_type`, types, dialect)]),
    ...(statuses === undefined ? [] : [oneOfTexts(`${alias}.post_status`, statuses, dialect)]),
  ]
  return { text: parts.map(({ text }) => ` AND ${text}`).join(''), values: parts.flatMap(({ values }) => values) }
}

type Selected = Pick<PostQuery, 'types' | 'statuses'>

/** Whether type, status and term are all conditions of a query. With others, an index would be walked along until so many rows meet them. */
function selectsOnlyByTerm({ types, statuses, term, ...others }: Omit<PostQuery, 'search'>): boolean {
  const selected = { ...(types && { types }), ...(statuses && { statuses }), ...(term && { term }), order: [] }
  return keyOf(selected) === keyOf({ ...selected, ...others, order: [] })
}

const ofTree = ({ slug, taxonomy }: NonNullable<PostQuery['term']>): readonly string[] => [slug, taxonomy, taxonomy]

/** The query for the ids of a page; null where it is that of `postSql`. */
export function pageOfTermSql(
  query: Omit<PostQuery, 'search'>,
  tables: TableNames,
  dialect: SqlDialect,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): PostSql | null {
  const { term, types, statuses, order } = query
  const [first, second] = order
  if (term === undefined || !selectsOnlyByTerm(query)) return null
  const isInOneOrder = types?.length === 1 && statuses?.length === 1 && first !== undefined && second === undefined
  if (dialect.hasLists && isInOneOrder && first.by === 'date')
    return newestOfTerm(query, tables, dialect, { term, isDescending: first.direction === 'desc', limit, offset })
  const conditions = conditionsOf(
    { ...(types && { types }), ...(statuses && { statuses }), order, limit, offset },
    tables,
    dialect,
    false,
  )
  const orders = orderOf(order, tables, dialect)
  const page = dialect.pageOfTerm?.({
    posts: tables.posts,
    relationships: tables.term_relationships,
    listed: tables.listed,
    termTree: { text: termTree(tables), values: ofTree(term) },
    where: { text: whereText(conditions), values: conditions.flatMap((part) => part.values) },
    andListed: andTypeAndStatus('l', query, dialect),
    order: { text: orderText(orders), values: orders.flatMap((part) => part.values) },
    isWalkable: isInOneOrder && indexedOrders.has(first.by) && offset + limit <= maxWalked,
    limit,
    offset,
  })
  if (page === undefined || page === null) return null
  // The offset is a value, so that the pages of one length have two texts.
  return {
    shape: `term ${shapeOf([...conditions, ...orders])} ${limit} ${offset > 0}`,
    text: () => page.text,
    values: page.values,
  }
}

/**
 * A page of a term by date. `listed` has the records of one term in this order; those of a term with others below it are
 * sorted. Of the two queries, the one that is not needed is not run.
 */
function newestOfTerm(
  query: Selected,
  tables: TableNames,
  dialect: SqlDialect,
  {
    term,
    isDescending,
    limit,
    offset,
  }: { term: NonNullable<PostQuery['term']>; isDescending: boolean; limit: number; offset: number },
): PostSql {
  const { text: selected, values } = andTypeAndStatus('l', query, dialect)
  const towards = isDescending ? 'DESC' : 'ASC'
  const order = `ORDER BY l.post_date ${towards}, l.post_id ${towards}`
  const [first, page] = [dialect.page(limit + offset, 0), dialect.page(limit, offset)]
  const amount = '(SELECT COUNT(*) FROM term_tree)'
  return {
    shape: `newest of term ${towards} ${page.text} ${first.text} ${selected}`,
    text: () => `SELECT l.post_id AS page_id FROM (${termTree(tables)} (SELECT l.post_id, l.post_date FROM ${tables.listed} l
        WHERE l.term_taxonomy_id = (SELECT MIN(id) FROM term_tree) AND ${amount} = 1${selected} ${order} ${first.text})
      UNION ALL (SELECT DISTINCT l.post_id, l.post_date FROM ${tables.listed} l
        WHERE ${amount} > 1 AND ${dialect.isAmong('l.term_taxonomy_id', 'SELECT id FROM term_tree')}${selected})) l ${order} ${page.text}`,
    values: [...ofTree(term), ...values, ...first.values, ...values, ...page.values],
  }
}

/** The query for the ids of a page in the order of a number that `indexed_values` has; null where it is that of `postSql`. */
export function pageByNumberSql(
  query: Omit<PostQuery, 'search'>,
  { indexed_values }: TableNames,
  dialect: SqlDialect,
  indexedMeta: IndexedMeta,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): PostSql | null {
  const { types, statuses, term, order } = query
  const [first, second] = order
  if (types?.length !== 1 || statuses?.length !== 1 || first === undefined || second !== undefined) return null
  const { by, direction } = first
  if (typeof by === 'string' || by.as !== 'number' || !indexedMeta.has(types[0] ?? '', by.meta)) return null
  if (term !== undefined || !selectsOnlyByTerm(query)) return null
  const page = dialect.page(limit, offset)
  const towards = direction === 'desc' ? 'DESC' : 'ASC'
  return {
    shape: `by number ${towards} ${page.text}`,
    text: () => `SELECT v.post_id AS page_id FROM ${indexed_values} v
      WHERE v.meta_key = ? AND v.post_type = ? AND v.post_status = ? ORDER BY v.value ${towards}, v.post_id ASC ${page.text}`,
    values: [by.meta, ...types, ...statuses, ...page.values],
  }
}

/** The query for the number of posts, from `counts`; null where the posts must be counted. */
export function countSql(
  query: Omit<PostQuery, 'search'>,
  tables: TableNames,
  dialect: SqlDialect,
): SqlFragment | null {
  const { term } = query
  if (!dialect.hasLists || !selectsOnlyByTerm(query)) return null
  const counted = andTypeAndStatus('c', query, dialect)
  const sumOf = (term: string): string =>
    `SELECT COALESCE(SUM(c.n), 0) FROM ${tables.counts} c WHERE c.term_taxonomy_id = ${term}${counted.text}`
  if (term === undefined) return { text: sumOf('0'), values: counted.values }
  const listed = andTypeAndStatus('l', query, dialect)
  // A post may have several of the terms below one.
  return {
    text: `SELECT counted.n FROM (${termTree(tables)} SELECT CASE WHEN (SELECT COUNT(*) FROM term_tree) < 2
      THEN (${sumOf('(SELECT MIN(id) FROM term_tree)')})
      ELSE (SELECT COUNT(DISTINCT l.post_id) FROM ${tables.listed} l
        WHERE ${dialect.isAmong('l.term_taxonomy_id', 'SELECT id FROM term_tree')}${listed.text}) END AS n) counted`,
    values: [...ofTree(term), ...counted.values, ...listed.values],
  }
}
