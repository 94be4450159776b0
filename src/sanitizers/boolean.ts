import { toBoolean } from '../php/cast.js'

/** `rest_sanitize_boolean`: false for `'false'` in any case and for what PHP takes for false. */
export function restSanitizeBoolean(value: unknown): boolean {
  return typeof value === 'string' && /^false$/i.test(value) ? false : toBoolean(value)
}
