import { toBoolean, toText } from '../php/cast.js'

/**
 * `sanitize_html_class`: removes percent-encoded bytes, then all characters but ASCII letters, digits, `-` and `_`.
 * @param fallback replaces an empty result, and is sanitised too. As in WordPress, a fallback of `0` is ignored.
 */
export function sanitizeHtmlClass(value: unknown, fallback = ''): string {
  const name = toText(value)
    .replace(/%[a-f\d]{2}/gi, '')
    .replace(/[^A-Za-z0-9_-]/g, '')
  return name === '' && toBoolean(fallback) ? sanitizeHtmlClass(fallback) : name
}
