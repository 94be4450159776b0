import { suggestion } from '../base/nearest.js'
import { requireBoolean, requireString, typeOfValue } from '../base/value-type.js'
import { filterOfClauses, type ClauseQuery } from './query-clauses.js'
import type { DateComparison, DateFilter, DatePart } from '../database/date-filter.js'

/** A clause of WordPress's `date_query`. All that it names must hold. */
export interface DateClause extends DateParts<number | readonly number[]> {
  /** The date that is compared. Those without `_gmt` are in the time zone of the site. Default `post_date`. */
  readonly column?: DateColumn
  /**
   * Later than this: `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, `YYYY-MM-DD HH:MM`, with seconds, or the parts of a date. A year, month or
   * day is a whole one: `2025` means later than its last second, and with `inclusive`, its first second or later.
   */
  readonly after?: string | PartialDate
  /** Earlier than this: before its first second, and with `inclusive`, its last second or earlier. */
  readonly before?: string | PartialDate
  /** Whether `after` and `before` include the time that they name. Default false. */
  readonly inclusive?: boolean
  /**
   * How `year`, `month`, `day`, `hour`, `minute` and `second` are compared, each by itself; hour, minute and second that follow
   * each other are one time of the day. Default `=`, or `IN` for a list.
   */
  readonly compare?: DateCompare
}

/** The year has four digits; months and days count from 1. */
interface DateParts<Value> {
  readonly year?: Value
  readonly month?: Value
  readonly day?: Value
  readonly hour?: Value
  readonly minute?: Value
  readonly second?: Value
}

/** A date of which the last parts may be left out: `{ year: 2025, month: 7 }`. */
export interface PartialDate extends DateParts<number> {
  readonly year: number
}

export type DateColumn = 'post_date' | 'post_date_gmt' | 'post_modified' | 'post_modified_gmt'
export type DateCompare = '=' | '!=' | '<' | '<=' | '>' | '>=' | 'IN' | 'NOT IN' | 'BETWEEN' | 'NOT BETWEEN'

/** WordPress's `date_query`: a clause, a list whose clauses all hold, or clauses with a relation, by default `AND`. */
export type DateQuery = ClauseQuery<DateClause>

/** Maximum number of values of one part of a date. */
const maxValues = 100

/**
 * The filter of WordPress's `date_query`.
 * @throws TypeError for a value of a wrong type.
 * @throws RangeError for a date or a part that does not exist, an unknown name, too many clauses, or clauses that are nested
 * too deep.
 */
export function dateQueryFilter(query: DateQuery): DateFilter {
  return filterOfClauses<DateClause, DateFilter>(query, 'date_query', clauseFilter)
}

const columns: Readonly<Record<DateColumn, DateComparison['column']>> = {
  post_date: 'date',
  post_date_gmt: 'date_gmt',
  post_modified: 'modified',
  post_modified_gmt: 'modified_gmt',
}

const operators: readonly string[] = [
  '=',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  'IN',
  'NOT IN',
  'BETWEEN',
  'NOT BETWEEN',
] satisfies DateCompare[]

type Part = keyof DateParts<number>

/** In the order in which a date has them, with their least and largest values. */
const ranges: Readonly<Record<Part, readonly [min: number, max: number]>> = {
  year: [0, 9999],
  month: [1, 12],
  day: [1, 31],
  hour: [0, 23],
  minute: [0, 59],
  second: [0, 59],
}
const parts = Object.keys(ranges) as readonly Part[]
const fields: readonly string[] = ['column', 'after', 'before', 'inclusive', 'compare', ...parts]

function clauseFilter(clause: DateClause): DateFilter {
  for (const field of Object.keys(clause))
    if (!fields.includes(field))
      throw new RangeError(`A clause of 'date_query' has '${field}'.${suggestion(field, fields)}`)
  const { column: name = 'post_date', after, before, inclusive = false } = clause
  requireString(name, "'column' of a clause of 'date_query'")
  requireBoolean(inclusive, "'inclusive' of a clause of 'date_query'")
  if (!Object.hasOwn(columns, name))
    throw new RangeError(
      `'column' of a clause of 'date_query' is '${String(name)}'.${suggestion(String(name), Object.keys(columns))}`,
    )
  const column = columns[name]
  const bound = (
    compare: '<' | '>',
    value: string | PartialDate,
    end: 'first' | 'last',
    field: string,
  ): DateFilter => ({
    column,
    part: null,
    compare: inclusive ? `${compare}=` : compare,
    values: [dateOf(partialDateOf(value, field), end, field)],
  })
  const filters = [
    ...(after == null ? [] : [bound('>', after, inclusive ? 'first' : 'last', 'after')]),
    ...(before == null ? [] : [bound('<', before, inclusive ? 'last' : 'first', 'before')]),
    ...partFilters(clause, column),
  ]
  const [first, ...others] = filters
  return first !== undefined && others.length === 0 ? first : { relation: 'and', filters }
}

function partFilters(clause: DateClause, column: DateComparison['column']): readonly DateFilter[] {
  const namedParts = parts.filter((part) => clause[part] != null)
  if (namedParts.length === 0) return []
  const isList = namedParts.some((part) => Array.isArray(clause[part]))
  const name = clause.compare === undefined ? (isList ? 'IN' : '=') : String(clause.compare).toUpperCase()
  if (!operators.includes(name))
    throw new RangeError(`'compare' of a clause of 'date_query' is '${clause.compare}'.${suggestion(name, operators)}`)
  const compare = name.toLowerCase() as DateComparison['compare']
  const takesList = /in$|between$/.test(compare)
  const texts = new Map(namedParts.map((part) => [part, valuesOf(part, clause[part], compare)]))
  const filterOf = (part: DatePart, values: readonly string[]): DateFilter => ({ column, part, compare, values })
  const single = (part: Part): DateFilter => filterOf(part, texts.get(part) ?? [])
  const leading = compare === '=' || compare === 'in' ? leadingDate(clause) : null
  // An index of the dates finds a range of them, but not their parts.
  const range = leading === null ? [] : [rangeOf(leading, column)]
  const others = namedParts.filter((part) => leading === null || !(part in leading))
  if (takesList) return [...range, ...others.map(single)]
  const time = timeOf(namedParts, texts)
  return [
    ...range,
    ...others.filter((part) => !isTime(part)).map(single),
    ...(time === null ? [] : [filterOf(time.part, [time.text])]),
  ]
}

