import { rawUrlEncoded } from '../php/percent-encoding.js'

/**
 * The text with all characters outside ASCII percent-encoded.
 * @param limit maximum length of the result in bytes. The text is cut between two characters.
 */
export function encodedUpTo(text: string, limit: number): string {
  let encoded = ''
  for (const character of text) {
    const next = character < '\x80' ? character : encodeURIComponent(character)
    if (encoded.length + next.length > limit) break
    encoded += next
  }
  return encoded
}

/**
 * `utf8_uri_encode` with its third argument: bytes outside ASCII as `%c3`, those of ASCII as PHP's `rawurlencode` writes them.
 * As in WordPress, bytes outside ASCII are written in groups of the length that the first byte of a group announces. An
 * incomplete group at the end is dropped.
 * @param bytes one character for each byte.
 * @param limit maximum length of the result. The text is cut between two characters.
 */
export function encodedBytesUpTo(bytes: string, limit: number): string {
  let encoded = ''
  let pending: string[] = []
  let length = 0
  for (const byte of bytes) {
    const isAscii = byte < '\x80'
    if (!isAscii && pending.length === 0) length = byte < '\xe0' ? 2 : byte < '\xf0' ? 3 : 4
    const next = isAscii ? rawUrlEncoded(byte) : '%00'.repeat(length)
    if (encoded.length + next.length > limit) break
    if (isAscii) encoded += next
    else if (pending.push(byte) === length) {
      for (const part of pending) encoded += `%${part.charCodeAt(0).toString(16)}`
      pending = []
    }
  }
  return encoded
}

/** The text in lower case, character by character as in PHP 8.2: no special form for a sigma at the end of a word. */
export function lowerCaseOf(text: string): string {
  return text.includes('Σ') ? Array.from(text, (character) => character.toLowerCase()).join('') : text.toLowerCase()
}
