import { callerCan } from '../permission/meta-capabilities.js'
import type { Caller } from '../permission/caller.js'
import { storedLookup, type CapabilityLookup } from '../permission/capability-lookup.js'
import { requiredForPost } from '../permission/post-capabilities.js'
import type { Site } from '../site/site.js'
import type { PostRow, Storage } from '../storage/storage.js'
import { structureOf, type PermalinkStructure } from './permalink-structure.js'
import type { RecordType } from './record-type.js'
import type { RecordTypes } from './record-types.js'

/** Deeper families of pages than any site has; a loop in the data ends here. */
const deepest = 100

/**
 * The addresses of records (WIRE 11.9), as one caller sees them: a private record has a pretty permalink for those who
 * may read it only. Nothing is asked of the database unless a link contains more than the row itself has: parents,
 * categories, authors.
 */
export class Permalinks {
  readonly #structure: PermalinkStructure
  readonly #lookup: CapabilityLookup

  constructor(
    private readonly storage: Storage,
    private readonly types: RecordTypes,
    private readonly site: Site,
    private readonly caller: Caller,
  ) {
    this.#structure = structureOf(site)
    this.#lookup = storedLookup(storage, types)
  }

  async linkOf(row: PostRow): Promise<string> {
    const type = this.types.get(row.post_type)
    if (type === null || !(await this.#isViewable(row))) return this.#plainLink(row)
    if (row.post_type === 'post') return this.#postLink(row)
    if (row.post_type === 'page') return this.#pageLink(row)
    return this.#linkOfType(row, type)
  }

  async #isViewable(row: PostRow): Promise<boolean> {
    if (row.post_status === 'publish') return true
    if (row.post_status !== 'private') return false
    const required = await requiredForPost('read_post', this.caller, row, this.#lookup)
    return required.every((capability) => callerCan(this.caller, capability))
  }

  /** By id: what works whatever the record's status. */
  #plainLink(row: PostRow): string {
    return `${this.site.home}/${plainQuery(row, this.types.get(row.post_type) !== null)}`
  }

  async #postLink(row: PostRow): Promise<string> {
    if (!this.#structure.isPretty) return this.#plainLink(row)
    const [date = '', time = ''] = row.post_date.split(' ')
    const [year = '', monthnum = '', day = ''] = date.split('-')
    const [hour = '', minute = '', second = ''] = time.split(':')
    const moment = { year, monthnum, day, hour, minute, second }
    const author = this.#structure.uses('author') ? await this.#nicenameOf(row.post_author) : ''
    const category = this.#structure.uses('category') ? await this.#categoryPath(row.ID) : ''
    const values = { ...moment, author, category, post_id: String(row.ID), postname: row.post_name }
    return this.site.home + this.#structure.pathWith(values)
  }

  async #pageLink(row: PostRow): Promise<string> {
    if (row.ID === this.site.frontPage) return `${this.site.home}/`
    if (!this.#structure.isPretty) return this.#plainLink(row)
    return `${this.site.home}/${await this.#pathOf(row)}${this.#structure.end}`
  }

  async #linkOfType(row: PostRow, type: RecordType): Promise<string> {
    if (type.name === 'attachment' || type.name === 'revision') return this.#plainLink(row)
    const path = type.hierarchical ? await this.#pathOf(row) : row.post_name
    if (path === '') return this.#plainLink(row)
    if (this.#structure.isPretty && type.permalink !== null) {
      const front = type.with_front ? this.#structure.front : '/'
      return `${this.site.home}${front}${type.permalink}/${path}${this.#structure.end}`
    }
    return type.public ? `${this.site.home}/?${type.name}=${path}` : this.#plainLink(row)
  }

  /** The slugs of a record's ancestors and its own: `about/team`. */
  async #pathOf(row: PostRow): Promise<string> {
    const slugs = [row.post_name]
    for (let parent = row.post_parent; parent > 0 && slugs.length < deepest;) {
      const ancestor: PostRow | null = await this.storage.posts.find(parent)
      if (ancestor === null || ancestor.ID === row.ID) break
      if (ancestor.post_name !== '') slugs.unshift(ancestor.post_name)
      parent = ancestor.post_parent
    }
    return slugs.join('/')
  }

  async #nicenameOf(author: number): Promise<string> {
    return (await this.storage.users.find({ id: author }))?.user_nicename ?? ''
  }

  /** Of the category with the lowest id, or of the default one when the post has none. */
  async #categoryPath(id: number): Promise<string> {
    const terms = await this.storage.posts.termsOf(id, 'category')
    const [first] = terms.toSorted((left, right) => left.term_id - right.term_id)
    const fallback = { id: this.site.defaultCategory }
    let term = first ?? (await this.storage.terms.find('category', fallback))
    const slugs: string[] = []
    while (term !== null && slugs.length < deepest) {
      slugs.unshift(term.slug)
      term = term.parent > 0 ? await this.storage.terms.find('category', { id: term.parent }) : null
    }
    return slugs.join('/') || 'uncategorized'
  }
}

const pageQueries: Readonly<Record<string, string>> = {
  page: 'page_id',
  attachment: 'attachment_id',
  post: 'p',
  revision: 'p',
}

/** A type that nobody registered cannot be named in a link. */
function plainQuery({ ID, post_type: type }: PostRow, isRegistered: boolean): string {
  const ownVariable = Object.hasOwn(pageQueries, type) ? pageQueries[type] : undefined
  if (ownVariable !== undefined || !isRegistered) return `?${ownVariable ?? 'p'}=${ID}`
  return `?post_type=${type}&p=${ID}`
}
