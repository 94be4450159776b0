import type { PostQuery } from '../storage.js'
import { keyOf, oneOfTexts, orderColumns, orderOf, orderText, termTree, type PostSql } from './post-query.js'
import type { IndexedMeta } from './indexed-meta.js'
import type { SqlFragment } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/** The columns by which an index orders the posts of a type and status. */
const indexedColumns = ['date', 'modified', 'title', 'slug', 'menu_order'] as const
/** A term with at least this many records is large: its pages may be read along an index of all records. */
const largeTerm = 1000
/** Maximum number of entries of an index that are compared with a term. */
const maxWalked = 65_536

/** The conditions on type and status over another table than `posts`. Its text begins with ` AND `, or is empty. */
function andTypeAndStatus(alias: string, { types, statuses }: Selected, dialect: SqlDialect): SqlFragment {
  const parts = [
    ...(types === undefined ? [] : [oneOfTexts(`${alias}.post_type`, types, dialect)]),
    ...(statuses === undefined ? [] : [oneOfTexts(`${alias}.post_status`, statuses, dialect)]),
  ]
  return { text: parts.map(({ text }) => ` AND ${text}`).join(''), values: parts.flatMap(({ values }) => values) }
}

type Selected = Pick<PostQuery, 'types' | 'statuses'>
type TermOfQuery = NonNullable<PostQuery['term']>

/** Whether a query has no other conditions than type, status and term. With others, too many entries of an index could be read. */
function selectsOnlyByTerm({ types, statuses, term, ...others }: Omit<PostQuery, 'search'>): boolean {
  const selected = { ...(types && { types }), ...(statuses && { statuses }), ...(term && { term }), order: [] }
  return keyOf(selected) === keyOf({ ...selected, ...others, order: [] })
}

const ofTree = ({ slug, taxonomy }: TermOfQuery): readonly string[] => [slug, taxonomy, taxonomy]

interface Range {
  readonly limit: number
  readonly offset: number
}

/** What a list is read from. */
export interface ListTables {
  readonly tables: TableNames
  readonly dialect: SqlDialect
  readonly indexedMeta: IndexedMeta
}

/** The query for the ids of a page; null where the query of `postSql` is as good. */
export function pageSql(query: Omit<PostQuery, 'search'>, from: ListTables, range: Range): PostSql | null {
  if (!selectsOnlyByTerm(query)) return null
  const index = indexOf(query, from)
  if (query.term === undefined) return index?.isOfNumber === true ? pageOfIndex(index, from.dialect, range) : null
  const [first] = query.order
  if (index !== null && first?.by === 'date')
    return newestOfTerm(query, from, { term: query.term, isDescending: first.direction === 'desc', ...range })
  return sortedOfTerm(query, query.term, index, from, range)
}

/** The records of one type and status in the order of an index. */
interface OrderIndex {
  readonly from: string
  readonly id: string
  readonly where: SqlFragment
  /** What the records are ordered by, the id last. */
  readonly keys: readonly (readonly [expression: string, towards: 'ASC' | 'DESC'])[]
  /** Whether it is one of `indexed_values`. */
  readonly isOfNumber: boolean
}

/** The index that has the order of a query; null where there is none. Other conditions of the query do not matter. */
function indexOf(query: Omit<PostQuery, 'search'>, { tables, dialect, indexedMeta }: ListTables): OrderIndex | null {
  const { types, statuses, order } = query
  const [first, second] = order
  if (!dialect.hasLists || types?.length !== 1 || statuses?.length !== 1) return null
  if (first === undefined || second !== undefined) return null
  const { by, direction } = first
  const towards = direction === 'desc' ? 'DESC' : 'ASC'
  if (typeof by !== 'string')
    return by.as === 'number' && indexedMeta.has(types[0] ?? '', by.meta)
      ? {
          from: `${tables.indexed_values} v`,
          id: 'v.post_id',
          where: {
            text: 'v.meta_key = ? AND v.post_type = ? AND v.post_status = ?',
            values: [by.meta, ...types, ...statuses],
          },
          keys: [
            ['v.value', towards],
            ['v.post_id', 'ASC'],
          ],
          isOfNumber: true,
        }
      : null
  const column = indexedColumns.find((name) => name === by)
  if (column === undefined) return null
  return {
    from: `${tables.posts} p`,
    id: 'p.ID',
    where: { text: 'p.post_type = ? AND p.post_status = ?', values: [...types, ...statuses] },
    keys: [...dialect.orderKeys(orderColumns[column]), 'p.ID'].map((key) => [key, towards] as const),
    isOfNumber: false,
  }
}

const orderBy = (keys: OrderIndex['keys']): string =>
  `ORDER BY ${keys.map(([key, towards]) => `${key} ${towards}`).join(', ')}`

function pageOfIndex({ from, id, where, keys }: OrderIndex, dialect: SqlDialect, { limit, offset }: Range): PostSql {
  const page = dialect.page(limit, offset)
  return {
    shape: `of index ${from} ${orderBy(keys)} ${page.text}`,
    text: () => `SELECT ${id} AS page_id FROM ${from} WHERE ${where.text} ${orderBy(keys)} ${page.text}`,
    values: [...where.values, ...page.values],
  }
}

