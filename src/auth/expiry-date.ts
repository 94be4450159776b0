const dateForm = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}[\d:.]*)(Z|[+-]\d{2}:?\d{2})?)?$/

/**
 * Parses the expiry of an application password: a date, with or without a time, in UTC unless it names another zone.
 * JavaScript would read other forms in the time zone of the machine, and the 30th of February as a day in March.
 * @returns an invalid `Date` for any other value.
 */
export function parseExpiry(value: unknown): Date {
  const [, day = '', time = '00:00', zone = 'Z'] = dateForm.exec(typeof value === 'string' ? value : '') ?? []
  const isDay = new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8))
  return new Date(isDay ? `${day}T${time}${zone}` : NaN)
}
