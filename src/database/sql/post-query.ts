import type { OrderColumn, PostOrder, PostQuery, PostSearch } from '../storage.js'
import type { DateFilter } from '../date-filter.js'
import type { FilterGroup } from '../filter-group.js'
import type { MetaFilter } from '../meta-filter.js'
import { dateCondition } from './date-conditions.js'
import { metaCondition } from './meta-conditions.js'
import { requireSqlValue } from './require-sql-value.js'
import { placeholders } from './row-values.js'
import type { SqlFragment, SqlValue } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'
import { termCondition } from './term-conditions.js'
import type { TermFilter } from '../term-filter.js'

/** A piece of a statement over `posts p`. Its text is made when the statement is used for the first time. */
interface Part {
  /** Parts of one shape have one text. */
  readonly shape: string
  text(): string
  readonly values: readonly SqlValue[]
}

/** The conditions and the order of a query over `posts p`. The few shapes of queries of an application make few texts. */
export interface PostSql {
  /** Queries of one shape have one text. */
  readonly shape: string
  /** `WHERE` and, but for a count, `ORDER BY`. */
  text(): string
  readonly values: readonly SqlValue[]
}

export interface PostSqlOptions {
  /** Whether rows are ordered. The order is total, so that pages neither repeat nor omit a row. */
  readonly isOrdered: boolean
  /** Whether the caller adds a range of ids, by which the database shall find the rows. Default: false. */
  readonly isOfRange?: boolean
}

/** The conditions and the order of a query. `search` is no condition: see `PostSearches`. */
export function postSql(
  query: Omit<PostQuery, 'search'>,
  tables: TableNames,
  dialect: SqlDialect,
  { isOrdered, isOfRange = false }: PostSqlOptions,
): PostSql {
  const conditions = conditionsOf(query, tables, dialect, isOfRange)
  const order = isOrdered ? orderOf(query.order, tables, dialect) : []
  const parts = [...conditions, ...order]
  return {
    shape: shapeOf(parts),
    text: () => `${whereText(conditions)} ${orderText(order)}`,
    values: parts.flatMap((part) => part.values),
  }
}

const shapeOf = (parts: readonly Part[]): string => parts.map((part) => part.shape).join()
const whereText = (parts: readonly Part[]): string => clauseText('WHERE', parts, ' AND ')
const orderText = (parts: readonly Part[]): string => clauseText('ORDER BY', parts, ', ')

function clauseText(keyword: string, parts: readonly Part[], separator: string): string {
  return parts.length === 0 ? '' : `${keyword} ${parts.map((part) => part.text()).join(separator)}`
}

/**
 * A part of the key for each field of a query but limit and offset, which are in the key already. A field that is added to
 * PostQuery does not compile until its part is written here; `post-query.test.ts` finds one that is not in the key.
 */
type KeyParts<T> = { readonly [Field in keyof T]-?: string }

/**
 * A query without its limit and offset as a key. Two queries with different results have different keys, also when one of
 * them comes from plain JavaScript and has values of other types. Takes half the time of JSON.
 * @throws StorageError `constraint` for a value that cannot be bound.
 */
export function keyOf(query: Omit<PostQuery, 'limit' | 'offset'>): string {
  const part: KeyParts<typeof query> = {
    types: keyOfList(query.types),
    statuses: keyOfList(query.statuses),
    author: keyOfValue(query.author),
    parent: keyOfValue(query.parent),
    slug: keyOfValue(query.slug),
    ids: keyOfList(query.ids),
    exceptIds: keyOfList(query.exceptIds),
    afterId: keyOfValue(query.afterId),
    meta: keyOfMeta(query.meta),
    dates: keyOfDates(query.dates),
    term: keyOfTerm(query.term),
    terms: keyOfTerms(query.terms),
    search: keyOfSearch(query.search),
    withoutPassword: query.withoutPassword === undefined ? '-' : '1',
    order: keyOfOrder(query.order),
  }
  const texts = `${part.types} ${part.statuses} ${part.slug} ${part.search} ${part.term} ${part.terms}`
  const numbers = `${part.author} ${part.parent} ${part.ids} ${part.exceptIds} ${part.afterId} ${part.withoutPassword}`
  return `${numbers} ${part.meta} ${part.dates} ${texts} ${part.order}`
}

function keyOfTerm(term: PostQuery['term']): string {
  if (term === undefined) return '-'
  const part: KeyParts<typeof term> = { taxonomy: keyOfValue(term.taxonomy), slug: keyOfValue(term.slug) }
  return `${part.taxonomy} ${part.slug}`
}

function keyOfTerms(filter: TermFilter | undefined): string {
  if (filter === undefined) return '-'
  if ('taxonomy' in filter) {
    const part: KeyParts<typeof filter> = {
      taxonomy: keyOfValue(filter.taxonomy),
      compare: keyOfValue(filter.compare),
      by: filter.by,
      values: keyOfList(filter.values),
      includesChildren: filter.includesChildren ? '1' : '0',
    }
    return `${part.taxonomy} ${part.compare} ${part.by} ${part.values} ${part.includesChildren}`
  }
  return keyOfGroup(filter, keyOfTerms)
}

