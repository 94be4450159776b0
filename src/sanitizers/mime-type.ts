import { toText } from '../php/cast.js'

/** `sanitize_mime_type`: the text without all characters but ASCII letters, digits and `-+*./`. */
export function sanitizeMimeType(value: unknown): string {
  return toText(value).replace(/[^-+*.a-zA-Z0-9/]/g, '')
}
