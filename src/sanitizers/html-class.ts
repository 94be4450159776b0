import { toText } from '../php/cast.js'

/**
 * `sanitize_html_class`: the letters, digits, dashes and underscores of ASCII; percent-encoded bytes go first.
 * @param fallback used, sanitised as well, when nothing is left.
 * Rules: docs/wire.md#the-named-sanitisers.
 */
export function sanitizeHtmlClass(value: unknown, fallback = ''): string {
  const name = toText(value)
    .replace(/%[a-f\d]{2}/gi, '')
    .replace(/[^A-Za-z0-9_-]/g, '')
  return name === '' && fallback !== '' ? sanitizeHtmlClass(fallback) : name
}
