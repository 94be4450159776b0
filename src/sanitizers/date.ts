import { toText } from '../php/cast.js'

// A line feed at the end passes, as it does in WordPress.
const dateTime = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2})(?::(\d{2}))?)?\n?$/
// WordPress looks less closely at a zone that is not to count.
const anyZone = /[+-](?:\d{2,}|\d+:\d+)(?=\n?$)/

/**
 * `rest_parse_date`: the seconds since 1970 of `YYYY-MM-DDTHH:MM:SS` with an optional fraction and zone, UTC without one;
 * null for anything else. Days that a month does not have, hour 24, second 60 and month 0 run over into their neighbour.
 * @param ignoresZone reads the time as UTC whatever zone it names.
 * Rules: docs/wire.md#formats.
 */
export function parseDate(value: unknown, ignoresZone = false): number | null {
  const text = toText(value)
  const [, ...parts] = dateTime.exec(ignoresZone ? text.replace(anyZone, '+00:00') : text) ?? []
  if (parts.length === 0) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number)
  const [zoneHours, zoneMinutes] = parts.slice(7).map((part) => Number(part ?? 0)) as [number, number]
  if (month > 12 || day > 31 || hour > 24 || minute > 59 || second > 60) return null
  // A zone without minutes may be any number of hours away.
  if (parts[8] !== undefined && (zoneHours > 24 || zoneMinutes > 59)) return null
  const date = new Date(0)
  // Not Date.UTC, which takes the years 0 to 99 for the twentieth century.
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const offset = (zoneHours * 60 + zoneMinutes) * 60 * (parts[6] === '-' ? -1 : 1)
  return date.getTime() / 1000 - offset
}
