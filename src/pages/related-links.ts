import { authorLink, type ArchiveLinks } from '../content/archive-links.js'
import { hasTaxonomy, listedTypes } from '../content/archive.js'
import type { StoredRecord } from '../content/record.js'
import type { TermRow } from '../database/storage.js'
import type { PageContent } from './page-dependencies.js'

/** A link to an archive. */
export interface NamedLink {
  /** HTML: stored names contain character references. Escape tags only. */
  readonly name: string
  readonly link: string
}

export interface TermLink extends NamedLink {
  readonly taxonomy: string
}

/** The archives that a record is listed in. */
export interface Related {
  /** Null for a record without an author, and for one that the page of its author does not list. */
  readonly authorLink: NamedLink | null
  readonly terms: readonly TermLink[]
}

/** The related archives of the records of one page. Authors and terms that several records share are read once. */
export class RelatedLinks {
  readonly #content: PageContent
  readonly #archives: ArchiveLinks
  readonly #authors = new Map<number, Promise<NamedLink | null>>()
  readonly #termLinks = new Map<number, Promise<string>>()

  constructor(content: PageContent, archives: ArchiveLinks) {
    this.#content = content
    this.#archives = archives
  }

  /** @param taxonomies default: all public ones. */
  async of(
    { id, type, status, author }: Pick<StoredRecord, 'id' | 'type' | 'status' | 'author'>,
    taxonomies?: readonly string[],
  ): Promise<Related> {
    const { types } = this.#content
    const isListed = status === 'publish' && listedTypes(types).includes(type)
    if (!isListed) return { authorLink: null, terms: [] }
    return {
      authorLink: author > 0 ? await this.#authorOf(author) : null,
      terms: await this.#termsOf(id, type, taxonomies),
    }
  }

  /** The records with the links that cards show: author and categories. */
  withLinks<R extends StoredRecord>(records: readonly R[]): Promise<readonly (R & Related)[]> {
    return Promise.all(records.map(async (record) => ({ ...record, ...(await this.of(record, ['category'])) })))
  }

  #authorOf(id: number): Promise<NamedLink | null> {
    const { storage, site } = this.#content
    const known = this.#authors.get(id)
    if (known) return known
    const link = storage.users
      .find({ id })
      .then((user) => user && { name: user.display_name || user.user_nicename, link: authorLink(user, site) })
    this.#authors.set(id, link)
    return link
  }

  async #termsOf(id: number, type: string, taxonomies?: readonly string[]): Promise<readonly TermLink[]> {
    const { storage, types } = this.#content
    const names = this.#archives.taxonomies.flatMap(({ name }) =>
      hasTaxonomy(types, type, name) && (taxonomies?.includes(name) ?? true) ? [name] : [],
    )
    const terms = await Promise.all(names.map((name) => storage.posts.termsOf(id, name)))
    return Promise.all(
      terms.flat().map(async (term) => ({ taxonomy: term.taxonomy, name: term.name, link: await this.#linkOf(term) })),
    )
  }

  #linkOf(term: TermRow): Promise<string> {
    const link = this.#termLinks.get(term.term_taxonomy_id) ?? this.#archives.ofTerm(term)
    this.#termLinks.set(term.term_taxonomy_id, link)
    return link
  }
}
