import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'

/** `sanitize_key`: the text in lower case, reduced to letters, digits, `-` and `_`; empty for lists and maps. */
export function sanitizeKey(value: unknown): string {
  return typeof value === 'object' ? '' : asciiLowerCase(toText(value)).replace(/[^a-z0-9_-]/g, '')
}
