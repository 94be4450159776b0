import { wordpressFunctions } from './wordpress-functions.js'

/** A sanitiser as a declaration names it: it gets the value and nothing else. */
export type NamedSanitizer = (value: unknown) => unknown

/** The sanitisers that a declaration can name, by WordPress's names (docs/wire.md#the-named-sanitisers). */
export const namedSanitizers: ReadonlyMap<string, NamedSanitizer> = new Map(
  Array.from(wordpressFunctions, ([name, call]) => [name, (value: unknown) => call(value)]),
)
