/** Characters of emoji besides those of `\p{Emoji}`, as WordPress encodes them: joiners, and the letters and the end of flags. */
const partsOfEmoji =
  '\\u200d\\u20e3\\ufe0f\\u{e0062}\\u{e0063}\\u{e0065}\\u{e0067}\\u{e006c}\\u{e006e}\\u{e0073}\\u{e0074}\\u{e0077}\\u{e007f}'

/** Digits, `#`, `*`, © and ® are emoji for Unicode, and stay. */
const emoji = new RegExp(`[${partsOfEmoji}]|(?![\\x00-\\xff])\\p{Emoji}`, 'gu')

/** A text with its emoji as numeric character references, `&#x1f600;`, which a column of three bytes a character can store. */
export const withEncodedEmoji = (text: string): string =>
  /[^\x00-\xff]/.test(text)
    ? text.replace(emoji, (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`)
    : text

/** Whether a text has a character of four bytes in UTF-8. */
export const isWide = (text: string): boolean => /[\ud800-\udbff][\udc00-\udfff]/.test(text)
