import type { Caller } from '../http/caller.js'
import { toInteger } from '../php/cast.js'
import { sanitizeTitle } from '../sanitizers/title.js'
import type { Site } from './site.js'
import type { PostOrder, PostQuery } from '../database/storage.js'
import type { RecordQuery } from './record.js'
import type { RecordTypes } from './record-types.js'
import { requireRecordQuery } from './require-query.js'

const published = ['publish'] as const

/** As `per_page`, with which WordPress asks for no page number. */
const allOfThem = -1

/**
 * A caller may choose `per_page` of a public list: nobody makes the service hold a whole shop in memory at once.
 * WordPress has no such bound.
 */
export const maxPerPage = 1000

/**
 * The question to the tables that a query means. Nobody finds out by searching, text by text, what a password protects:
 * a visitor who is not logged in searches records without one only, as in WordPress.
 * @throws RangeError when both `category` and `term` are given: the tables are asked for one term.
 * @throws TypeError for a value of a type that no query takes.
 */
export function postQuery(query: RecordQuery, types: RecordTypes, caller: Caller, site: Site): PostQuery {
  requireRecordQuery(query)
  const perPage = Math.trunc(query.per_page ?? 0) || site.postsPerPage
  const limit = Math.min(perPage === allOfThem ? Infinity : Math.abs(perPage), maxPerPage)
  const asked: { -readonly [Name in keyof PostQuery]: PostQuery[Name] } = {
    statuses: query.status == null ? published : listOf(query.status),
    order: [orderOf(query, types)],
    limit,
    offset: perPage === allOfThem ? 0 : offsetOf(query.page, limit),
  }
  const { type, author, parent, slug, search, ids } = query
  const term = termOf(query)
  if (type != null) asked.types = listOf(type)
  if (author != null) asked.author = author
  if (parent != null) asked.parent = parent
  if (slug != null) asked.slug = slug
  if (ids != null) asked.ids = ids
  if (search != null && search !== '') {
    asked.search = search
    if (caller.id === 0) asked.withoutPassword = true
  }
  if (term !== null) asked.term = term
  return asked
}

/** What is asked for is cleaned as slugs are, so that `Tools & Parts` finds what is in `tools-parts`, as in WordPress. */
function termOf({ category, term }: RecordQuery): NonNullable<PostQuery['term']> | null {
  const isAny = category == null || category === ''
  if (!isAny && term != null) throw new RangeError('A query takes a category or a term, not both.')
  const asked = isAny ? term : { taxonomy: 'category', slug: category }
  return asked == null ? null : { ...asked, slug: sanitizeTitle(asked.slug, 'save') }
}

const orders = ['modified', 'title', 'slug', 'id', 'menu_order'] as const

/** An order that nobody knows, perhaps a caller's own text, is that by date (docs/wire.md#queries). */
function orderOf({ orderby: asked, order, type }: RecordQuery, types: RecordTypes): PostOrder {
  const orderby =
    typeof asked === 'object' && asked !== null ? asked : (orders.find((known) => known === asked) ?? 'date')
  const direction = order ?? (orderby === 'date' || orderby === 'modified' ? 'desc' : 'asc')
  if (typeof orderby === 'string') return { by: orderby, direction }
  const names = type == null ? types.all().map(({ name }) => name) : listOf(type)
  const registered = names.map((name) => types.metaOf(name, orderby.meta)?.type)
  const isNumber = registered.some((kind) => kind === 'number' || kind === 'integer')
  return { by: { meta: orderby.meta, as: isNumber ? 'number' : 'text' }, direction }
}

/** As PHP counts: what exceeds 64 bits starts over, so that an absurd page number is the first page (as recorded). */
function offsetOf(asked: number | null | undefined, limit: number): number {
  const page = Math.abs(Math.trunc(asked ?? 1)) || 1
  return Math.min(Math.abs(toInteger((page - 1) * limit)), Number.MAX_SAFE_INTEGER)
}

function listOf(given: string | readonly string[]): readonly string[] {
  return typeof given === 'string' ? [given] : given
}