/** Numbers of records of the type and status of a query: those of its term, and all. */
export interface RecordsOfTerm {
  readonly ofTerm: number
  readonly ofAll: number
}

/**
 * The query for a page of a large term that reads the first entries of the index of the order, and keeps the records of the term:
 * sorting all records of the term takes longer. It finds too few records where those of the term come late in the order.
 * @returns null where sorting is no slower.
 */
export function walkSql(
  query: Omit<PostQuery, 'search'>,
  from: ListTables,
  range: Range,
  { ofTerm, ofAll }: RecordsOfTerm,
): PostSql | null {
  const { term } = query
  const index = indexOf(query, from)
  const end = range.limit + range.offset
  if (term === undefined || index === null || ofTerm < Math.max(largeTerm, end)) return null
  // The average number of entries for a page when the records of the term are spread evenly; the factor covers most deviations.
  // Powers of two make few statements. Where triggers were missing, `ofAll` may be less than `ofTerm`, hence `Math.max`.
  const entries = end * Math.max(1, ofAll / ofTerm)
  const walked = 2 ** Math.ceil(Math.log2(entries * (1 + 3 / Math.sqrt(end))))
  return walked > Math.min(ofTerm, maxWalked) ? null : walkAlong(index, term, walked, from, range)
}

/** Whether `walkSql` may have a query for the pages of a term. */
export const isWalkable = (query: Omit<PostQuery, 'search'>, from: ListTables): boolean =>
  query.term !== undefined && query.order[0]?.by !== 'date' && selectsOnlyByTerm(query) && indexOf(query, from) !== null

function walkAlong(
  { from, id, where, keys }: OrderIndex,
  term: TermOfQuery,
  entries: number,
  { tables, dialect }: ListTables,
  { limit, offset }: Range,
): PostSql {
  const page = dialect.page(limit, offset)
  const names = keys.map(([key, towards], place) => ({ key, towards, name: `key_${place}` }))
  const selected = names.map(({ key, name }) => `${key} AS ${name}`).join(', ')
  const order = orderBy(names.map(({ name, towards }) => [name, towards]))
  return {
    shape: `walk ${entries} ${from} ${orderBy(keys)} ${page.text}`,
    text: () => `SELECT walked.page_id FROM (SELECT ${id} AS page_id, ${selected} FROM ${from}
        WHERE ${where.text} ${orderBy(keys)} LIMIT ${entries}) walked
      WHERE EXISTS (SELECT 1 FROM ${tables.listed} l WHERE l.post_id = walked.page_id
        AND ${dialect.isAmong('l.term_taxonomy_id', `${termTree(tables)} SELECT id FROM term_tree`)}) ${order} ${page.text}`,
    values: [...where.values, ...ofTree(term), ...page.values],
  }
}

/** The records of a term, sorted. */
function sortedOfTerm(
  query: Omit<PostQuery, 'search'>,
  term: TermOfQuery,
  index: OrderIndex | null,
  { tables, dialect }: ListTables,
  { limit, offset }: Range,
): PostSql | null {
  const andListed = andTypeAndStatus('l', query, dialect)
  const order = orderOf(query.order, tables, dialect)
  const orders = { text: orderText(order), values: order.flatMap((part) => part.values) }
  const ofPosts = { from: `${tables.posts} p`, id: 'p.ID', where: { text: '', values: [] }, order: orders }
  const sorted =
    index?.isOfNumber === true
      ? {
          ...index,
          where: { ...index.where, text: ` AND ${index.where.text}` },
          order: { text: orderBy(index.keys), values: [] },
        }
      : ofPosts
  const page = dialect.pageOfTerm?.({
    ...sorted,
    listed: tables.listed,
    termTree: { text: termTree(tables), values: ofTree(term) },
    andListed,
    limit,
    offset,
  })
  if (page === undefined || page === null) return null
  return { shape: `term ${page.text}`, text: () => page.text, values: page.values }
}

/**
 * A page of a term by date. An index of `listed` has the records of one term in this order; the records of a term with terms
 * below it are sorted. The database runs only one of the two parts of the union.
 */
function newestOfTerm(
  query: Selected,
  { tables, dialect }: ListTables,
  { term, isDescending, limit, offset }: Range & { readonly term: TermOfQuery; readonly isDescending: boolean },
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

/** The query for the two numbers of `RecordsOfTerm`. @param query for which `isWalkable` holds. */
export function sizesSql(query: Omit<PostQuery, 'search'>, tables: TableNames, dialect: SqlDialect): SqlFragment {
  const { term: _, ...all } = query
  const numbers = [query, all].map((each) => countSql(each, tables, dialect) ?? { text: 'SELECT 0', values: [] })
  return {
    text: `SELECT ${numbers.map(({ text }) => `(${text})`).join(', ')}`,
    values: numbers.flatMap(({ values }) => values),
  }
}
