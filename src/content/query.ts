import { requireKnownFields } from '../base/known-fields.js'
import type { Caller } from '../http/caller.js'
import { toInteger } from '../php/cast.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import type { Site } from './site.js'
import type { DateFilter } from '../database/date-filter.js'
import type { MetaFilter } from '../database/meta-filter.js'
import type { OrderColumn, PostOrder, PostQuery } from '../database/storage.js'
import { dateQueryFilter } from './date-query.js'
import { requireMetaKeys, requireStatuses, requireTaxonomy, typesAmong } from './declared-names.js'
import { isNumeric, type DeclarationOf } from './meta-comparison.js'
import { metaQueryFilter } from './meta-query.js'
import type { OrderedBy, RecordOrder, RecordQuery } from './record.js'
import type { RecordType, RecordTypes } from './record-types.js'
import { requireRecordQuery } from './require-query.js'
import { searchTerms } from './search-terms.js'
import { taxQueryFilter } from './tax-query.js'
import { storedName } from '../sanitizers/user-texts.js'
import { UndeclaredNameError } from './undeclared-name-error.js'
import { whereFilters } from './where.js'

const published = ['publish'] as const

/** The value of `per_page` for all records. WordPress ignores the page number with it. */
const allRecords = -1

/**
 * Maximum of `per_page`. A client may choose `per_page` of a public list, and one request must not load every record into
 * memory. WordPress has no maximum.
 */
export const maxPerPage = 1000

/**
 * Translates a query of a handler into a query of the tables. An anonymous caller searches only records without a
 * password, as in WordPress: otherwise repeated searches would reveal the content that the password protects.
 * Rules: docs/wire.md#queries.
 * @param sharesTables whether a WordPress has the same tables: see `Terms`.
 * @throws UndeclaredNameError for names that the record types do not have.
 * @throws RangeError when the query has both `category` and `term`: a query of the tables has one term.
 * @throws TypeError for a value of a wrong type.
 */
export function postQuery(
  query: RecordQuery,
  types: RecordTypes,
  caller: Caller,
  site: Site,
  sharesTables: boolean,
): PostQuery {
  requireRecordQuery(query)
  const among = typesAmong(query.type, types)
  if (query.status != null && !types.areOpen) requireStatuses(listOf(query.status), among ?? [])
  const declarationOf = declarationAmong(among)
  const perPage = Math.trunc(query.per_page ?? 0) || site.postsPerPage
  const limit = Math.min(perPage === allRecords ? Infinity : Math.abs(perPage), maxPerPage)
  const tableQuery: { -readonly [Name in keyof PostQuery]: PostQuery[Name] } = {
    statuses: query.status == null ? published : listOf(query.status),
    order: ordersOf(query, declarationOf),
    limit,
    offset: perPage === allRecords ? 0 : offsetOf(query.page, limit),
  }
  const { type, author, parent, slug, search, ids, exclude, after_id: afterId } = query
  const meta = metaFilterOf(query, declarationOf)
  const dates = dateFiltersOf(query)
  const term = termOf(query)
  if (term !== null && !types.areOpen) requireTaxonomy(term.taxonomy, types)
  if (type != null) tableQuery.types = listOf(type)
  if (author != null) tableQuery.author = author
  if (parent != null) tableQuery.parent = parent
  if (slug != null) tableQuery.slug = slug
  if (ids != null) tableQuery.ids = ids
  if (exclude != null && exclude.length > 0) tableQuery.exceptIds = exclude
  if (afterId != null) tableQuery.afterId = afterId
  if (meta !== null) tableQuery.meta = meta
  if (dates.length > 0) tableQuery.dates = { relation: 'and', filters: dates }
  if (search != null && search !== '') {
    tableQuery.search = searchTerms(search)
    if (caller.id === 0) tableQuery.withoutPassword = true
  }
  if (term !== null) tableQuery.term = term
  if (query.tax_query != null)
    tableQuery.terms = taxQueryFilter(query.tax_query, sharesTables ? storedName : unchanged, (name) => {
      if (!types.areOpen) requireTaxonomy(name, types)
    })
  return tableQuery
}

const unchanged = (name: string): string => name

/** The slug is sanitised, so that `Tools & Parts` finds the records of `tools-parts`, as in WordPress. */
function termOf({ category, term }: RecordQuery): NonNullable<PostQuery['term']> | null {
  const hasCategory = category != null && category !== ''
  if (hasCategory && term != null) throw new RangeError('A query takes a category or a term, not both.')
  const queriedTerm = hasCategory ? { taxonomy: 'category', slug: category } : term
  return queriedTerm == null ? null : { ...queriedTerm, slug: sanitizeTitle(queriedTerm.slug, 'save') }
}

const orders: readonly OrderColumn[] = ['date', 'modified', 'title', 'slug', 'id', 'menu_order']

/** The last criterion is always the id, so a criterion behind it decides nothing. */
function ordersOf({ orderby, order }: RecordQuery, declarationOf: DeclarationOf): readonly PostOrder[] {
  if (!Array.isArray(orderby)) return [orderOf(orderby as RecordOrder | null | undefined, order, declarationOf)]
  const items = orderby as readonly (RecordOrder | OrderedBy)[]
  if (items.length > maxOrders)
    throw new RangeError(`'orderby' of a query for records has more than ${maxOrders} items.`)
  if (items.length === 0) return [orderOf(null, order, declarationOf)]
  return items.map((item) => {
    if (typeof item !== 'object' || !('by' in item)) return orderOf(item, order, declarationOf)
    requireKnownFields(item, fieldsOfItem, "An item of 'orderby'")
    return orderOf(item.by, item.order ?? order, declarationOf)
  })
}

