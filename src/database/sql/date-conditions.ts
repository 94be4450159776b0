import type { DateComparison, DateFilter, DatePart } from '../date-filter.js'
import { groupCondition } from './group-condition.js'
import { placeholders } from './row-values.js'
import type { SqlFragment } from './sql-connection.js'

/** The condition of a filter over `posts p`. */
export function dateCondition(filter: DateFilter): SqlFragment {
  if ('column' in filter) return comparison(filter)
  return groupCondition(filter, dateCondition)
}

/** The position and length of each part in a date `YYYY-MM-DD HH:MM:SS`. Positions begin at 1. */
const places: Readonly<Record<DatePart, readonly [start: number, length: number]>> = {
  year: [1, 4],
  month: [6, 2],
  day: [9, 2],
  hour: [12, 2],
  minute: [15, 2],
  second: [18, 2],
  'hour to minute': [12, 5],
  'hour to second': [12, 8],
  'minute to second': [15, 5],
}

function comparison({ column, part, compare, values }: DateComparison): SqlFragment {
  const whole = `p.post_${column}`
  // Texts of one length compare as the numbers in them.
  const compared = part === null ? whole : `substr(${whole}, ${places[part].join(', ')})`
  if (compare === 'in' || compare === 'not in') {
    if (values.length === 0) return { text: compare === 'in' ? '1 = 0' : '1 = 1', values }
    return { text: `${compared} ${compare.toUpperCase()} (${placeholders(values.length)})`, values }
  }
  if (compare === 'between' || compare === 'not between')
    return { text: `${compared} ${compare.toUpperCase()} ? AND ?`, values }
  return { text: `${compared} ${compare} ?`, values }
}
