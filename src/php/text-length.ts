import { encodeText } from './text.js'

// A text of n code points has n to 2n code units; one that is not UTF-8 has a third of n to 4n. Most texts need no counting.

/** Whether the text has fewer code points. */
export function isShorter(text: string, least: number): boolean {
  return text.length < 4 * least && codePoints(text) < least
}

/** Whether the text has more code points. */
export function isLonger(text: string, most: number): boolean {
  return 3 * text.length > most && codePoints(text) > most
}

function codePoints(text: string): number {
  if (!text.isWellFormed()) return firstBytes(encodeText(text))
  let count = text.length
  for (let index = 0; index < text.length; index += 1) if ((text.charCodeAt(index) & 0xfc00) === 0xd800) count -= 1
  return count
}

/** PHP's count of what is not UTF-8: a first byte says how many bytes belong to it, whatever they are. */
function firstBytes(bytes: Uint8Array): number {
  let count = 0
  for (let index = 0; index < bytes.length; index += widthOf(bytes[index] ?? 0)) count += 1
  return count
}

function widthOf(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 1
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
}
