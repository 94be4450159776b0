// WordPress accepts a line feed at the end.
const hexadecimal = /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/

/** `rest_parse_hex_color`: the value when it is `#` and three or six hexadecimal digits; otherwise null. */
export function parseHexColor(value: unknown): string | null {
  return typeof value === 'string' && hexadecimal.test(value) ? value : null
}

/** `sanitize_hex_color`: the same as {@link parseHexColor}, except that empty text is returned unchanged. */
export function sanitizeHexColor(value: unknown): string | null {
  return value === '' ? '' : parseHexColor(value)
}
