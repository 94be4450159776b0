import { toText } from '../php/cast.js'

// WordPress accepts a line feed at the end.
const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?\n?$/
// A zone to be ignored may have any number of digits in WordPress.
const anyZone = /[+-](?:\d{2,}|\d+:\d+)(?=\n?$)/

/**
 * `rest_parse_date`: parses `YYYY-MM-DDTHH:MM:SS` with an optional fraction and zone. The zone defaults to UTC.
 * A day past the end of its month, hour 24, second 60 and month 0 carry over to the adjacent day, minute or month.
 * @param ignoresZone reads the time as UTC, whatever zone the text names.
 * @returns seconds since 1970; null when the value is not such a date.
 */
export function parseDate(value: unknown, ignoresZone = false): number | null {
  const text = toText(value)
  const [, ...parts] = dateTime.exec(ignoresZone ? text.replace(anyZone, '+00:00') : text) ?? []
  if (parts.length === 0) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number)
  const [zoneHours, zoneMinutes] = parts.slice(7).map((part) => Number(part ?? 0)) as [number, number]
  if (month > 12 || day > 31 || hour > 24 || minute > 59 || second > 60) return null
  // WordPress limits the hours of a zone only when the zone has minutes.
  if (parts[8] !== undefined && (zoneHours > 24 || zoneMinutes > 59)) return null
  const date = new Date(0)
  // `Date.UTC` would read the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const offset = (zoneHours * 60 + zoneMinutes) * 60 * (parts[6] === '-' ? -1 : 1)
  return date.getTime() / 1000 - offset
}
