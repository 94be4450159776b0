import type { FilterGroup } from './filter-group.js'
import type { MomentKind } from './moment.js'

/** A condition on the metadata of a post: one comparison, or a group of conditions. */
export type MetaFilter = MetaComparison | FilterGroup<MetaFilter>

/** Holds for a post that has a row of exactly this key whose value fulfils the comparison. SQL NULL fulfils none. */
export interface MetaComparison {
  readonly key: string
  readonly compare: MetaOperator
  /**
   * As a number, a value counts as the number that it begins with, else 0. Texts are compared letter for letter, in the order of
   * code points; with `text without case` without regard to the case of letters. On the tables of a WordPress site, the latter is
   * by the collation of the column. Dates and times are the numbers of `numberOfMoment`; a value that is none fulfils no comparison.
   */
  readonly as: 'number' | 'text' | 'text without case' | MomentKind
  /** One value; two for `between`, which includes both; any number for `in`; none for `exists`. */
  readonly values: readonly (string | number)[]
}

/** `not exists` holds for a post without a row of the key; every other operator needs a row. */
export type MetaOperator =
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | 'in'
  | 'not in'
  | 'between'
  | 'not between'
  | 'contains'
  | 'not contains'
  | 'exists'
  | 'not exists'
