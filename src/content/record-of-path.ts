import { sanitizeTitle } from '../sanitizers/title.js'
import type { Site } from './site.js'
import type { PostQuery, PostRow, PostWithMeta, Storage } from '../database/storage.js'
import { isBuiltIn } from './built-in-types.js'
import { segmentsOf, structureOf } from './permalink-structure.js'
import type { RecordType } from './record-type.js'
import type { RecordTypes } from './record-types.js'

/** Longer addresses than any permalink are nobody's, and cost nothing. */
const maxPathLength = 2048

/** Statuses a record may have at an address made of its slug; who may read a private one is not decided here. */
const addressable = ['publish', 'private', 'inherit']

interface Question {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly site: Site
}

/**
 * The record that a permalink leads to, the reverse of `Permalinks`; `null` when there is none. It may be private or,
 * asked for by its id, not published at all: whether the caller may read it is to be asked (`read_post`).
 * @param path from the root of the site, percent-encoded or not: `/product/lamp/`.
 * @param query of the address: plain links name the record in it.
 */
export async function rowOfPath(
  path: string,
  query: URLSearchParams,
  question: Question,
): Promise<PostWithMeta | null> {
  if (path.length > maxPathLength) return null
  if (segmentsOf(path).length === 0) return rowOfQuery(query, question)
  return (await rowOfType(path, question)) ?? (await rowOfPost(path, question)) ?? rowOfPage(path, question)
}

async function rowOfQuery(query: URLSearchParams, question: Question): Promise<PostWithMeta | null> {
  const named = query.get('post_type')
  const open = question.types.all().flatMap(({ name, public: isPublic }) => (isPublic ? [name] : []))
  for (const [name, types] of [
    ['page_id', ['page']],
    ['attachment_id', ['attachment']],
    ['p', named === null ? open : open.filter((type) => type === named)],
  ] as const) {
    const id = query.get(name)
    if (id !== null && /^\d{1,15}$/.test(id) && types.length > 0) return first(question, { types, ids: [Number(id)] })
  }
  for (const type of question.types.all()) {
    const path = type.public && !isBuiltIn(type.name) ? query.get(type.name) : null
    if (path) return rowBelow(segmentsOf(path), type, question)
  }
  return null
}

async function rowOfType(path: string, question: Question): Promise<PostWithMeta | null> {
  const { front, root } = structureOf(question.site)
  for (const type of question.types.all()) {
    if (type.permalink === null || !type.public || question.site.permalinkStructure === '') continue
    const base = `${type.with_front ? front : root}${type.permalink}/`
    if (path.startsWith(base)) return rowBelow(segmentsOf(path.slice(base.length)), type, question)
  }
  return null
}

async function rowOfPost(path: string, question: Question): Promise<PostWithMeta | null> {
  const tags = structureOf(question.site).match(path)
  if (tags === null || (tags.post_id === undefined && tags.postname === undefined)) return null
  const found = await first(question, {
    types: ['post'],
    statuses: addressable,
    ...(tags.post_id === undefined ? {} : { ids: [Number(tags.post_id)] }),
    ...(tags.postname === undefined ? {} : { slug: storedSlug(tags.postname) }),
  })
  return found !== null && isOfDate(found.post, tags) ? found : null
}

function isOfDate({ post_date }: PostRow, tags: Partial<Record<string, string>>): boolean {
  const [year, month, day] = post_date.slice(0, 10).split('-').map(Number)
  const agrees = (tag: string, number: number | undefined): boolean =>
    tags[tag] === undefined || Number(tags[tag]) === number
  return agrees('year', year) && agrees('monthnum', month) && agrees('day', day)
}

async function rowOfPage(path: string, question: Question): Promise<PostWithMeta | null> {
  const page = question.types.get('page')
  const { isPretty, root } = structureOf(question.site)
  if (page === null || !isPretty || !path.startsWith(root)) return null
  return rowBelow(segmentsOf(path.slice(root.length)), page, question)
}

/** Follows slugs downwards: each below the one before it, where the type has parents. */
async function rowBelow(
  segments: readonly string[],
  type: RecordType,
  question: Question,
): Promise<PostWithMeta | null> {
  if (segments.length === 0 || (!type.hierarchical && segments.length > 1)) return null
  let found: PostWithMeta | null = null
  for (const segment of segments) {
    const parent: Pick<PostQuery, 'parent'> = type.hierarchical ? { parent: found?.post.ID ?? 0 } : {}
    const query = { types: [type.name], statuses: addressable, slug: storedSlug(segment), ...parent }
    found = await first(question, query)
    if (found === null) return null
  }
  return found
}

async function first(
  { storage }: Question,
  query: Omit<PostQuery, 'order' | 'limit' | 'offset'>,
): Promise<PostWithMeta | null> {
  const {
    rows: [row],
  } = await storage.posts.list({ ...query, order: [{ by: 'id', direction: 'asc' }], limit: 1, offset: 0 })
  return row ?? null
}

/** A segment of a path as slugs are stored: lower case, other scripts percent-encoded. */
function storedSlug(segment: string): string {
  return sanitizeTitle(segment, 'save')
}
