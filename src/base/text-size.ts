const beyondLatin1 = /[^\0-\u00ff]/

/** The size of a text in memory, in bytes. V8 holds one byte for each code unit, or two where one of them is beyond Latin-1. */
export const textSize = (text: string): number => (beyondLatin1.test(text) ? 2 * text.length : text.length)
