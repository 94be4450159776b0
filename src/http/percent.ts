import { decodeBytes } from '../php/text.js'

/**
 * The text of a form's or query's name or value: `+` is a space, an invalid escape stays as it is.
 * Rules: docs/wire.md#names-with-brackets.
 */
export function decodeFormText(text: string): string {
  if (!/[%+\x80-\uffff]/.test(text)) return text
  return decodePercent(text.replaceAll('+', ' '))
}

/**
 * Percent-decodes a text that has one character per byte, as `node:http` hands over what came from the wire; bytes that
 * are not UTF-8 are kept as `php/text.ts` says. `+` stays.
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

/** Text of our own side of the wire, with one character per byte of its UTF-8. */
export function asBytes(text: string): string {
  return /[^\x00-\xff]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
