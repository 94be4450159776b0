/**
 * The text with all characters outside ASCII percent-encoded.
 * @param limit maximum length of the result in bytes. The text is cut between two characters.
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

/** The text in lower case, character by character as in PHP 8.2: no special form for a sigma at the end of a word. */
export function lowerCaseOf(text: string): string {
  return text.includes('Σ') ? Array.from(text, (character) => character.toLowerCase()).join('') : text.toLowerCase()
}
