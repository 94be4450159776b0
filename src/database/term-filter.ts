import type { FilterGroup } from './filter-group.js'

/** Which terms a post must have: one comparison, or several of which all or any hold. */
export type TermFilter = TermComparison | FilterGroup<TermFilter>

/** `in`: the post has one of the terms. `exists`: it has any term of the taxonomy. */
export interface TermComparison {
  readonly taxonomy: string
  readonly compare: 'in' | 'not in' | 'exists' | 'not exists'
  /** The property that names the terms. Slugs and names are compared by the collation of the tables. */
  readonly by: 'id' | 'slug' | 'name'
  /** Unknown terms are those of no post. None for `exists`. */
  readonly values: readonly (string | number)[]
  /** Whether terms below them count. */
  readonly includesChildren: boolean
}
