/** The text as one word of a POSIX shell, in single quotes. */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** The text as one word of a POSIX shell. Quotes are left out where they are not needed. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : shellQuoted(text)
}
