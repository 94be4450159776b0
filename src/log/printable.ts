/** Characters that control a terminal, end a line for some programs, or change the order of the text that is shown. */
const unprintable = /[\0-\x1f\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu

/**
 * A text for a terminal: names come from users, and requests may contain escape sequences.
 * @param kept control characters that stay, such as line breaks.
 */
export function printable(text: string, kept = ''): string {
  return text.replace(unprintable, (character) => (kept.includes(character) ? character : '\ufffd'))
}
