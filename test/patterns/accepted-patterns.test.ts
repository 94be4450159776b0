import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { patternFault } from '../../src/validation/pattern.js'
import {
  argumentPattern,
  lowerPattern,
  PatternError,
  type PatternOptions,
  routePattern,
  translatePattern,
} from '../../src/pcre/pattern.js'
import { exponentialRisk } from '../../src/pcre/safety.js'
import { BacktrackingMatcher } from './backtracking-matcher.js'
import { letters, randomPattern } from './random-pattern.js'

/** Null for a pattern without an equivalent in JavaScript. */
function regexpOf(pattern: string, options: PatternOptions): RegExp | null {
  try {
    return translatePattern(pattern, options).regexp
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

test('the matcher that counts steps matches and captures what RegExp does', () => {
  const text = fc.string({ unit: fc.constantFrom(...letters, 'A', '\n', 'é', '€'), maxLength: 8 })
  const texts = fc.array(text, { minLength: 5, maxLength: 5 })
  let compared = 0
  let matched = 0
  fc.assert(
    fc.property(randomPattern, texts, fc.boolean(), (pattern, subjects, isRoute) => {
      const regexp = regexpOf(pattern, isRoute ? { ...routePattern, anchored: false } : argumentPattern)
      if (regexp === null) return
      const matcher = new BacktrackingMatcher(regexp)
      for (const subject of subjects) {
        // Patterns that are not accepted are compared as well, but some of them would not come to an end.
        if (matcher.stepsOver(subject, 100_000) === 100_000) continue
        const expected = regexp.exec(subject)
        assert.deepEqual(matcher.exec(subject), expected && [...expected], `${regexp} on ${JSON.stringify(subject)}`)
        compared += 1
        if (expected !== null) matched += 1
      }
    }),
    { numRuns: 1500 },
  )
  assert.ok(compared > 1500 && matched > 400, `${matched} of ${compared} texts match`)
})

/** In such a text even work that doubles with every third letter only is beyond all bounds. */
const length = 72
/** More than quadratic work takes on it. */
const maxSteps = 1_000_000

/** Words of up to three letters that do not repeat one letter. */
const words = letters
  .flatMap((one) => [one, ...letters.flatMap((two) => [one + two, ...letters.map((three) => one + two + three)])])
  .filter((word) => word.length === 1 || new Set(word).size > 1)

/** Repetitions of each word, from its first letter on or behind others, most of them with an end that does not fit. */
function worstTexts(longest: number): string[] {
  const texts: string[] = []
  for (const word of words)
    for (const before of ['', 'a', 'b-'])
      for (const behind of ['', '!'])
        texts.push(before + word.repeat(Math.max(0, longest - before.length - behind.length) / word.length) + behind)
  return texts
}

function assertFast(pattern: string, regexp: RegExp, texts: readonly string[]): void {
  const matcher = new BacktrackingMatcher(regexp)
  for (const text of texts) {
    const steps = matcher.stepsOver(text, maxSteps)
    assert.ok(steps < maxSteps, `${pattern}, as ${regexp}, takes ${steps} steps and more over ${text}`)
  }
}

/** What accepted patterns are made of. All must occur: the patterns stay rich. */
const constructs: Readonly<Record<string, RegExp>> = {
  'groups that may be empty': /[*?]\)/,
  'named groups': /\(\?<n/,
  'atomic groups': /\(\?>/,
  'possessive repetitions': /[*+?}]\+/,
  'lazy repetitions': /[*+?}]\?/,
  'open counts': /\{2,\}/,
  'empty branches': /\|\)/,
  lookaheads: /\(\?[=!]/,
  lookbehinds: /\(\?<[=!]/,
  references: /\\\d/,
  conditions: /\(\?\(/,
  edges: /\\b/i,
}

function assertRich(accepted: readonly string[], least: number): void {
  assert.ok(accepted.length > least, `only ${accepted.length} patterns are accepted`)
  for (const [name, construct] of Object.entries(constructs))
    assert.ok(
      accepted.some((pattern) => construct.test(pattern)),
      `no accepted pattern has ${name}`,
    )
}

test('no path takes long on a route pattern that the start accepts', () => {
  const accepted: string[] = []
  const paths = worstTexts(length).map((text) => `/${text}`)
  fc.assert(
    fc.property(randomPattern, (inside) => {
      const pattern = `/${inside}`
      const regexp = regexpOf(pattern, routePattern)
      if (regexp === null || exponentialRisk(lowerPattern(pattern, routePattern)) !== null) return
      accepted.push(pattern)
      assertFast(pattern, regexp, paths)
    }),
    { numRuns: 2500 },
  )
  assertRich(accepted, 500)
})

test('no text takes long on an argument pattern that the start accepts', () => {
  const anchored = fc
    .tuple(randomPattern, fc.constantFrom('^#$', '^#$', '^#', '#'))
    .map(([pattern, frame]) => frame.replace('#', () => pattern))
  const accepted: string[] = []
  fc.assert(
    fc.property(anchored, (pattern) => {
      const longest = [length, 20, 5].find((maxLength) => patternFault(pattern, maxLength) === null)
      if (longest === undefined) return
      accepted.push(pattern)
      assertFast(pattern, translatePattern(pattern, argumentPattern).regexp, worstTexts(longest))
    }),
    { numRuns: 2500 },
  )
  assertRich(accepted, 500)
})
