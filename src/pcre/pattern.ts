import type { PatternSyntax } from './ast.js'
import { bytesOf, textOf } from '../php/bytes.js'
import { lower, type LoweredPattern } from './lower.js'
import { parsePattern, type PatternOptions } from './parse.js'
import { javaScriptSourceOf } from './print.js'

export type { PatternNode, PatternSyntax } from './ast.js'
export { PatternError } from './pattern-error.js'
export { lostBackslash } from './lost-backslash.js'
export type { LoweredPattern } from './lower.js'
export { withoutOuterRepeats } from './outer-repeats.js'
export { parsePattern, type PatternOptions } from './parse.js'

/** The options of WordPress for routes: anchored at both ends, byte by byte, case ignored, `@` around the pattern. */
// Rules: docs/wire.md#route-patterns.
export const routePattern: PatternOptions = { anchored: true, ignoreCase: true, unicode: false, delimiter: '@' }

/** The options of WordPress for the `pattern` of an argument: not anchored, by code points, case respected. */
// Rules: docs/wire.md#argument-patterns.
export const argumentPattern: PatternOptions = { anchored: false, ignoreCase: false, unicode: true }

export interface TranslatedPattern {
  /** The pattern in JavaScript. Unless the pattern is `unicode`, it expects text with one character per byte (`bytesOf`). */
  readonly regexp: RegExp
  /** The names of the groups in the order of their numbers, each once. */
  readonly names: readonly string[]
  /** Whether the text matches. Text that is not valid Unicode matches no `unicode` pattern, as in PHP. */
  matches(text: string): boolean
  /**
   * What the named groups captured, in a map without prototype; null when the text does not match. A group that took no
   * part is `''` when a later group matched, and absent otherwise, as in PHP.
   */
  capture(text: string): Record<string, string> | null
}

/**
 * Translates a PCRE pattern into a JavaScript one of the same meaning.
 * @throws PatternError when PCRE refuses the pattern, or JavaScript has no equivalent.
 */
export function translatePattern(pattern: string, options: PatternOptions): TranslatedPattern {
  return translateLowered(lowerPattern(pattern, options))
}

/**
 * Rewrites a PCRE pattern for JavaScript's engine. `growthOf` analyses the result, and {@link translateLowered} compiles it.
 * @throws PatternError when PCRE refuses the pattern, or JavaScript has no equivalent.
 */
export function lowerPattern(pattern: string, options: PatternOptions): LoweredPattern {
  return lower(parsePattern(pattern, options))
}

export function translateLowered(pattern: LoweredPattern): TranslatedPattern {
  const { source, flags } = javaScriptSourceOf(pattern)
  const regexp = new RegExp(source, flags)
  // The functions below do not refer to the syntax tree, so that thousands of translated routes do not hold it in memory.
  const { groups } = pattern
  const { names, unicode } = pattern.syntax
  const subjectOf = (text: string): string => (unicode ? text : bytesOf(text))
  const isValidText = (text: string): boolean => !unicode || text.isWellFormed()
  return {
    regexp,
    names: [...new Set(names.map(({ name }) => name))],
    matches: (text) => isValidText(text) && regexp.test(subjectOf(text)),
    capture(text) {
      const match = isValidText(text) ? regexp.exec(subjectOf(text)) : null
      return match === null ? null : capturesOf(match, groups, names, unicode)
    },
  }
}

function capturesOf(
  match: RegExpExecArray,
  groups: readonly number[],
  names: PatternSyntax['names'],
  unicode: boolean,
): Record<string, string> {
  const captures: Record<string, string> = Object.create(null) as Record<string, string>
  if (names.length === 0) return captures
  const values: (string | undefined)[] = []
  let lastMatched = 0
  for (let index = 0; index < groups.length; index += 1) {
    const number = groups[index] ?? 0
    const value = match[index + 1]
    if (number === 0 || value === undefined) continue
    values[number] = value
    if (number > lastMatched) lastMatched = number
  }
  for (const { name, number } of names) {
    if (number > lastMatched) break
    const value = values[number]
    // Of several groups of one name, the last one that matched gives the value.
    if (value !== undefined) captures[name] = unicode ? value : textOf(value)
    else captures[name] ??= ''
  }
  return captures
}
