import { timeZone, type TimeZone } from './time-zone.js'

/** What an unset date is stored as. */
export const zeroDate = '0000-00-00 00:00:00'

/** What decides about the dates of one write. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly zone: TimeZone
}

/** What a date of four-digit years can say; a time zone must not carry one beyond it. */
const earliest = Date.UTC(1000, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59)

/** `YYYY-MM-DD HH:MM:SS` of milliseconds since 1970, as UTC. */
export function dateText(milliseconds: number): string {
  const within = Math.min(Math.max(milliseconds, earliest), latest)
  return new Date(within).toISOString().slice(0, 19).replace('T', ' ')
}

/** The wall clock of the site. */
export function localNow({ now, zone }: Clock): string {
  return dateText(zone.toLocal(now))
}

export function utcNow({ now }: Clock): string {
  return dateText(now)
}

const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.\d+)?)?(?<zone>Z|(?<hours>[+-]\d\d)(?::?(?<minutes>\d\d))?)?)?\s*$/

export interface ReadDate {
  /** As it is stored, `YYYY-MM-DD HH:MM:SS`: what the text says, whatever zone it names. */
  readonly stored: string
  /** The zone behind its time, `Z` or `+02:00`; `null` when it names none. */
  readonly zone: TimeZone | null
}

/**
 * The date that a text says: a day alone is its midnight, single digits are allowed.
 * @returns `null` for a day or time that does not exist, and for anything else.
 */
export function readDate(text: string): ReadDate | null {
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
    stored: `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')} ${time}`,
    zone: zone === undefined ? null : timeZone(`${hours}:${minutes}`),
  }
}

/** Whether a date was left open: nothing, or the stored zero date. */
export function isUnset(date: string | null | undefined): boolean {
  return date === undefined || date === null || date === '' || date === zeroDate
}

/** The wall clock of the site at a stored UTC date. */
export function localFromUtc(date: string, zone: TimeZone): string {
  return dateText(zone.toLocal(millisecondsOf(date)))
}

export function utcFromLocal(date: string, zone: TimeZone): string {
  return dateText(zone.toUtc(millisecondsOf(date)))
}

/** Of a stored date, read as UTC. */
export function millisecondsOf(date: string): number {
  return Date.parse(`${date.replace(' ', 'T')}Z`)
}

const withoutPublicDate = new Set(['draft', 'pending', 'auto-draft'])

/** Whether records of this status have no date of publication yet: their UTC date stays zero (docs/wire.md#dates). */
export function isUndated(status: string): boolean {
  return withoutPublicDate.has(status)
}

const leadTime = 60_000

/**
 * A record that is published a minute or more ahead of time is scheduled, and a scheduled one whose time has come is
 * published. Rules: docs/wire.md#dates.
 */
export function statusAt(status: string, dateGmt: string, now: number): string {
  if (status !== 'publish' && status !== 'future') return status
  if (dateGmt === zeroDate) return 'publish'
  const second = Math.floor(now / 1000) * 1000
  return millisecondsOf(dateGmt) - second >= leadTime ? 'future' : 'publish'
}
