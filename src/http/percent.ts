import { decodeBytes } from '../php/text.js'

/** Decodes a name or value of a form or query. `+` is a space. An invalid escape stays unchanged, as in PHP. */
export function decodeFormText(text: string): string {
  if (!/[%+\x80-\uffff]/.test(text)) return text
  return decodePercent(text.replaceAll('+', ' '))
}

/**
 * Percent-decodes a text with one character per byte, which is the form of URLs and headers from `node:http`. Bytes
 * that are not UTF-8 become lone surrogates, see `php/text.ts`. `+` stays unchanged.
 */
export function decodePercent(text: string): string {
  if (!/[%\x80-\uffff]/.test(text)) return text
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  let isAscii = true
  for (let index = 0; index < text.length; index += 1) {
    let byte = text.charCodeAt(index)
    if (byte === 0x25) {
      const high = hexDigit(text.charCodeAt(index + 1))
      const low = hexDigit(text.charCodeAt(index + 2))
      if (high !== -1 && low !== -1) {
        byte = high * 16 + low
        index += 2
      }
    }
    if (byte > 0x7f) isAscii = false
    bytes[length] = byte
    length += 1
  }
  const decoded = bytes.subarray(0, length)
  return isAscii ? decoded.toString('latin1') : decodeBytes(decoded)
}

/**
 * The UTF-8 bytes of a text, one character per byte. A text without characters beyond U+00FF is such a text already.
 */
export function asBytes(text: string): string {
  return /[^\x00-\xff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
