import { callerCan } from '../auth/meta-capabilities.js'
import type { Caller } from '../http/caller.js'
import { storedLookup } from '../auth/capability-lookup.js'
import { requiredForPost } from '../auth/post-capabilities.js'
import { toBoolean } from '../php/cast.js'
import type { Site } from './site.js'
import type { PostColumn, PostRow, Storage } from '../database/storage.js'
import { isBuiltIn } from './built-in-types.js'
import type { PermalinkStructure, PermalinkTag } from './permalink-structure.js'
import type { RecordType } from './record-type.js'
import type { RecordTypes } from './record-types.js'
import { RelatedReads } from './related-reads.js'

/** Maximum number of ancestors in a path. It ends the walk when damaged data has a cycle of parents. */
const maxDepth = 100

/** The columns that a link may depend on, besides the id. */
export const linkedColumns = [
  'post_author',
  'post_date',
  'post_name',
  'post_parent',
  'post_status',
  'post_type',
] as const satisfies readonly PostColumn[]

/** The columns that the link of a published record of a flat type depends on, see {@link isFlat}. */
export const flatLinkColumns = ['post_name', 'post_status', 'post_type'] as const

/** Whether the links of a type's published records depend only on the slug, not on parents, dates or authors. */
export const isFlat = ({ name, hierarchical }: RecordType): boolean => !hierarchical && !isBuiltIn(name)

/** The properties of a site that its links depend on. They may change while the service runs. */
export interface LinkBasis {
  readonly home: string
  readonly frontPage: number
  /** The text of the permalink structure. */
  readonly structure: string
}

export function linkBasis(site: Site): LinkBasis {
  return { home: site.home, frontPage: site.frontPage, structure: site.permalinkStructure.text }
}

/** Whether links that were computed from `basis` are still correct for the site. */
export function isBasisOf(site: Site, { home, frontPage, structure }: LinkBasis): boolean {
  return home === site.home && frontPage === site.frontPage && structure === site.permalinkStructure.text
}

/** In WordPress, menu items have the links of posts, as do all types of its own except pages. */
const isMenuItem = ({ post_type, post_status }: LinkedRow): boolean =>
  post_type === 'nav_menu_item' && post_status === 'publish'

export type LinkedRow = Pick<PostRow, 'ID' | (typeof linkedColumns)[number]>

/**
 * The permalinks of records for one caller. A private record has a pretty permalink only for a caller who may read it. The
 * database is queried only for links that contain more than the columns of the row: parents, categories, authors.
 * Rules: docs/wire.md#permalinks.
 */
export class Permalinks {
  readonly #structure: PermalinkStructure
  #relatedReads: RelatedReads | null = null

  constructor(
    private readonly storage: Storage,
    private readonly types: RecordTypes,
    private readonly site: Site,
    private readonly caller: Caller,
  ) {
    this.#structure = site.permalinkStructure
  }

  /** Created when it is needed: the links of most records need no query. */
  get #related(): RelatedReads {
    return (this.#relatedReads ??= new RelatedReads(this.storage))
  }

  /**
   * The link of a record. It is a promise when the link needs a query or the record is private; otherwise it is a string
   * and the same for every caller.
   */
  linkOf(row: LinkedRow): string | Promise<string> {
    const type = this.types.get(row.post_type)
    if (type === null) return isMenuItem(row) ? this.#postLink(row) : this.#plainLink(row)
    if (row.ID === this.site.frontPage && row.post_type === 'page') return `${this.site.home}/`
    if (row.post_status === 'publish') return this.#prettyLink(row, type)
    return row.post_status === 'private' ? this.#linkOfPrivate(row, type) : this.#plainLink(row)
  }

  /** The link of a row before it is inserted; `null` when the link depends on the id or on related rows. */
  linkWithoutId(row: Omit<LinkedRow, 'ID'>): string | null {
    const type = this.types.get(row.post_type)
    if (type === null || row.post_status !== 'publish' || row.post_name === '') return null
    if (type.name === 'post') return this.#postLinkWithoutId(row)
    return isBuiltIn(type.name) || type.hierarchical ? null : this.#linkByPath(type, row.post_name)
  }

