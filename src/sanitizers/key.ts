import { asciiLowerCase } from '../php/ascii-case.js'
import { toText } from '../php/cast.js'

/** `sanitize_key`: lower-case letters, digits, dashes and underscores; nothing of a list or map. */
export function sanitizeKey(value: unknown): string {
  return typeof value === 'object' ? '' : asciiLowerCase(toText(value)).replace(/[^a-z0-9_-]/g, '')
}
