import type { Site } from './site.js'
import type { PostQuery, PostRow, PostWithMeta, Storage } from '../database/storage.js'
import { applicationTypes } from './archive.js'
import { segmentsOf } from './permalink-structure.js'
import type { RecordType } from './record-type.js'
import type { RecordTypes } from './record-types.js'
import { storedSlug } from './slug.js'

/** No permalink is longer, so a longer path needs no query. */
const maxPathLength = 2048

/** The statuses of records that have an address with their slug. The caller checks who may read a private record. */
const addressableStatuses = ['publish', 'private', 'inherit']

interface LookupContext {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly site: Site
}

/**
 * The record at a permalink, the reverse of `Permalinks`; `null` when there is none. The record may be private, and a link
 * with an id may lead to a record of any status: check the capability `read_post` before showing it.
 * @param path relative to the address of the site, percent-encoded or not: `/product/lamp/`.
 * @param query of the address. A plain permalink identifies the record in it.
 */
export async function rowOfPath(
  path: string,
  query: URLSearchParams,
  context: LookupContext,
): Promise<PostWithMeta | null> {
  if (path.length > maxPathLength) return null
  if (segmentsOf(path).length === 0) return rowOfQuery(query, context)
  return (await rowOfType(path, context)) ?? (await rowOfPost(path, context)) ?? rowOfPage(path, context)
}

async function rowOfQuery(query: URLSearchParams, context: LookupContext): Promise<PostWithMeta | null> {
  const postType = query.get('post_type')
  const publicTypes = context.types.all().flatMap(({ name, public: isPublic }) => (isPublic ? [name] : []))
  for (const [name, types] of [
    ['page_id', ['page']],
    ['attachment_id', ['attachment']],
    ['p', postType === null ? publicTypes : publicTypes.filter((type) => type === postType)],
  ] as const) {
    const id = query.get(name)
    if (id !== null && /^\d{1,15}$/.test(id) && types.length > 0) return firstRow(context, { types, ids: [Number(id)] })
  }
  for (const type of applicationTypes(context.types)) {
    const path = query.get(type.name)
    if (path) return rowBelow(segmentsOf(path), type, context)
  }
  return null
}

async function rowOfType(path: string, context: LookupContext): Promise<PostWithMeta | null> {
  const { front, root } = context.site.permalinkStructure
  for (const type of context.types.all()) {
    if (type.permalink === null || !type.public || !context.site.permalinkStructure.isPretty) continue
    const base = `${type.with_front ? front : root}${type.permalink}/`
    if (path.startsWith(base)) return rowBelow(segmentsOf(path.slice(base.length)), type, context)
  }
  return null
}

async function rowOfPost(path: string, context: LookupContext): Promise<PostWithMeta | null> {
  const tags = context.site.permalinkStructure.match(path)
  if (tags === null || (tags.post_id === undefined && tags.postname === undefined)) return null
  const row = await firstRow(context, {
    types: ['post'],
    statuses: addressableStatuses,
    ...(tags.post_id === undefined ? {} : { ids: [Number(tags.post_id)] }),
    ...(tags.postname === undefined ? {} : { slug: storedSlug(tags.postname) }),
  })
  return row !== null && hasDate(row.post, tags) ? row : null
}

/** Whether the date of a row has the year, month and day in the path. */
function hasDate({ post_date }: PostRow, tags: Partial<Record<string, string>>): boolean {
  const [year, month, day] = post_date.slice(0, 10).split('-').map(Number)
  const matches = (tag: string, number: number | undefined): boolean =>
    tags[tag] === undefined || Number(tags[tag]) === number
  return matches('year', year) && matches('monthnum', month) && matches('day', day)
}

async function rowOfPage(path: string, context: LookupContext): Promise<PostWithMeta | null> {
  const page = context.types.get('page')
  const { isPretty, root } = context.site.permalinkStructure
  if (page === null || !isPretty || !path.startsWith(root)) return null
  return rowBelow(segmentsOf(path.slice(root.length)), page, context)
}

/** Maximum number of records with one slug below one parent that are looked at: drafts do not reserve their slugs. */
const maxNamesakes = 10

/**
 * Finds a record by the slugs of its ancestors and its own, when its type is hierarchical; otherwise by its slug. An ancestor
 * may have any status: the link of a published page has the slugs of its drafts. Published ancestors come first, so that no
 * draft takes the address of a page below them.
 */
async function rowBelow(
  segments: readonly string[],
  type: RecordType,
  context: LookupContext,
): Promise<PostWithMeta | null> {
  if (segments.length === 0 || (!type.hierarchical && segments.length > 1)) return null
  const types = [type.name]
  const record = { types, statuses: addressableStatuses, slug: storedSlug(segments.at(-1) ?? '') }
  if (!type.hierarchical) return firstRow(context, record)
  const ancestors = segments.slice(0, -1).map((segment) => ({ types, slug: storedSlug(segment) }))
  const addressable = await firstBelow(
    ancestors.map((ancestor) => ({ ...ancestor, statuses: addressableStatuses })),
    record,
    context,
  )
  return addressable ?? (ancestors.length === 0 ? null : firstBelow(ancestors, record, context))
}

type RecordQuery = Omit<PostQuery, 'order' | 'limit' | 'offset'>

/** The first record below these ancestors. Of each level, ten of one slug are looked at. */
async function firstBelow(
  ancestors: readonly RecordQuery[],
  record: RecordQuery,
  context: LookupContext,
): Promise<PostWithMeta | null> {
  let parents: readonly number[] = [0]
  for (const ancestor of ancestors) {
    const children: number[] = []
    for (const parent of parents) children.push(...(await namesakes({ ...ancestor, parent }, context)))
    parents = children.slice(0, maxNamesakes)
  }
  for (const parent of parents) {
    const row = await firstRow(context, { ...record, parent })
    if (row !== null) return row
  }
  return null
}

async function namesakes(query: RecordQuery, { storage }: LookupContext): Promise<readonly number[]> {
  const page = { order: [{ by: 'id', direction: 'asc' }], limit: maxNamesakes, offset: 0 } as const
  const { rows } = await storage.posts.list({ ...query, ...page }, { columns: ['ID'], metaKeys: [] })
  return rows.map(({ post }) => post.ID)
}

async function firstRow({ storage }: LookupContext, query: RecordQuery): Promise<PostWithMeta | null> {
  const {
    rows: [row],
  } = await storage.posts.list({ ...query, order: [{ by: 'id', direction: 'asc' }], limit: 1, offset: 0 })
  return row ?? null
}