  #postLinkWithoutId(row: Omit<LinkedRow, 'ID'>): string | null {
    const { isPretty } = this.#structure
    const uses = (tag: PermalinkTag): boolean => this.#structure.uses(tag)
    if (!isPretty || uses('post_id') || uses('author') || uses('category')) return null
    return this.site.home + this.#structure.pathWith((tag) => columnValues[tag]({ ...row, ID: 0 }))
  }

  async #linkOfPrivate(row: LinkedRow, type: RecordType): Promise<string> {
    const required = await requiredForPost('read_post', this.caller, row, storedLookup(this.storage, this.types))
    const isReadable = required.every((capability) => callerCan(this.caller, capability))
    return isReadable ? this.#prettyLink(row, type) : this.#plainLink(row)
  }

  #prettyLink(row: LinkedRow, type: RecordType): string | Promise<string> {
    if (row.post_type === 'post') return this.#postLink(row)
    if (row.post_type === 'page') return this.#pageLink(row)
    return this.#linkOfType(row, type)
  }

  /** The link with the id, which works for every status. */
  #plainLink(row: LinkedRow): string {
    return `${this.site.home}/${plainQuery(row, this.types.get(row.post_type) !== null)}`
  }

  #postLink(row: LinkedRow): string | Promise<string> {
    const structure = this.#structure
    if (!structure.isPretty) return this.#plainLink(row)
    if (structure.uses('author') || structure.uses('category')) return this.#relatedPostLink(row)
    return this.site.home + structure.pathWith((tag) => columnValues[tag](row))
  }

  async #relatedPostLink(row: LinkedRow): Promise<string> {
    const author = this.#structure.uses('author') ? await this.#nicenameOf(row.post_author) : ''
    const category = this.#structure.uses('category') ? await this.#categoryPath(row.ID) : ''
    const valueOf = (tag: PermalinkTag): string =>
      tag === 'author' ? author : tag === 'category' ? category : columnValues[tag](row)
    return this.site.home + this.#structure.pathWith(valueOf)
  }

  async #pageLink(row: LinkedRow): Promise<string> {
    if (!this.#structure.isPretty) return this.#plainLink(row)
    return this.site.home + this.#structure.root + (await this.#pathOf(row)) + this.#structure.end
  }

  #linkOfType(row: LinkedRow, type: RecordType): string | Promise<string> {
    if (isBuiltIn(type.name)) return this.#plainLink(row)
    if (!type.hierarchical) return this.#linkByPath(type, row.post_name) ?? this.#plainLink(row)
    return this.#pathOf(row).then((path) => this.#linkByPath(type, path) ?? this.#plainLink(row))
  }

  /** `null` when the record has only a link with its id. */
  #linkByPath(type: RecordType, path: string): string | null {
    if (path === '') return null
    if (this.#structure.isPretty && type.permalink !== null) {
      const front = type.with_front ? this.#structure.front : this.#structure.root
      return `${this.site.home}${front}${type.permalink}/${path}${this.#structure.end}`
    }
    return `${this.site.home}/?${type.name}=${path}`
  }

  /** The slugs of the record's ancestors and of the record: `about/team`. */
  async #pathOf(row: LinkedRow): Promise<string> {
    const slugs = [row.post_name]
    for (let parent = row.post_parent; parent > 0 && slugs.length < maxDepth;) {
      const ancestor = await this.#related.posts.get(parent)
      if (ancestor === undefined || ancestor.ID === row.ID) break
      // WordPress treats the slug `0` as empty.
      if (toBoolean(ancestor.post_name)) slugs.unshift(ancestor.post_name)
      parent = ancestor.post_parent
    }
    return slugs.join('/')
  }

  async #nicenameOf(author: number): Promise<string> {
    return (await this.#related.users.get(author))?.user_nicename ?? ''
  }

  /** The path of the post's category with the lowest id, or of the default category when the post has none. */
  async #categoryPath(id: number): Promise<string> {
    const categories = this.#related.terms('category')
    const [first] = ((await this.#related.categoriesOf.get(id)) ?? []).toSorted(
      (left, right) => left.term_id - right.term_id,
    )
    let term = first ?? (await categories.get(this.site.defaultCategory))
    const slugs: string[] = []
    while (term !== undefined && slugs.length < maxDepth) {
      slugs.unshift(term.slug)
      term = term.parent > 0 ? await categories.get(term.parent) : undefined
    }
    return slugs.join('/') || 'uncategorized'
  }
}

/** The values of the tags that depend on the columns of the row only. Dates are `YYYY-MM-DD HH:MM:SS`. */
const columnValues: Readonly<Record<PermalinkTag, (row: LinkedRow) => string>> = {
  year: ({ post_date: date }) => date.slice(0, 4),
  monthnum: ({ post_date: date }) => date.slice(5, 7),
  day: ({ post_date: date }) => date.slice(8, 10),
  hour: ({ post_date: date }) => date.slice(11, 13),
  minute: ({ post_date: date }) => date.slice(14, 16),
  second: ({ post_date: date }) => date.slice(17, 19),
  post_id: ({ ID }) => String(ID),
  postname: ({ post_name: name }) => name,
  author: () => '',
  category: () => '',
}

/** The query parameter with the id, by built-in type. */
const idParameters: Readonly<Record<string, string>> = {
  page: 'page_id',
  attachment: 'attachment_id',
  post: 'p',
  revision: 'p',
}

/** The query of a plain permalink. The name of a type appears in it only when the type is registered. */
function plainQuery({ ID, post_type: type }: LinkedRow, isRegistered: boolean): string {
  const parameter = Object.hasOwn(idParameters, type) ? idParameters[type] : undefined
  if (parameter !== undefined || !isRegistered) return `?${parameter ?? 'p'}=${ID}`
  return `?post_type=${type}&p=${ID}`
}