function keyOfMeta(filter: MetaFilter | undefined): string {
  if (filter === undefined) return '-'
  if ('key' in filter) {
    const part: KeyParts<typeof filter> = {
      key: keyOfValue(filter.key),
      compare: keyOfValue(filter.compare),
      as: keyOfValue(filter.as),
      values: keyOfList(filter.values),
    }
    return `${part.key} ${part.compare} ${part.as} ${part.values}`
  }
  return keyOfGroup(filter, keyOfMeta)
}

function keyOfDates(filter: DateFilter | undefined): string {
  if (filter === undefined) return '-'
  if ('column' in filter) {
    const part: KeyParts<typeof filter> = {
      column: filter.column,
      part: filter.part === null ? '-' : keyOfValue(filter.part),
      compare: keyOfValue(filter.compare),
      values: keyOfList(filter.values),
    }
    return `${part.column} ${part.part} ${part.compare} ${part.values}`
  }
  return keyOfGroup(filter, keyOfDates)
}

function keyOfGroup<Filter>(group: FilterGroup<Filter>, keyOfFilter: (filter: Filter) => string): string {
  const part: KeyParts<typeof group> = {
    relation: keyOfValue(group.relation),
    filters: group.filters.map(keyOfFilter).join(' '),
  }
  return `(${part.relation} ${group.filters.length} ${part.filters})`
}

function keyOfSearch(search: PostSearch | undefined): string {
  if (search === undefined) return '-'
  const part: KeyParts<PostSearch> = { include: keyOfList(search.include), exclude: keyOfList(search.exclude) }
  return `${part.include} ${part.exclude}`
}

function keyOfOrder(order: readonly PostOrder[]): string {
  let key = ''
  for (const { by, direction } of order) {
    const part: KeyParts<PostOrder> = {
      by: typeof by === 'string' ? by : keyOfMetaOrder(by),
      direction: direction === 'desc' ? 'desc' : 'asc',
    }
    key += ` ${part.by} ${part.direction}`
  }
  return key
}

function keyOfMetaOrder(by: Exclude<PostOrder['by'], string>): string {
  const part: KeyParts<typeof by> = { as: keyOfValue(by.as), meta: keyOfValue(by.meta) }
  return `${part.as} ${part.meta}`
}

/**
 * A text follows its length, so that its end is known.
 * @throws StorageError `constraint` for a value that cannot be bound, since such a query has no key.
 */
function keyOfValue(value: unknown): string {
  if (value === undefined) return '-'
  if (typeof value === 'string') return `${value.length}:${value}`
  requireSqlValue(value)
  return String(value)
}

function keyOfList(values: readonly unknown[] | undefined): string {
  if (!Array.isArray(values)) return keyOfValue(values)
  let key = `[${values.length}`
  for (const value of values) key += ` ${keyOfValue(value)}`
  return key
}

/** The conditions of the fields that are present. */
function conditionsOf(
  query: Omit<PostQuery, 'search'>,
  tables: TableNames,
  dialect: SqlDialect,
  isOfRange: boolean,
): Part[] {
  const parts: Part[] = []
  const { types, statuses, author, parent, slug, ids, exceptIds, afterId, term, terms, withoutPassword, meta, dates } =
    query
  // These conditions select a few rows. An index of type and status, which also has the order, would be read to its end.
  const narrow = isOfRange || ids !== undefined || slug !== undefined || (parent ?? 0) !== 0
  const isOneOf = (column: string, values: readonly string[] | undefined): void => {
    if (values === undefined) return
    const compared = (): string => (narrow ? dialect.withoutIndex(column) : column)
    const condition = (): SqlFragment => oneOfTexts(compared(), values, dialect)
    const isList = values.length > maxPlaceholders
    const shape = `${column} ${narrow ? 'narrow ' : ''}${values.length}`
    parts.push(isList ? fragment(condition()) : { shape, text: () => condition().text, values })
  }
  const equals = (column: string, value: SqlValue | undefined): void => {
    if (value !== undefined) parts.push({ shape: column, text: () => `${column} = ?`, values: [value] })
  }
  isOneOf('p.post_type', types)
  isOneOf('p.post_status', statuses)
  equals('p.post_author', author)
  equals('p.post_parent', parent)
  equals('p.post_name', slug)
  equals('p.post_password', withoutPassword && '')
  if (ids !== undefined) parts.push(fragment(dialect.isOneOf('p.ID', ids)))
  if (exceptIds !== undefined) {
    const { text, values } = dialect.isOneOf('p.ID', exceptIds)
    parts.push(fragment({ text: `NOT (${text})`, values }))
  }
  if (afterId !== undefined) parts.push({ shape: 'after id', text: () => 'p.ID > ?', values: [afterId] })
  if (dates !== undefined) parts.push(fragment(dateCondition(dates)))
  if (meta !== undefined) parts.push(fragment(metaCondition(meta, tables.postmeta, dialect)))
  if (term !== undefined)
    parts.push({
      shape: 'term',
      text: () => hasTerm(tables, dialect),
      values: [term.slug, term.taxonomy, term.taxonomy],
    })
  if (terms !== undefined) parts.push(fragment(termCondition(terms, tables, dialect)))
  return parts
}

