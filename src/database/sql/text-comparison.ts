// The collation of WordPress's tables, utf8mb4_unicode_520_ci, is the Unicode collation algorithm at its first level;
// `Intl.Collator` is the same algorithm.
let withoutAccents: Intl.Collator | undefined
let withoutCase: Intl.Collator | undefined

export function equalWithoutCaseAndAccents(left: string, right: string): boolean {
  withoutAccents ??= new Intl.Collator('und', { sensitivity: 'base' })
  return withoutAccents.compare(left, right) === 0
}

export function equalWithoutCase(left: string, right: string): boolean {
  withoutCase ??= new Intl.Collator('und', { sensitivity: 'accent' })
  return withoutCase.compare(left, right) === 0
}

/** A text without its accents: `Arger` for `Ärger`. */
export const unaccented = (text: string): string => text.normalize('NFD').replace(/\p{Mn}+/gu, '')

export const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)
