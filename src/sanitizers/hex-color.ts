// A line feed at the end passes, as it does in WordPress.
const hexadecimal = /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/

/** `rest_parse_hex_color`: the colour, `#` and three or six hexadecimal digits; null when it is none. */
export function parseHexColor(value: unknown): string | null {
  return typeof value === 'string' && hexadecimal.test(value) ? value : null
}

/** `sanitize_hex_color`: as {@link parseHexColor}, and no text stays no text. */
export function sanitizeHexColor(value: unknown): string | null {
  return value === '' ? '' : parseHexColor(value)
}
