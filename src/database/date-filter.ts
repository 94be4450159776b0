import type { FilterGroup } from './filter-group.js'

/** A condition on the dates of a post: one comparison, or a group of conditions. */
export type DateFilter = DateComparison | FilterGroup<DateFilter>

/** A comparison of a date column, or of a part of it. */
export interface DateComparison {
  /** `date` and `modified` are in the time zone of the site, the others in UTC. */
  readonly column: 'date' | 'date_gmt' | 'modified' | 'modified_gmt'
  /** Null for the whole date. */
  readonly part: DatePart | null
  readonly compare: '=' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'between' | 'not between'
  /** In the format of the column, `YYYY-MM-DD HH:MM:SS`, or of that part of it. */
  readonly values: readonly string[]
}

export type DatePart =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'hour to minute'
  | 'hour to second'
  | 'minute to second'
