import { encodeText } from './text.js'

/** Every byte of the text that is none of the kept characters, which are ASCII, as `%XX`. */
export function percentEncoded(text: string, kept: RegExp): string {
  let encoded = ''
  for (const byte of encodeText(text)) {
    const character = String.fromCharCode(byte)
    encoded += kept.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return encoded
}

/** As PHP's `rawurlencode`: letters, digits and `-_.~` stay. */
export function rawUrlEncoded(text: string): string {
  return percentEncoded(text, /^[\w.~-]$/)
}

/** As PHP's `urlencode`: letters, digits and `-_.` stay, and a space is `+`. */
export function urlEncoded(text: string): string {
  return percentEncoded(text, /^[\w.-]$/).replaceAll('%20', '+')
}