const fieldsOfItem: ReadonlySet<string> = new Set(['by', 'order'] satisfies (keyof OrderedBy)[])
const fieldsOfMetaOrder: ReadonlySet<string> = new Set(['meta'])

/** @throws TypeError for a field that is ignored, such as a direction. */
function requireMetaOrder(order: { readonly meta: string }): void {
  const { meta } = order
  if ('order' in order)
    throw new TypeError(`An item of 'orderby' with a direction is written { by: { meta: '${meta}' }, order: 'desc' }.`)
  requireKnownFields(order, fieldsOfMetaOrder, "An object of 'orderby'")
}

/** Maximum number of items of `orderby`. */
const maxOrders = 5

function orderOf(
  value: RecordOrder | null | undefined,
  order: RecordQuery['order'],
  declarationOf: DeclarationOf,
): PostOrder {
  const orderby = typeof value === 'object' && value !== null ? value : columnOf(value)
  if (order != null && order !== 'asc' && order !== 'desc')
    throw new UndeclaredNameError('undeclared-order', `'order' is '${String(order)}'`, order, ['asc', 'desc'])
  const direction = order ?? (orderby === 'date' || orderby === 'modified' ? 'desc' : 'asc')
  if (typeof orderby === 'string') return { by: orderby, direction }
  requireMetaOrder(orderby)
  const isNumber = isNumeric(declarationOf(orderby.meta))
  return { by: { meta: orderby.meta, as: isNumber ? 'number' : 'text' }, direction }
}

function columnOf(value: OrderColumn | null | undefined): OrderColumn {
  if (value === null || value === undefined) return 'date'
  if (orders.includes(value)) return value
  const sentence = `Records cannot be ordered by '${String(value)}'`
  const place = `A key of metadata is written { meta: '${String(value)}' }.`
  throw new UndeclaredNameError('undeclared-order', sentence, value, orders, place)
}

/**
 * The declarations of keys by the types of a query: the first that is a number, else the first.
 * @param among null for undeclared types, whose keys are unknown.
 */
function declarationAmong(among: readonly RecordType[] | null): DeclarationOf {
  return (key) => {
    if (among === null) return undefined
    requireMetaKeys([key], among)
    const declarations = among.flatMap(({ meta }) => meta.get(key) ?? [])
    return declarations.find(isNumeric) ?? declarations[0]
  }
}

/** Maximum number of conditions on metadata, of `where` and `meta_query` together. */
const maxMetaConditions = 20

/** @returns null when no field restricts the metadata. @throws RangeError for too many conditions. */
function metaFilterOf({ where, meta_query }: RecordQuery, declarationOf: DeclarationOf): MetaFilter | null {
  if (where == null && meta_query == null) return null
  const filters = [
    ...(where == null ? [] : whereFilters(where, declarationOf)),
    ...(meta_query == null ? [] : [metaQueryFilter(meta_query, declarationOf)]),
  ]
  if (countOf(filters) > maxMetaConditions)
    throw new RangeError(`A query for records has more than ${maxMetaConditions} conditions on metadata.`)
  return filters.length === 0 ? null : { relation: 'and', filters }
}

const countOf = (filters: readonly MetaFilter[]): number =>
  filters.reduce((count, filter) => count + ('key' in filter ? 1 : countOf(filter.filters)), 0)

function dateFiltersOf({
  after,
  before,
  modified_after,
  modified_before,
  date_query,
}: RecordQuery): readonly DateFilter[] {
  const bound = (
    value: string | null | undefined,
    column: 'date' | 'modified_gmt',
    compare: '<' | '>',
  ): readonly DateFilter[] => (value == null ? [] : [{ column, part: null, compare, values: [queryDate(value)] }])
  return [
    ...bound(after, 'date', '>'),
    ...bound(before, 'date', '<'),
    ...bound(modified_after, 'modified_gmt', '>'),
    ...bound(modified_before, 'modified_gmt', '<'),
    ...(date_query == null ? [] : [dateQueryFilter(date_query)]),
  ]
}

/** @throws RangeError for a text that is not a date: databases compare it by different rules. */
function queryDate(text: string): string {
  const [, day = '', time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d:\d\d))?$/.exec(text) ?? []
  const date = new Date(`${day}T${time}Z`)
  // The 30th of February would become a day in March.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 19) !== `${day}T${time}`)
    throw new RangeError(
      `'${text.slice(0, 40)}' in a query for records is not a date: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS.`,
    )
  return `${day} ${time}`
}

/** PHP's integers overflow at 64 bits, so WordPress shows the first page for an absurdly large page number. */
function offsetOf(pageNumber: number | null | undefined, limit: number): number {
  const page = Math.abs(Math.trunc(pageNumber ?? 1)) || 1
  return Math.min(Math.abs(toInteger((page - 1) * limit)), Number.MAX_SAFE_INTEGER)
}

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value
}
