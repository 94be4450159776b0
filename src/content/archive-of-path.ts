import type { Storage } from '../database/storage.js'
import { anonymous } from '../http/caller.js'
import { decodePercent } from '../http/percent.js'
import { applicationTypes, type Archive } from './archive.js'
import { pathOfAddress } from './path-of-address.js'
import { segmentsOf } from './permalink-structure.js'
import { Permalinks } from './permalinks.js'
import type { RecordTypes } from './record-types.js'
import type { Site } from './site.js'
import { storedSlug } from './slug.js'
import type { Taxonomy } from './taxonomies.js'

export interface ArchiveLookup {
  readonly storage: Storage
  readonly types: RecordTypes
  readonly site: Site
  /** The taxonomies with pages. */
  readonly taxonomies: readonly Taxonomy[]
}

/** A page of an archive. */
export interface ArchivePage {
  readonly archive: Archive
  /** From 1. The archive may have fewer pages. */
  readonly number: number
}

/** No address of an archive is longer, so a longer path needs no query. */
const maxPathLength = 2048
/** Maximum length of a search in bytes, as in WordPress. A longer one counts as empty. */
const maxSearchLength = 1600

/**
 * The archive at an address, the reverse of `ArchiveLinks`; null when there is none. Records take precedence: look for
 * one at the address first.
 * @param path relative to the address of the site, percent-encoded or not: `/category/garden/page/2/`.
 * @param query of the address. Plain addresses name the archive in it.
 */
export async function archiveOfPath(
  path: string,
  query: URLSearchParams,
  lookup: ArchiveLookup,
): Promise<ArchivePage | null> {
  if (path.length > maxPathLength) return null
  const [base, number] = withoutPageNumber(path, query, lookup.site)
  const isRoot = segmentsOf(base).length === 0 || base === lookup.site.permalinkStructure.root
  const archive = isRoot ? await archiveOfQuery(query, lookup) : await archiveBelow(base, lookup)
  return archive && { archive, number }
}

/** The names of the query parameters that name an archive or its page. */
export function archiveParameters(taxonomies: readonly Taxonomy[]): readonly string[] {
  const names = taxonomies.map(({ name }) => name)
  return ['s', 'page_id', 'author', 'author_name', 'cat', 'category_name', 'tag', 'post_type', 'paged', ...names]
}

/** The path without `/page/2`, and the number of the page: that of the path, else the parameter `paged`, else 1. */
function withoutPageNumber(path: string, query: URLSearchParams, site: Site): readonly [base: string, number: number] {
  const [suffix = '', inPath] = (site.permalinkStructure.isPretty && /\/page\/(\d{1,9})\/*$/.exec(path)) || []
  const text = inPath ?? query.get('paged') ?? ''
  const number = /^\d{1,9}$/.test(text) ? Math.max(1, Number(text)) : 1
  return [suffix === '' ? path : `${path.slice(0, -suffix.length)}/`, number]
}

async function archiveOfQuery(query: URLSearchParams, lookup: ArchiveLookup): Promise<Archive | null> {
  const { storage, types } = lookup
  const search = query.get('s')
  if (search !== null) return { kind: 'search', search: Buffer.byteLength(search) > maxSearchLength ? '' : search }
  if (query.has('page_id')) {
    const posts = Number(query.get('page_id')) === lookup.site.pageForPosts ? await postsPage(lookup) : null
    if (posts !== null) return posts
  }
  const author = query.get('author')
  if (author) return /^\d{1,15}$/.test(author) ? authorArchive({ id: Number(author) }, lookup) : null
  const nicename = query.get('author_name')
  if (nicename) return authorArchive({ nicename: storedSlug(nicename) }, lookup)
  const category = query.get('cat')
  if (category) {
    const term = /^\d{1,15}$/.test(category) ? await storage.terms.find('category', { id: Number(category) }) : null
    return term && { kind: 'term', term }
  }
  for (const [parameter, taxonomy] of termParameters(lookup)) {
    const slug = segmentsOf(query.get(parameter) ?? '').at(-1)
    if (slug !== undefined) return termArchive(taxonomy, slug, lookup)
  }
  const type = applicationTypes(types).find(({ name }) => name === query.get('post_type'))
  return type ? { kind: 'type', type } : { kind: 'front' }
}

function termParameters({ taxonomies }: ArchiveLookup): readonly (readonly [parameter: string, taxonomy: string])[] {
  return [['category_name', 'category'], ['tag', 'post_tag'], ...taxonomies.map(({ name }) => [name, name] as const)]
}

async function archiveBelow(path: string, lookup: ArchiveLookup): Promise<Archive | null> {
  const { types, site, taxonomies } = lookup
  const { isPretty, front, root } = site.permalinkStructure
  if (!isPretty) return null
  const slashed = path.endsWith('/') ? path : `${path}/`
  for (const type of types.all())
    if (type.public && type.permalink !== null && slashed === `${type.with_front ? front : root}${type.permalink}/`)
      return { kind: 'type', type }
  for (const { name, base, isNested } of taxonomies) {
    const segments = slashed.startsWith(base) ? segmentsOf(slashed.slice(base.length)) : []
    const slug = segments.at(-1)
    if (slug !== undefined && (isNested || segments.length === 1)) return termArchive(name, slug, lookup)
  }
  const [nicename, ...rest] = slashed.startsWith(`${front}author/`)
    ? segmentsOf(slashed.slice(`${front}author/`.length))
    : []
  if (nicename !== undefined && rest.length === 0) return authorArchive({ nicename: storedSlug(nicename) }, lookup)
  return postsPageAt(slashed, lookup)
}

async function postsPageAt(path: string, lookup: ArchiveLookup): Promise<Archive | null> {
  const posts = await postsPage(lookup)
  if (posts === null) return null
  const ownPath = new URL(posts.link).pathname.slice(pathOfAddress(lookup.site.home).length)
  return decodePercent(ownPath).replace(/\/*$/, '/') === decodePercent(path) ? posts : null
}

/** The page of posts; null unless the front page is another page. */
async function postsPage({ storage, types, site }: ArchiveLookup): Promise<(Archive & { kind: 'posts' }) | null> {
  if (!hasPostsPage(site)) return null
  const row = await storage.posts.find(site.pageForPosts)
  if (row?.post_type !== 'page' || row.post_status !== 'publish') return null
  return { kind: 'posts', link: await new Permalinks(storage, types, site, anonymous).linkOf(row) }
}

/** Whether a page of its own lists the posts, because another page is the front page. */
export function hasPostsPage({ showOnFront, pageForPosts }: Site): boolean {
  return showOnFront === 'page' && pageForPosts > 0
}

async function termArchive(taxonomy: string, slug: string, { storage }: ArchiveLookup): Promise<Archive | null> {
  const stored = storedSlug(slug)
  const term = stored === '' ? null : await storage.terms.find(taxonomy, { slug: stored })
  return term && { kind: 'term', term }
}

async function authorArchive(
  key: { readonly id: number } | { readonly nicename: string },
  { storage }: ArchiveLookup,
): Promise<Archive | null> {
  const isEmpty = 'nicename' in key && key.nicename === ''
  const user = isEmpty ? null : await storage.users.find(key)
  return user && { kind: 'author', user }
}
