/** Characters that control a terminal, end a line for some programs, or change the order of the text that is shown. */
const unprintable = /[\0-\x1f\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu

/**
 * A text for a terminal: names come from users, and requests may contain escape sequences.
 * @param kept control characters that stay, such as line breaks.
 */
export function printable(text: string, kept = ''): string {
  return text.replace(unprintable, (character) => (kept.includes(character) ? character : '\ufffd'))
}

/**
 * Characters that JSON may contain and that programs take for the end of a line (U+0085, U+2028, U+2029), that terminals take for
 * the beginning of a control sequence (U+0080 to U+009F), or that change the order of the text that is shown.
 */
const unsafe = /[\x7f-\x9f\u2028\u2029\p{Bidi_Control}]/gu

/** JSON, or source code with JSON in its literals, of the same value without these characters. */
export function escapedJson(json: string): string {
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
