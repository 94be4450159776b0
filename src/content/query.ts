import type { Caller } from '../http/caller.js'
import { toInteger } from '../php/cast.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import type { Site } from './site.js'
import type { PostOrder, PostQuery } from '../database/storage.js'
import type { RecordQuery } from './record.js'
import type { RecordTypes } from './record-types.js'
import { requireRecordQuery } from './require-query.js'
import { searchTerms } from './search-terms.js'

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
 * @throws RangeError when the query has both `category` and `term`: a query of the tables has one term.
 * @throws TypeError for a value of a wrong type.
 */
export function postQuery(query: RecordQuery, types: RecordTypes, caller: Caller, site: Site): PostQuery {
  requireRecordQuery(query)
  const perPage = Math.trunc(query.per_page ?? 0) || site.postsPerPage
  const limit = Math.min(perPage === allRecords ? Infinity : Math.abs(perPage), maxPerPage)
  const tableQuery: { -readonly [Name in keyof PostQuery]: PostQuery[Name] } = {
    statuses: query.status == null ? published : listOf(query.status),
    order: [orderOf(query, types)],
    limit,
    offset: perPage === allRecords ? 0 : offsetOf(query.page, limit),
  }
  const { type, author, parent, slug, search, ids } = query
  const term = termOf(query)
  if (type != null) tableQuery.types = listOf(type)
  if (author != null) tableQuery.author = author
  if (parent != null) tableQuery.parent = parent
  if (slug != null) tableQuery.slug = slug
  if (ids != null) tableQuery.ids = ids
  if (search != null && search !== '') {
    tableQuery.search = searchTerms(search)
    if (caller.id === 0) tableQuery.withoutPassword = true
  }
  if (term !== null) tableQuery.term = term
  return tableQuery
}

/** The slug is sanitised, so that `Tools & Parts` finds the records of `tools-parts`, as in WordPress. */
function termOf({ category, term }: RecordQuery): NonNullable<PostQuery['term']> | null {
  const hasCategory = category != null && category !== ''
  if (hasCategory && term != null) throw new RangeError('A query takes a category or a term, not both.')
  const queriedTerm = hasCategory ? { taxonomy: 'category', slug: category } : term
  return queriedTerm == null ? null : { ...queriedTerm, slug: sanitizeTitle(queriedTerm.slug, 'save') }
}

const orders = ['modified', 'title', 'slug', 'id', 'menu_order'] as const

/** An unknown `orderby`, which may be a text from the client, means the order by date, as in WordPress. */
function orderOf({ orderby: value, order, type }: RecordQuery, types: RecordTypes): PostOrder {
  const orderby =
    typeof value === 'object' && value !== null ? value : (orders.find((name) => name === value) ?? 'date')
  const direction = order ?? (orderby === 'date' || orderby === 'modified' ? 'desc' : 'asc')
  if (typeof orderby === 'string') return { by: orderby, direction }
  const names = type == null ? types.all().map(({ name }) => name) : listOf(type)
  const metaTypes = names.map((name) => types.metaOf(name, orderby.meta)?.type)
  const isNumber = metaTypes.some((metaType) => metaType === 'number' || metaType === 'integer')
  return { by: { meta: orderby.meta, as: isNumber ? 'number' : 'text' }, direction }
}

/** PHP's integers overflow at 64 bits, so WordPress shows the first page for an absurdly large page number. */
function offsetOf(pageNumber: number | null | undefined, limit: number): number {
  const page = Math.abs(Math.trunc(pageNumber ?? 1)) || 1
  return Math.min(Math.abs(toInteger((page - 1) * limit)), Number.MAX_SAFE_INTEGER)
}

function listOf(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value
}
