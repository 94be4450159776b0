import { encodeText } from './text.js'

// Both functions compare the code units first, which decides most texts without counting. A valid text of n code points
// has n to 2n code units; a text that is not UTF-8 has n/3 to 4n.

/** Whether the text has fewer code points than the minimum. */
export function isShorter(text: string, minimum: number): boolean {
  return text.length < 4 * minimum && codePoints(text) < minimum
}

/** Whether the text has more code points than the maximum. */
export function isLonger(text: string, maximum: number): boolean {
  return 3 * text.length > maximum && codePoints(text) > maximum
}

function codePoints(text: string): number {
  if (!text.isWellFormed()) return firstBytes(encodeText(text))
  let count = text.length
  for (let index = 0; index < text.length; index += 1) if ((text.charCodeAt(index) & 0xfc00) === 0xd800) count -= 1
  return count
}

/** PHP's character count for invalid UTF-8: the first byte alone gives the length of each sequence. */
function firstBytes(bytes: Uint8Array): number {
  let count = 0
  for (let index = 0; index < bytes.length; index += widthOf(bytes[index] ?? 0)) count += 1
  return count
}

function widthOf(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 1
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
}
