/** PHP's `trim`: the text without space, `\t`, `\n`, `\r`, `\0` and `\x0B` at both ends. */
export function phpTrim(text: string): string {
  return trimBy(text, isTrimmed)
}

/** PHP's `ltrim`: {@link phpTrim} at the start only. */
export function phpTrimStart(text: string): string {
  let start = 0
  while (start < text.length && isTrimmed(text.charCodeAt(start))) start += 1
  return text.slice(start)
}

/** A path or URL without trailing slashes. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '/') end -= 1
  return text.slice(0, end)
}

/** The text without these characters at both ends. */
export function trimCharacters(text: string, characters: string): string {
  return trimBy(text, (code) => characters.includes(String.fromCharCode(code)))
}

// Loops rather than an expression such as /[ ]+$/, which takes quadratic time on long runs of blanks.
function trimBy(text: string, isRemoved: (code: number) => boolean): string {
  let start = 0
  let end = text.length
  while (start < end && isRemoved(text.charCodeAt(start))) start += 1
  while (end > start && isRemoved(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isTrimmed(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0b) || code === 0x0d || code === 0
}
