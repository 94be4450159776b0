import { toInteger } from '../php/cast.js'
import { isNumeric } from '../php/numeric-text.js'

// WordPress accepts a line feed at the end.
const anyVersion = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\n?$/
const version4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\n?$/

/**
 * `wp_is_uuid`: whether the value is a UUID in lower case.
 * @param version 4 accepts random UUIDs only, other numbers accept no UUID, and a non-numeric value (the default)
 * accepts every version.
 */
export function isUuid(value: unknown, version: unknown = null): boolean {
  if (typeof value !== 'string') return false
  if (!isNumeric(version)) return anyVersion.test(value)
  return toInteger(version) === 4 && version4.test(value)
}
