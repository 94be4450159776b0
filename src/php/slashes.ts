/** PHP's `addslashes`: a backslash before each quote and backslash, and NUL as `\0`. */
export function addSlashes(text: string): string {
  // eslint-disable-next-line no-control-regex -- NUL is one of the characters
  return text.replaceAll(/['"\\\0]/g, (character) => (character === '\0' ? '\\0' : `\\${character}`))
}

/** PHP's `stripslashes`: the reverse of {@link addSlashes}. Other escaped characters lose their backslash. */
export function stripSlashes(text: string): string {
  return text.replaceAll(/\\([^])?/g, (_, character: string | undefined) =>
    character === '0' ? '\0' : (character ?? ''),
  )
}