const fragment = ({ text, values }: SqlFragment): Part => ({ shape: text, text: () => text, values })

/** Maximum number of placeholders for the values of a list. A database limits those of a statement: SQLite to 32,766. */
const maxPlaceholders = 100

/** One value is compared with `=`, so that an index that is sorted by the next column can be used for the order. */
export function oneOfTexts(column: string, values: readonly string[], dialect: SqlDialect): SqlFragment {
  if (values.length > maxPlaceholders) return dialect.isOneOf(column, values)
  if (values.length === 0) return { text: '1 = 0', values: [] }
  if (values.length === 1) return { text: `${column} = ?`, values }
  return { text: `${column} IN (${placeholders(values.length)})`, values }
}

/**
 * The posts of a term or of one below it. `UNION` takes each term once, so that cycles of terms end as well. `CROSS JOIN`
 * keeps a planner from reading the whole taxonomy for each term.
 */
function hasTerm(tables: TableNames, dialect: SqlDialect): string {
  const terms = dialect.isAmong('r.term_taxonomy_id', `${termTree(tables)} SELECT id FROM term_tree`)
  return dialect.isAmong('p.ID', `SELECT r.object_id FROM ${tables.term_relationships} r WHERE ${terms}`)
}

const termTree = (tables: TableNames): string => `WITH RECURSIVE term_tree(id, term_id) AS (
    SELECT x.term_taxonomy_id, x.term_id FROM ${tables.terms} t
      JOIN ${tables.term_taxonomy} x ON x.term_id = t.term_id WHERE t.slug = ? AND x.taxonomy = ?
    UNION SELECT x.term_taxonomy_id, x.term_id FROM term_tree w
      CROSS JOIN ${tables.term_taxonomy} x WHERE x.parent = w.term_id AND x.taxonomy = ?)`

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

/** Whether a query has no other conditions than these. With others, an index would be walked along until so many rows meet them. */
const selectsOnly = (query: Omit<PostQuery, 'search'>, { types, statuses, term }: Selected & Pick<PostQuery, 'term'>) =>
  keyOf({ ...(types && { types }), ...(statuses && { statuses }), ...(term && { term }), order: [] }) ===
  keyOf({ ...query, order: [] })

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
  if (term === undefined || !selectsOnly(query, query)) return null
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

/** The query for the number of posts, from `counts`; null where the posts must be counted. */
export function countSql(
  query: Omit<PostQuery, 'search'>,
  tables: TableNames,
  dialect: SqlDialect,
): SqlFragment | null {
  const { term } = query
  if (!dialect.hasLists || !selectsOnly(query, query)) return null
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

const orderColumns = {
  date: 'p.post_date',
  modified: 'p.post_modified',
  title: 'p.post_title',
  slug: 'p.post_name',
  id: 'p.ID',
  menu_order: 'p.menu_order',
} as const satisfies Record<OrderColumn, string>

function orderOf(order: readonly PostOrder[], tables: TableNames, dialect: SqlDialect): Part[] {
  const parts: Part[] = order.map(({ by, direction }) => {
    const towards = direction === 'desc' ? 'DESC' : 'ASC'
    if (typeof by === 'string')
      return fixed(
        dialect
          .orderKeys(orderColumns[by])
          .map((key) => `${key} ${towards}`)
          .join(', '),
      )
    const text = (): string => `${metaValue(by.as, tables, dialect)} ${towards}`
    return { shape: `${by.as} ${towards}`, text, values: [by.meta] }
  })
  const last = order.at(-1)
  // The ids run with the column, so that one index has both directions.
  const isDescending = last?.direction === 'desc' && typeof last.by === 'string'
  if (last?.by !== 'id') parts.push(fixed(isDescending ? 'p.ID DESC' : 'p.ID ASC'))
  return parts
}

const fixed = (text: string): Part => ({ shape: text, text: () => text, values: [] })

function metaValue(as: 'number' | 'text', { postmeta }: TableNames, dialect: SqlDialect): string {
  const value = as === 'number' ? dialect.asNumber('m.meta_value') : 'm.meta_value'
  return `COALESCE((SELECT ${value} FROM ${postmeta} m WHERE m.post_id = p.ID AND m.meta_key = ?
    ORDER BY m.meta_id LIMIT 1), ${as === 'number' ? '0' : `''`})`
}
