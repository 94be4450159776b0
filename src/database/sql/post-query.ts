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
import { termCondition, termsBelow } from './term-conditions.js'
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
  /** Whether the caller adds a range of ids, by which the database should find the rows. Default: false. */
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
export const orderText = (parts: readonly Part[]): string => clauseText('ORDER BY', parts, ', ')

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

/** `WITH` of the term of a slug and of those below it. Its values are the slug and, twice, the taxonomy. */
export const termTree = (tables: TableNames): string =>
  termsBelow(
    `SELECT x.term_taxonomy_id, x.term_id FROM ${tables.terms} t
      JOIN ${tables.term_taxonomy} x ON x.term_id = t.term_id WHERE t.slug = ? AND x.taxonomy = ?`,
    tables,
  )

export const orderColumns = {
  date: 'p.post_date',
  modified: 'p.post_modified',
  title: 'p.post_title',
  slug: 'p.post_name',
  id: 'p.ID',
  menu_order: 'p.menu_order',
} as const satisfies Record<OrderColumn, string>

export function orderOf(order: readonly PostOrder[], tables: TableNames, dialect: SqlDialect): Part[] {
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
  // The id has the direction of the last column, so that one index serves both directions.
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
