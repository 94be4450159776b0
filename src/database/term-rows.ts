import type { MetaRows } from './storage.js'

/** A term joined with its taxonomy. */
export interface TermRow {
  readonly term_id: number
  readonly term_taxonomy_id: number
  readonly name: string
  readonly slug: string
  readonly taxonomy: string
  readonly description: string
  readonly parent: number
  readonly count: number
}

interface TermName {
  readonly name: string
  /** Only below this one. Left out: anywhere. */
  readonly parent?: number
}

/** The property by which a term of a taxonomy is found. */
export type TermKey = { readonly id: number } | { readonly slug: string } | TermName

export interface TermRows {
  /** Of several matching terms, the one with the smallest id. A slug is compared without case and accents, a name letter for letter. */
  find(taxonomy: string, key: TermKey): Promise<TermRow | null>
  /** Unknown ids are left out. */
  findMany(taxonomy: string, ids: readonly number[]): Promise<readonly TermRow[]>
  /** By name. */
  list(taxonomy: string): Promise<readonly TermRow[]>
  /** @param term with `term_id` for an import that keeps its ids. When the slug is null, the id becomes the slug. @returns the id. */
  insert(term: {
    readonly term_id?: number
    readonly name: string
    readonly slug: string | null
    readonly taxonomy: string
    readonly description?: string
    readonly parent?: number
  }): Promise<number>
  delete(taxonomy: string, id: number): Promise<boolean>
  readonly meta: MetaRows
  /** The first of these slugs that no term of the taxonomy has; null when all are taken. Reads in one statement. */
  firstFreeSlug(taxonomy: string, slugs: readonly string[]): Promise<string | null>
}
