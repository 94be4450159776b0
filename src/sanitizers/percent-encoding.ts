/**
 * The text with everything outside ASCII percent-encoded, cut before the first character that would make it longer than
 * `limit` bytes.
 */
export function encodedUpTo(text: string, limit: number): string {
  let encoded = ''
  for (const character of text) {
    const next = character < '\x80' ? character : encodeURIComponent(character)
    if (encoded.length + next.length > limit) break
    encoded += next
  }
  return encoded
}

/** The text in lower case, each character by itself: a sigma at the end of a word is like any other (PHP 8.2). */
export function lowerCaseOf(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join('')
}
