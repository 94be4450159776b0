/** The text without the characters that PHP's `trim` removes from both ends: space, `\t`, `\n`, `\r`, `\0`, `\x0B`. */
export function phpTrim(text: string): string {
  return trimBy(text, isTrimmed)
}

/** {@link phpTrim} at the start only. */
export function phpTrimStart(text: string): string {
  let start = 0
  while (start < text.length && isTrimmed(text.charCodeAt(start))) start += 1
  return text.slice(start)
}

/** A path or address without the slashes at its end. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '/') end -= 1
  return text.slice(0, end)
}

/** The text without those of these characters that stand at either end. */
export function trimCharacters(text: string, characters: string): string {
  return trimBy(text, (code) => characters.includes(String.fromCharCode(code)))
}

// Loops, because an expression such as /[ ]+$/ starts again at each run of blanks inside the text.
function trimBy(text: string, trims: (code: number) => boolean): string {
  let start = 0
  let end = text.length
  while (start < end && trims(text.charCodeAt(start))) start += 1
  while (end > start && trims(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

function isTrimmed(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0b) || code === 0x0d || code === 0
}
