import type { FilterGroup } from '../filter-group.js'
import type { SqlFragment } from './sql-connection.js'

/** The SQL condition of a group of filters. @param conditionOf the condition of one filter. */
export function groupCondition<Filter>(
  { relation, filters }: FilterGroup<Filter>,
  conditionOf: (filter: Filter) => SqlFragment,
): SqlFragment {
  if (filters.length === 0) return { text: relation === 'or' ? '1 = 0' : '1 = 1', values: [] }
  const parts = filters.map(conditionOf)
  return {
    text: `(${parts.map(({ text }) => text).join(relation === 'or' ? ' OR ' : ' AND ')})`,
    values: parts.flatMap(({ values }) => values),
  }
}
