import { authorLink, type ArchiveLinks } from '../content/archive-links.js'
import { hasTaxonomy, listedTypes } from '../content/archive.js'
import type { StoredRecord } from '../content/record.js'
import { RelatedReads } from '../content/related-reads.js'
import type { TermRow } from '../database/term-rows.js'
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

/** Links from the records of one page to the archives that list them. Each user and each term is read once for all records. */
export class RelatedLinks {
  readonly #content: PageContent
  readonly #archives: ArchiveLinks
  readonly #related: RelatedReads
  readonly #termLinks = new Map<number, Promise<string>>()

  constructor(content: PageContent, archives: ArchiveLinks) {
    this.#content = content
    this.#archives = archives
    this.#related = new RelatedReads(content.storage)
  }

  /** The links of one record: its author, and its terms in every public taxonomy of its type. */
  async of(record: Pick<StoredRecord, 'id' | 'type' | 'status' | 'author'>): Promise<Related> {
    return this.#relatedOf(
      record,
      await this.#termsOf([record], (name) => hasTaxonomy(this.#content.types, record.type, name)),
    )
  }

  /** The records of a list with the links that their cards show: author and categories. */
  async withLinks<R extends StoredRecord>(records: readonly R[]): Promise<readonly (R & Related)[]> {
    const terms = await this.#termsOf(records, (name) => name === 'category')
    return Promise.all(records.map(async (record) => ({ ...record, ...(await this.#relatedOf(record, terms)) })))
  }

  /** Whether archives list the record. The links of others would lead to pages without them. */
  #isListed({ type, status }: Pick<StoredRecord, 'type' | 'status'>): boolean {
    return status === 'publish' && listedTypes(this.#content.types).includes(type)
  }

  async #relatedOf(
    record: Pick<StoredRecord, 'id' | 'type' | 'status' | 'author'>,
    termsOfRecords: ReadonlyMap<number, readonly TermRow[]>,
  ): Promise<Related> {
    if (!this.#isListed(record)) return { authorLink: null, terms: [] }
    const { types } = this.#content
    const terms = (termsOfRecords.get(record.id) ?? []).filter(({ taxonomy }) =>
      hasTaxonomy(types, record.type, taxonomy),
    )
    const links = terms.map(async (term) => ({
      taxonomy: term.taxonomy,
      name: term.name,
      link: await this.#linkOf(term),
    }))
    return { authorLink: await this.#authorOf(record.author), terms: await Promise.all(links) }
  }

  async #authorOf(id: number): Promise<NamedLink | null> {
    const user = id > 0 ? await this.#related.users.get(id) : undefined
    if (user === undefined) return null
    return { name: user.display_name || user.user_nicename, link: authorLink(user, this.#content.site) }
  }

  /** The terms of listed records in public taxonomies, in the order of the taxonomies, then by name. */
  async #termsOf(
    records: readonly Pick<StoredRecord, 'id' | 'type' | 'status'>[],
    isWanted: (taxonomy: string) => boolean,
  ): Promise<ReadonlyMap<number, readonly TermRow[]>> {
    const names = this.#archives.taxonomies.map(({ name }) => name).filter(isWanted)
    const ids = records.filter((record) => this.#isListed(record)).map(({ id }) => id)
    const terms = await this.#content.storage.posts.termsOf(ids, names)
    const position = (term: TermRow): number => names.indexOf(term.taxonomy)
    return new Map(
      [...terms].map(([id, list]) => [id, list.toSorted((left, right) => position(left) - position(right))]),
    )
  }

  #linkOf(term: TermRow): Promise<string> {
    const link = this.#termLinks.get(term.term_taxonomy_id) ?? this.#archives.ofTerm(term)
    this.#termLinks.set(term.term_taxonomy_id, link)
    return link
  }
}
