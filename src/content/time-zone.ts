/** A time zone. All times are milliseconds since 1970; a local time is written as if the local clock showed UTC. */
export interface TimeZone {
  /** The local time at a UTC time. */
  toLocal(utc: number): number
  /** The UTC time at a local time. A local time that occurs twice is the earlier one, as in PHP. */
  toUtc(local: number): number
}

/** Milliseconds. */
const minute = 60_000

/**
 * @param name a name of the IANA database (`Europe/Berlin`), `UTC`, or an offset: `+02:00`. `''` is UTC.
 * @throws RangeError for a zone that does not exist.
 */
export function timeZone(name: string): TimeZone {
  if (name === 'UTC' || name === '') return fixedZone(0)
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):(\d{2})$/.exec(name) ?? []
  if (hours === undefined) return namedZone(name)
  if (Number(hours) > 14 || Number(minutes) > 59) throw new RangeError(`${name} is not an offset of a time zone.`)
  return fixedZone((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute)
}

/** Whether {@link timeZone} accepts a name. */
export function isTimeZone(name: string): boolean {
  try {
    timeZone(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/**
 * The time zone of a site. An unknown name is replaced by the offset, and an invalid offset by UTC: a wrong option must not
 * stop the service from starting.
 */
export function storedTimeZone(timezoneString: string, gmtOffset: string): TimeZone {
  const names = [timeZoneName(timezoneString, gmtOffset), timeZoneName('', gmtOffset)]
  return timeZone(names.find(isTimeZone) ?? 'UTC')
}

/** The name for {@link timeZone} of WordPress's two options. The offset, in hours, is used when the name is empty. */
export function timeZoneName(timezoneString: string, gmtOffset: string): string {
  if (timezoneString !== '') return timezoneString
  const minutes = Math.round((Number.parseFloat(gmtOffset) || 0) * 60)
  if (minutes === 0) return 'UTC'
  const twoDigits = (number: number): string => String(number).padStart(2, '0')
  const hoursText = twoDigits(Math.trunc(Math.abs(minutes) / 60))
  return `${minutes < 0 ? '-' : '+'}${hoursText}:${twoDigits(Math.abs(minutes) % 60)}`
}

/** @param offset milliseconds. */
function fixedZone(offset: number): TimeZone {
  return { toLocal: (utc) => utc + offset, toUtc: (local) => local - offset }
}

function namedZone(name: string): TimeZone {
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone: name,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const toLocal = (utc: number): number => {
    const texts: Record<string, string> = {}
    for (const { type, value } of format.formatToParts(utc)) texts[type] = value
    const number = (type: string): number => Number(texts[type] ?? 0)
    const local = new Date(0)
    local.setUTCFullYear(number('year'), number('month') - 1, number('day'))
    local.setUTCHours(number('hour'), number('minute'), number('second'))
    return local.getTime() + (((utc % 1000) + 1000) % 1000)
  }
  const offsetAt = (utc: number): number => toLocal(utc) - utc
  return {
    toLocal,
    toUtc(local) {
      // The offset of the day before is the one in force before a clock change. It gives the earlier of two possible
      // times, and it moves a skipped local time forward, as in PHP.
      const utcByOffsetBefore = local - offsetAt(local - 24 * 60 * minute)
      if (toLocal(utcByOffsetBefore) === local) return utcByOffsetBefore
      const utcByOffsetAfter = local - offsetAt(local + 24 * 60 * minute)
      return toLocal(utcByOffsetAfter) === local ? utcByOffsetAfter : utcByOffsetBefore
    },
  }
}
