import { decodeBytes, encodeText } from './text.js'

/** The UTF-8 bytes of a text, one character `\x00 … \xff` each: what PHP walks over. */
export function bytesOf(text: string): string {
  return isAscii(text) ? text : Buffer.from(encodeText(text)).toString('latin1')
}

/** The text whose bytes these are; bytes that are not UTF-8 stay apart, as in `php/text.ts`. */
export function textOf(bytes: string): string {
  return isAscii(bytes) ? bytes : decodeBytes(Buffer.from(bytes, 'latin1'))
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}
