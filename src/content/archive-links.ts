import type { Storage } from '../database/storage.js'
import type { TermRow } from '../database/term-rows.js'
import { applicationTypes, type Archive } from './archive.js'
import type { RecordType } from './record-type.js'
import type { RecordTypes } from './record-types.js'
import { RelatedReads } from './related-reads.js'
import type { Site } from './site.js'
import { publicTaxonomies, type Taxonomy } from './taxonomies.js'

/** Maximum number of terms in a path. It ends the walk when damaged data has a cycle of parents. */
const maxDepth = 100

/** The address of the list of a user's records. @param author with the slug of the user. */
export function authorLink({ ID, user_nicename }: { ID: number; user_nicename: string }, site: Site): string {
  const { isPretty, front, end } = site.permalinkStructure
  return isPretty ? `${site.home}${front}author/${user_nicename}${end}` : `${site.home}/?author=${ID}`
}

/** The addresses of archives, for one request: each parent term is read once. Rules: docs/wire.md#archives. */
export class ArchiveLinks {
  readonly taxonomies: readonly Taxonomy[]
  /** Reads parent terms. */
  readonly #related: RelatedReads

  constructor(
    storage: Storage,
    private readonly types: RecordTypes,
    private readonly site: Site,
  ) {
    this.#related = new RelatedReads(storage)
    this.taxonomies = publicTaxonomies(types, site)
  }

  /** The address of the first page. */
  of(archive: Archive): string | Promise<string> {
    switch (archive.kind) {
      case 'front':
        return `${this.site.home}/`
      case 'posts':
        return archive.link
      case 'type':
        return this.ofType(archive.type)
      case 'term':
        return this.ofTerm(archive.term)
      case 'author':
        return authorLink(archive.user, this.site)
      case 'search':
        return `${this.site.home}/?s=${encodeURIComponent(archive.search.toWellFormed())}`
    }
  }

  ofType({ name, permalink, with_front }: RecordType): string {
    const { isPretty, front, root, end } = this.site.permalinkStructure
    if (!isPretty || permalink === null) return `${this.site.home}/?post_type=${name}`
    return `${this.site.home}${with_front ? front : root}${permalink}${end}`
  }

  /** The addresses of the archives of the application's own types, by type. */
  byType(): ReadonlyMap<string, string> {
    return new Map(applicationTypes(this.types).map((type) => [type.name, this.ofType(type)]))
  }

  /** Adds terms that were read, so that the paths of terms below them need no query. */
  addTerms(terms: readonly TermRow[]): void {
    for (const term of terms) this.#related.terms(term.taxonomy).set(term.term_id, term)
  }

  async ofTerm(term: TermRow): Promise<string> {
    const { isPretty, end } = this.site.permalinkStructure
    const taxonomy = this.taxonomies.find(({ name }) => name === term.taxonomy)
    if (isPretty && taxonomy) {
      const path = taxonomy.isNested ? await this.#pathOf(term) : term.slug
      return `${this.site.home}${taxonomy.base}${path}${end}`
    }
    if (term.taxonomy === 'category') return `${this.site.home}/?cat=${term.term_id}`
    return `${this.site.home}/?${term.taxonomy === 'post_tag' ? 'tag' : term.taxonomy}=${term.slug}`
  }

  /** @param link of the first page. @param number of the page, from 1. */
  page(link: string, number: number): string {
    if (number === 1) return link
    const { isPretty, root, end } = this.site.permalinkStructure
    const [address = '', query] = link.split('?', 2)
    const isPlain = !isPretty || (query !== undefined && !query.startsWith('s='))
    if (isPlain) return `${address}?${query === undefined ? '' : `${query}&`}paged=${number}`
    const base = address === `${this.site.home}/` ? `${this.site.home}${root}` : address.replace(/\/*$/, '/')
    return `${base}page/${number}${end}${query === undefined ? '' : `?${query}`}`
  }

  /** The slugs of the terms above a term and its own: `garden/tools`. */
  async #pathOf(term: TermRow): Promise<string> {
    this.addTerms([term])
    const slugs = [term.slug]
    let above = term.parent
    while (above > 0 && slugs.length < maxDepth) {
      const parent = await this.#related.terms(term.taxonomy).get(above)
      if (parent === undefined) break
      slugs.unshift(parent.slug)
      above = parent.parent
    }
    return slugs.join('/')
  }
}
