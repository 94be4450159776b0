import { groupsOfMoment, momentPatterns, type MomentKind } from '../moment.js'
import { momentNumber } from '../sql/moment-number.js'

/** The expression of `SqlDialect.asMoment`. The subquery lets the server match the pattern once for each value. */
export function momentOf(expression: string, kind: MomentKind): string {
  const part = (groups: readonly number[]): string =>
    `coalesce(${groups.map((group) => `nullif(match.parts[${group}], '')`).join(', ')}, '0')::int`
  const { year, month, day, hour, minute, second } = groupsOfMoment[kind]
  const number = momentNumber(kind, {
    year: part(year),
    month: part(month),
    day: part(day),
    hour: part(hour),
    minute: part(minute),
    second: part(second),
    hasDate: 'match.parts[1] IS NOT NULL',
  })
  return `(SELECT CASE WHEN match.parts IS NOT NULL THEN (${number})::numeric END
    FROM regexp_match(${expression}, '${momentPatterns[kind]}') AS match (parts))`
}
