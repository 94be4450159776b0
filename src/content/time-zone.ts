/** The wall clock of a site. Local times are milliseconds as if the wall clock showed UTC. */
export interface TimeZone {
  /** The wall clock at this moment. @param moment milliseconds since 1970. */
  toLocal(moment: number): number
  /** The moment at which the wall clock shows this: the earlier one when it shows it twice, as in PHP. */
  toUtc(local: number): number
}

const minute = 60_000

/**
 * @param name of the IANA data base (`Europe/Berlin`), `UTC`, or an offset: `+02:00`.
 * @throws RangeError for a zone that does not exist.
 */
export function timeZone(name: string): TimeZone {
  if (name === 'UTC' || name === '') return fixed(0)
  const [, sign, hours, minutes] = /^([+-])(\d{1,2}):(\d{2})$/.exec(name) ?? []
  if (hours === undefined) return named(name)
  if (Number(hours) > 14 || Number(minutes) > 59) throw new RangeError(`${name} is no offset of a time zone.`)
  return fixed((sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute)
}

/** Whether {@link timeZone} knows it. */
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
 * The zone of a site, whatever its two options hold: a name that nobody knows leaves the offset, an offset that is none
 * leaves UTC. What is stored must not keep a service from starting.
 */
export function storedTimeZone(timezoneString: string, gmtOffset: string): TimeZone {
  const names = [timeZoneName(timezoneString, gmtOffset), timeZoneName('', gmtOffset)]
  return timeZone(names.find(isTimeZone) ?? 'UTC')
}

/** WordPress's two options: a name, or when it is empty a number of hours. */
export function timeZoneName(timezoneString: string, gmtOffset: string): string {
  if (timezoneString !== '') return timezoneString
  const minutes = Math.round((Number.parseFloat(gmtOffset) || 0) * 60)
  if (minutes === 0) return 'UTC'
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`
}

function fixed(offset: number): TimeZone {
  return { toLocal: (moment) => moment + offset, toUtc: (local) => local - offset }
}

function named(name: string): TimeZone {
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
  const toLocal = (moment: number): number => {
    const part: Record<string, string> = {}
    for (const { type, value } of format.formatToParts(moment)) part[type] = value
    const number = (type: string): number => Number(part[type] ?? 0)
    const wall = new Date(0)
    wall.setUTCFullYear(number('year'), number('month') - 1, number('day'))
    wall.setUTCHours(number('hour'), number('minute'), number('second'))
    return wall.getTime() + (((moment % 1000) + 1000) % 1000)
  }
  const offsetAt = (moment: number): number => toLocal(moment) - moment
  return {
    toLocal,
    toUtc(local) {
      // The offset a day before is the one in force before any change nearby: right for the earlier of two moments,
      // and it moves a wall clock time that is skipped forward, as PHP does.
      const before = local - offsetAt(local - 24 * 60 * minute)
      if (toLocal(before) === local) return before
      const after = local - offsetAt(local + 24 * 60 * minute)
      return toLocal(after) === local ? after : before
    },
  }
}
