import { wordpressFunctions } from './wordpress-functions.js'

/** A sanitiser that a declaration names in `sanitize_callback`. Its only argument is the value. */
export type NamedSanitizer = (value: unknown) => unknown

/** The sanitisers that a declaration can name, by their WordPress names. */
export const namedSanitizers: ReadonlyMap<string, NamedSanitizer> = new Map(
  Array.from(wordpressFunctions, ([name, call]) => [name, (value: unknown) => call(value)]),
)