/** @throws TypeError for a value that is not an integer. @throws RangeError for a value out of range, or a wrong number of them. */
function valuesOf(part: Part, value: unknown, compare: DateComparison['compare']): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isSet = compare === 'in' || compare === 'not in'
  const count = compare.endsWith('between') ? 2 : 1
  if (!isSet && list.length !== count)
    throw new RangeError(`'${part}' of a clause of 'date_query' must have ${count === 2 ? 'two values' : 'one value'}.`)
  if (list.length > maxValues)
    throw new RangeError(`'${part}' of a clause of 'date_query' has more than ${maxValues} values.`)
  return list.map((each) => textOf(part, each))
}

function textOf(part: Part, value: unknown): string {
  if (typeof value !== 'number' || !Number.isInteger(value))
    throw new TypeError(`'${part}' of 'date_query' must be an integer; it is ${typeOfValue(value)}.`)
  const [min, max] = ranges[part]
  if (value < min || value > max)
    throw new RangeError(`'${part}' of 'date_query' is ${value}; it must be from ${min} to ${max}.`)
  return String(value).padStart(part === 'year' ? 4 : 2, '0')
}

const times: readonly Part[] = ['hour', 'minute', 'second']
const isTime = (part: Part): boolean => times.includes(part)

/** The parts of the time of the day as one. @throws RangeError for an hour and a second without the minute between them. */
function timeOf(
  namedParts: readonly Part[],
  texts: ReadonlyMap<Part, readonly string[]>,
): { readonly part: DatePart; readonly text: string } | null {
  const [first, second, third] = namedParts.filter(isTime)
  if (first === undefined) return null
  const text = [first, second, third].flatMap((part) => (part === undefined ? [] : (texts.get(part) ?? []))).join(':')
  if (second === undefined) return { part: first, text }
  if (first === 'hour' && second === 'second')
    throw new RangeError(`A clause of 'date_query' has 'hour' and 'second' without 'minute'.`)
  if (third !== undefined) return { part: 'hour to second', text }
  return { part: first === 'hour' ? 'hour to minute' : 'minute to second', text }
}

/** The year of a clause with the month and the day that follow it; null without a year. */
function leadingDate({ year, month, day }: DateClause): PartialDate | null {
  if (typeof year !== 'number') return null
  if (typeof month !== 'number') return { year }
  return typeof day === 'number' ? { year, month, day } : { year, month }
}

/** The range of a whole year, month or day. No date matches a day that does not exist, such as the 31st of February. */
function rangeOf(date: PartialDate, column: DateComparison['column']): DateFilter {
  const { year, month = 1, day } = date
  if (day !== undefined && day > lastDayOf(year, month)) return { column, part: null, compare: 'in', values: [] }
  const values = [dateOf(date, 'first', 'year'), dateOf(date, 'last', 'year')]
  return { column, part: null, compare: 'between', values }
}

const dateForm = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?)?)?$/

/** @throws RangeError for a text in another form. Words such as `last week` are not understood. */
function partialDateOf(value: string | PartialDate, field: string): PartialDate {
  if (typeof value === 'object' && value !== null) {
    const missing = parts.findIndex((part) => value[part] === undefined)
    const laterPart = missing === -1 ? undefined : parts.slice(missing).find((part) => value[part] !== undefined)
    if (laterPart !== undefined)
      throw new RangeError(`'${field}' of a clause of 'date_query' has '${laterPart}' without '${parts[missing]}'.`)
    return value
  }
  requireString(value, `'${field}' of a clause of 'date_query'`)
  const match = dateForm.exec(value)
  if (match === null)
    throw new RangeError(
      `'${value.slice(0, 40)}' in '${field}' of a clause of 'date_query' is not a date: YYYY, YYYY-MM, YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.`,
    )
  const numbers = match.slice(1).map((text) => (text === undefined ? undefined : Number(text)))
  return Object.fromEntries(
    parts.flatMap((part, index) => (numbers[index] === undefined ? [] : [[part, numbers[index]]])),
  ) as unknown as PartialDate
}

/** The first or the last second of a date. @throws RangeError for a date that does not exist. */
function dateOf(date: PartialDate, end: 'first' | 'last', field: string): string {
  const { year, month = end === 'first' ? 1 : 12 } = date
  const values: Required<DateParts<number>> = {
    year,
    month,
    day: date.day ?? (end === 'first' ? 1 : lastDayOf(year, month)),
    hour: date.hour ?? (end === 'first' ? 0 : 23),
    minute: date.minute ?? (end === 'first' ? 0 : 59),
    second: date.second ?? (end === 'first' ? 0 : 59),
  }
  const [years, months, days, hours, minutes, seconds] = parts.map((part) => textOf(part, values[part]))
  if (values.day > lastDayOf(year, month))
    throw new RangeError(`'${field}' of a clause of 'date_query' is ${years}-${months}-${days}, which is not a date.`)
  return `${years}-${months}-${days} ${hours}:${minutes}:${seconds}`
}

function lastDayOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
