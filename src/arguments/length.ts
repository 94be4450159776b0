// A text of n code points has n to 2n code units, so that most texts need no counting.

/** Whether the text has fewer code points. */
export function isShorter(text: string, least: number): boolean {
  return text.length < least || (text.length < 2 * least && codePoints(text) < least)
}

/** Whether the text has more code points. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most && codePoints(text) > most
}

/** A byte that is not UTF-8 counts as one. */
function codePoints(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index += 1) if ((text.charCodeAt(index) & 0xfc00) === 0xd800) count -= 1
  return count
}
