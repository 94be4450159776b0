import type { PatternSyntax } from './ast.js'
import { bytesOf, textOf } from '../php/bytes.js'
import { lower, type LoweredPattern } from './lower.js'
import { parsePattern, type PatternOptions } from './parse.js'
import { javaScriptSourceOf } from './print.js'

export type { PatternNode, PatternSyntax } from './ast.js'
export { PatternError } from './pattern-error.js'
export { lostBackslash } from './lost-backslash.js'
export type { LoweredPattern } from './lower.js'
export { parsePattern, type PatternOptions } from './parse.js'

/** How WordPress matches routes: the whole path, byte by byte, ignoring case, with `@` around the pattern. */
// Rules: docs/wire.md#route-patterns.
export const routePattern: PatternOptions = { anchored: true, ignoreCase: true, unicode: false, delimiter: '@' }

/** How WordPress matches the `pattern` of an argument: anywhere, by code points, minding case. */
// Rules: docs/wire.md#argument-patterns.
export const argumentPattern: PatternOptions = { anchored: false, ignoreCase: false, unicode: true }

export interface TranslatedPattern {
  /** Of the same meaning as the pattern in PCRE; walks over bytes (see `matches`) unless the pattern is `unicode`. */
  readonly regexp: RegExp
  /** Of the named groups, in order, each once. */
  readonly names: readonly string[]
  /** Whether the text matches. Text that is not valid UTF-8 matches no `unicode` pattern, as in PHP. */
  matches(text: string): boolean
  /**
   * What the named groups captured, in a map without prototype; null when the text does not match. A group that took no
   * part is absent, but `''` when a later group matched (recorded: `routes`, rule `optional`).
   */
  capture(text: string): Record<string, string> | null
}

/**
 * Translates a PCRE pattern into a JavaScript one of the same meaning.
 * @throws PatternError when PCRE would refuse it, or JavaScript has no equivalent.
 */
export function translatePattern(pattern: string, options: PatternOptions): TranslatedPattern {
  return translateLowered(lowerPattern(pattern, options))
}

/**
 * A PCRE pattern in the terms of JavaScript's engine: what `growthOf` judges and {@link translateLowered} runs.
 * @throws PatternFault when PCRE would refuse it, or JavaScript has no equivalent.
 */
export function lowerPattern(pattern: string, options: PatternOptions): LoweredPattern {
  return lower(parsePattern(pattern, options))
}

export function translateLowered(pattern: LoweredPattern): TranslatedPattern {
  const { source, flags } = javaScriptSourceOf(pattern)
  const regexp = new RegExp(source, flags)
  // Nothing below holds the tree: thousands of translated routes are kept.
  const { groups } = pattern
  const { names, unicode } = pattern.syntax
  const subjectOf = (text: string): string => (unicode ? text : bytesOf(text))
  const readable = (text: string): boolean => !unicode || text.isWellFormed()
  return {
    regexp,
    names: [...new Set(names.map(({ name }) => name))],
    matches: (text) => readable(text) && regexp.test(subjectOf(text)),
    capture(text) {
      const match = readable(text) ? regexp.exec(subjectOf(text)) : null
      return match === null ? null : capturedBy(match, groups, names, unicode)
    },
  }
}

function capturedBy(
  match: RegExpExecArray,
  groups: readonly number[],
  names: PatternSyntax['names'],
  unicode: boolean,
): Record<string, string> {
  const captured: Record<string, string> = Object.create(null) as Record<string, string>
  if (names.length === 0) return captured
  const values: (string | undefined)[] = []
  let last = 0
  for (let index = 0; index < groups.length; index += 1) {
    const number = groups[index] ?? 0
    const value = match[index + 1]
    if (number === 0 || value === undefined) continue
    values[number] = value
    if (number > last) last = number
  }
  for (const { name, number } of names) {
    if (number > last) break
    const value = values[number]
    // Of groups that share a name, one that matched counts.
    if (value !== undefined) captured[name] = unicode ? value : textOf(value)
    else captured[name] ??= ''
  }
  return captured
}
