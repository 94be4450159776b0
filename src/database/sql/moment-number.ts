import type { MomentKind } from '../moment.js'

/** Expressions of the parts of a moment, each a number. */
export interface MomentParts {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string
  readonly minute: string
  readonly second: string
  /** A condition: a date stands before the time. */
  readonly hasDate: string
}

/** The number of `numberOfMoment`, but 0 for the time of a `date`; NULL for a date or time that does not exist. */
export function momentNumber(kind: MomentKind, parts: MomentParts): string {
  const { year, month, day, hour, minute, second, hasDate } = parts
  const isLeap = `${year} % 4 = 0 AND (${year} % 100 <> 0 OR ${year} % 400 = 0 AND ${year} <> 0)`
  const days = `CASE WHEN ${month} = 2 THEN CASE WHEN ${isLeap} THEN 29 ELSE 28 END WHEN ${month} IN (4, 6, 9, 11) THEN 30 ELSE 31 END`
  const isDate = `${month} <= 12 AND ${day} <= ${days}`
  const isTime = `${minute} <= 59 AND ${second} <= 59`
  const ofDay = `${hour} * 10000 + ${minute} * 100 + ${second}`
  const isMoment = kind === 'time' ? `(NOT (${hasDate}) OR ${isDate} AND ${hour} <= 23)` : `${isDate} AND ${hour} <= 23`
  const date = `CAST(${year} * 10000 + ${month} * 100 + ${day} AS bigint) * 1000000`
  const number = { time: ofDay, date, datetime: `${date} + ${ofDay}` }[kind]
  return `CASE WHEN ${isMoment} AND ${isTime} THEN ${number} END`
}
