import { toBoolean } from '../php/cast.js'

/** `rest_sanitize_boolean`: false for `'false'` in any letter case and for every value that PHP casts to false. */
export function restSanitizeBoolean(value: unknown): boolean {
  return typeof value === 'string' && /^false$/i.test(value) ? false : toBoolean(value)
}
