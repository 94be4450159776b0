/** How a text is compared as a date or time: as MariaDB's `CAST(… AS DATE)`, `DATETIME` and `TIME` read it. */
export type MomentKind = 'date' | 'datetime' | 'time'

const date = '([0-9]{4})[-/.]([0-9]{1,2})[-/.]([0-9]{1,2})'
const compact = '([0-9]{4})([0-9]{2})([0-9]{2})(([0-9]{2})([0-9]{2})([0-9]{2}))?'
const time = '([0-9]{1,2}):([0-9]{1,2})(:([0-9]{1,2})([.][0-9]*)?(Z|[-+][0-9]{2}:?[0-9]{2})?)?'

/**
 * The texts that are read as a date or time. JavaScript, PostgreSQL, MariaDB and MySQL understand the patterns alike. The groups
 * are those of `groupsOfMoment`.
 */
export const momentPatterns: Readonly<Record<MomentKind, string>> = {
  date: `^ *(${date}([T ]${time})?|${compact}) *$`,
  datetime: `^ *(${date}([T ]${time})?|${compact}) *$`,
  time: `^ *(${date}[T ])?${time} *$`,
}

/** The numbers of the groups that may hold a part. A part that no group holds is 0. */
export const groupsOfMoment: Readonly<Record<MomentKind, Readonly<Record<Part, readonly number[]>>>> = {
  date: { year: [2, 12], month: [3, 13], day: [4, 14], hour: [6, 16], minute: [7, 17], second: [9, 18] },
  datetime: { year: [2, 12], month: [3, 13], day: [4, 14], hour: [6, 16], minute: [7, 17], second: [9, 18] },
  time: { year: [2], month: [3], day: [4], hour: [5], minute: [6], second: [8] },
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'

const patterns = { date: null, datetime: null, time: null } as Record<MomentKind, RegExp | null>

/**
 * A text that others are compared with, as the number whose digits are `YYYYMMDDHHMMSS` or `HHMMSS`; null for one that is no
 * date or time. As in MariaDB, the time of the text counts also for the kind `date`: a stored date, whose time is 0, is before
 * `2026-01-05 10:00:00` of the same day.
 */
export function numberOfMoment(text: string, kind: MomentKind): number | null {
  const match = (patterns[kind] ??= new RegExp(momentPatterns[kind])).exec(text)
  if (match === null) return null
  const groups = groupsOfMoment[kind]
  const part = (name: Part): number => Number(groups[name].map((group) => match[group]).find(Boolean) ?? 0)
  const [year, month, day] = [part('year'), part('month'), part('day')]
  const [hour, minute, second] = [part('hour'), part('minute'), part('second')]
  if (month > 12 || day > daysOf(year, month) || minute > 59 || second > 59) return null
  const ofDay = hour * 10_000 + minute * 100 + second
  if (kind === 'time') return match[1] !== undefined && hour > 23 ? null : ofDay
  return hour > 23 ? null : (year * 10_000 + month * 100 + day) * 1_000_000 + ofDay
}

/** 31 for the month 0, which MySQL stores where a date is known in part. */
function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || (year % 400 === 0 && year !== 0)) ? 29 : 28
}
