import { timeZone, type TimeZone } from './time-zone.js'

/** The stored value of an unset date. */
export const zeroDate = '0000-00-00 00:00:00'

/** The time and the time zone that the dates of one write depend on. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly zone: TimeZone
}

/** The bounds of stored dates. The offset of a time zone could otherwise move a date beyond them. */
const earliest = Date.parse('0001-01-01T00:00:00Z')
const latest = Date.UTC(9999, 11, 31, 23, 59, 59)

/** The last second that was formatted: a write formats the current one up to four times. */
let lastFormatted = { second: Number.NaN, text: '' }

/** `YYYY-MM-DD HH:MM:SS` in UTC. @param milliseconds since 1970. Dates outside the years 1 to 9999 are clamped. */
export function dateText(milliseconds: number): string {
  const second = Math.floor(Math.min(Math.max(milliseconds, earliest), latest) / 1000)
  if (lastFormatted.second !== second)
    lastFormatted = { second, text: new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ') }
  return lastFormatted.text
}

/** The current local time of the site. */
export function localNow({ now, zone }: Clock): string {
  return dateText(zone.toLocal(now))
}

export function utcNow({ now }: Clock): string {
  return dateText(now)
}

const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?(?<zone>Z|(?<hours>[+-]\d\d)(?::?(?<minutes>\d\d))?)?)?\s*$/

export interface ParsedDate {
  /** `YYYY-MM-DD HH:MM:SS`: the date and time in the text, without its zone. */
  readonly dateTime: string
  /** The zone after the time, `Z` or `+02:00`; `null` when the text has none. */
  readonly zone: TimeZone | null
}

/**
 * Parses a date. A date without a time is midnight. Single digits are allowed.
 * @returns `null` when the text is not a date, or the day or time does not exist.
 */
export function parseDate(text: string): ParsedDate | null {
  const match = pattern.exec(text)
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null
  const time = [hour, minute, second].map((part) => part.padStart(2, '0')).join(':')
  const { zone, hours = '+00', minutes = '00' } = match?.groups ?? {}
  return {
    dateTime: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time}`,
    zone: zone === undefined ? null : timeZone(`${hours}:${minutes}`),
  }
}

/** Whether a date is missing: undefined, null, empty, or the stored zero date. */
export function isUnset(date: string | null | undefined): boolean {
  return date === undefined || date === null || date === '' || date === zeroDate
}

/** The local time of the site at a stored UTC date. */
export function localFromUtc(date: string, zone: TimeZone): string {
  return dateText(zone.toLocal(millisecondsOf(date)))
}

export function utcFromLocal(date: string, zone: TimeZone): string {
  return dateText(zone.toUtc(millisecondsOf(date)))
}

/** The milliseconds since 1970 of a stored date in UTC. */
export function millisecondsOf(date: string): number {
  return Date.parse(`${date.replace(' ', 'T')}Z`)
}

const undatedStatuses = new Set(['draft', 'pending', 'auto-draft'])

/** Whether records of this status have no date of publication. WordPress stores the zero date as their UTC date. */
export function isUndated(status: string): boolean {
  return undatedStatuses.has(status)
}

/** Milliseconds from which on a date that is ahead makes a record scheduled. */
const minScheduleDelay = 60_000

/**
 * The status of a record at a time. `publish` becomes `future` when the date is a minute or more ahead. `future` becomes
 * `publish` when the date is less than a minute ahead. WordPress has the same limit.
 * Rules: docs/wire.md#dates.
 * @param now milliseconds since 1970.
 */
export function statusAt(status: string, dateGmt: string, now: number): string {
  if (status !== 'publish' && status !== 'future') return status
  if (dateGmt === zeroDate) return 'publish'
  const fullSecond = Math.floor(now / 1000) * 1000
  return millisecondsOf(dateGmt) - fullSecond >= minScheduleDelay ? 'future' : 'publish'
}
