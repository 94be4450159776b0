import type { FilterGroup } from './filter-group.js'

/** A condition on the terms of a post: one comparison, or a group of conditions. */
export type TermFilter = TermComparison | FilterGroup<TermFilter>

/** `in`: the post has one of the terms. `exists`: it has any term of the taxonomy. */
export interface TermComparison {
  readonly taxonomy: string
  readonly compare: 'in' | 'not in' | 'exists' | 'not exists'
  /** The property that names the terms. Slugs and names are compared by the collation of the tables. */
  readonly by: 'id' | 'slug' | 'name'
  /** Unknown terms match no post. Empty for `exists` and `not exists`. */
  readonly values: readonly (string | number)[]
  /** Whether terms below them count. */
  readonly includesChildren: boolean
}
