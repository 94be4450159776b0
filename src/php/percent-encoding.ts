import { encodeText } from './text.js'

/**
 * The text with each of its UTF-8 bytes as `%XX`, except the unescaped ones.
 * @param unescaped matches one ASCII character that stays as it is.
 */
export function percentEncoded(text: string, unescaped: RegExp): string {
  let encoded = ''
  for (const byte of encodeText(text)) {
    const character = String.fromCharCode(byte)
    encoded += unescaped.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** PHP's `rawurlencode`: escapes all bytes but letters, digits and `-_.~`. */
export function rawUrlEncoded(text: string): string {
  return percentEncoded(text, /^[\w.~-]$/)
}

/** PHP's `urlencode`: escapes all bytes but letters, digits and `-_.`, and writes a space as `+`. */
export function urlEncoded(text: string): string {
  return percentEncoded(text, /^[\w.-]$/).replaceAll('%20', '+')
}
