import { toText } from '../php/cast.js'

/** `sanitize_mime_type`: letters, digits and `-+*./`; nothing of a list or map. Source: WIRE 5. */
export function sanitizeMimeType(value: unknown): string {
  return typeof value === 'object' ? '' : toText(value).replace(/[^-+*.a-zA-Z0-9/]/g, '')
}
