import { decodeBytes, encodeText } from './text.js'

/**
 * The UTF-8 bytes of a text as a binary string, one character `\x00 … \xff` per byte. PHP's string functions work on
 * bytes.
 */
export function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(encodeText(text)).toString('latin1')
}

/**
 * The text of a binary string. Each byte that is not valid UTF-8 becomes a lone surrogate, see `decodeBytes` in
 * `php/text.ts`.
 */
export function textOf(bytes: string): string {
  return isAscii(bytes) ? bytes : decodeBytes(Buffer.from(bytes, 'latin1'))
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}
