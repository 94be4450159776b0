import { decodeBytes, encodeText } from '../php/text.js'

/** Headers that are decoded where they are parsed. */
const undecoded = new Set(['cookie', 'content-type'])

/**
 * The text of a received header.
 * @param value has one character per byte.
 */
export function receivedHeader(name: string, value: string): string {
  return isAscii(value) || undecoded.has(name) ? value : decodeText(value)
}

/**
 * The text of a received header, or of the target of a request.
 * @param value has one character per byte.
 */
export function receivedText(value: string): string {
  return isAscii(value) ? value : decodeText(value)
}

const isAscii = (value: string): boolean => !/[\x80-\xff]/.test(value)
const decodeText = (value: string): string => decodeBytes(Buffer.from(value, 'latin1'))

/**
 * A header value to send, with one character per byte of its UTF-8. Control characters, which could end the line,
 * become spaces.
 */
export function sentHeader(value: string): string {
  const line = /[\0-\x08\x0a-\x1f\x7f]/.test(value) ? value.replace(/[\0-\x08\x0a-\x1f\x7f]+/g, ' ') : value
  return /[^\0-\x7f]/.test(line) ? Buffer.from(encodeText(line)).toString('latin1') : line
}
