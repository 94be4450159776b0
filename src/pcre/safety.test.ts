import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readVectors } from '../../conformance/vectors.js'
import { BacktrackingMatcher } from '../../test/patterns/backtracking-matcher.js'
import { argumentPattern, lowerPattern, routePattern, translatePattern } from './pattern.js'
import { exponentialRisk, growthOf } from './safety.js'

function stepsOver(pattern: string, text: string, maxSteps: number, options = routePattern): number {
  return new BacktrackingMatcher(translatePattern(pattern, options).regexp).stepsOver(text, maxSteps)
}

/** A pattern with a text that makes it slow when it is repeated and followed by a character that does not match. */
type Example = [pattern: string, piece: string]

const exponential: Example[] = [
  ['/(a+)+', 'a'],
  ['/(a*)*', 'a'],
  ['/(\\w|\\d)+', '1'],
  ['/(.*,)*x', ','],
  ['/(a|aa)+', 'a'],
  ['/([a-z]+-?)+', 'a'],
  ['/(?P<path>(?:[\\w-]+/?)+)', 'a'],
  ['/(a|a){30}', 'a'],
  ['/(?:a{1,20}){1,30}', 'a'],
  ['/(?:x*y?)*z', 'x'],
  ['/(?:ab?a?)+', 'a'],
  // An optional group that may be empty is rewritten as an alternation with an empty branch, which matches the same text.
  ['/(?:([a-z]*)?-)+', '-'],
  ['/(?:([a-z]*)??-)+', '-'],
  // Required iterations may be empty, so several of them can match the same text.
  ['/(?:(?:a?)+-)+', 'a-'],
  ['/(?:(?:a?){1,9}-)+', 'a-'],
]
for (const [pattern, piece] of exponential)
  test(`${pattern} can take exponential time`, () => {
    const lowered = lowerPattern(pattern, routePattern)
    assert.match(exponentialRisk(lowered) ?? '', /exponential time/)
    assert.equal(growthOf(lowered).degree, Infinity)
    const [stepsOfShort, stepsOfLong] = [12, 18].map((length) => stepsOver(pattern, `/${piece.repeat(length)}!`, 3e6))
    assert.ok((stepsOfLong ?? 0) > 6 * (stepsOfShort ?? 0), `${stepsOfShort} steps, then ${stepsOfLong}`)
  })

const polynomial: [...Example, degree: number][] = [
  ['/(?P<id>\\d+)', '1', 1],
  ['/(?P<a>[^/]+)/(?P<b>[^/]+)', 'a/', 1],
  ['/(?P<slug>[a-z0-9]+(?:-[a-z0-9]+)*)', 'a-', 1],
  ['/(?:a|b)+', 'ab', 1],
  ['/(?:ab|ac)+', 'abac', 1],
  ['/(?:[0-9a-f]{32}-?)+', '0', 1],
  ['/\\d{1,3}(?:\\.\\d{1,3}){3}', '1.', 1],
  ['/(?P<name>[a-zA-Z0-9\\-/]+?)/run', '/run', 1],
  ['/(?P<a>.+)/(?P<b>.+)x', '/', 2],
  ['/a*a*', 'a', 2],
  ['/\\w+\\d+', '1', 2],
  ['/a*a*a*', 'a', 3],
  ['/(?P<a>.+)/(?P<b>.+)/(?P<c>.+)x', '/', 3],
]
for (const [pattern, piece, degree] of polynomial)
  test(`the time of ${pattern} grows at most with the length to the power of ${degree}`, () => {
    const lowered = lowerPattern(pattern, routePattern)
    assert.equal(growthOf(lowered).degree, degree)
    assert.equal(exponentialRisk(lowered) === null, degree <= 2)
    const [stepsOfShort, stepsOfLong] = [20, 40].map((times) => stepsOver(pattern, `/${piece.repeat(times)}!`, 3e6))
    assert.ok(
      (stepsOfLong ?? 0) < 2 ** degree * 1.3 * (stepsOfShort ?? 0),
      `${stepsOfShort} steps, then ${stepsOfLong}`,
    )
  })

test('a counted repetition of an optional part can take time that is exponential in the count', () => {
  const patternOf = (count: number): string => `/(?:a?){${count}}a{${count}}`
  for (const count of [6, 14]) assert.ok(exponentialRisk(lowerPattern(patternOf(count), routePattern)))
  const [stepsOfShort, stepsOfLong] = [6, 14].map((count) =>
    stepsOver(patternOf(count), `/${'a'.repeat(count - 1)}`, 3e6),
  )
  assert.ok((stepsOfLong ?? 0) > 100 * (stepsOfShort ?? 0), `${stepsOfShort} steps, then ${stepsOfLong}`)
})

const choiceSequences: Example[] = [
  [`/r/(?P<a>${'\\d?'.repeat(26)}\\d{26})`, '1'],
  [`/${'a?'.repeat(28)}${'a'.repeat(28)}!`, 'a'],
  [`/${'(?:a|b)?'.repeat(25)}[ab]{25}!`, 'ab'],
  [`/${'(?:a|)'.repeat(25)}a{25}!`, 'a'],
  [`/${'a{0,2}'.repeat(16)}!`, 'a'],
  [`/${'(?:a|a)'.repeat(25)}!`, 'a'],
  [`/${'(?:|)'.repeat(30)}!`, 'a'],
  [`/${'(?:ab+)?'.repeat(25)}!`, 'ab'],
  [`/${'[az]{1,4}z[az]+-'.repeat(9)}!`, 'zzzzzzz-'],
  [`/(?=${'(?:|)'.repeat(25)}(?!))`, 'a'],
  [`/(?=a${'(?:|)'.repeat(25)}(?!))`, 'a'],
  [`/a+(?<=[^\\x00-\\xff]${'(?:a|a)'.repeat(25)})`, 'a'],
]
for (const [pattern] of choiceSequences)
  test(`a sequence of choices can take exponential time: ${pattern}`, () => {
    assert.match(exponentialRisk(lowerPattern(pattern, routePattern)) ?? '', /exponential time/)
    assert.equal(growthOf(lowerPattern(`^${pattern}$`, argumentPattern)).degree, Infinity)
  })

test('choices that cannot match the same text, and a few that can, are harmless', () => {
  const patterns = [
    '(?P<date>\\d{4}-\\d{2}-\\d{2})(?:T\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d{1,6})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?',
    '(?P<name>[^/]+?)(?:\\.(?P<ext>json|xml))?',
    '\\d{1,3}(?:,\\d{1,3})*',
    '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
    '\\d{1,20}',
    '[a-z]{2,}(?:-[a-z]{2})?',
    '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
    '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}',
    '[a-z]{0,63}',
    '\\+?\\d{0,3}[ -]?\\(?\\d{0,3}\\)?[ -]?\\d{3}[ -]?\\d{4}',
    '-?\\d{1,2}(?:\\.\\d{1,8})?,-?\\d{1,3}(?:\\.\\d{1,8})?',
    '\\w+(?:/\\w+)?(?:/\\w+)?(?:/\\w+)?(?:/\\w+)?(?:/\\w+)?',
    'v?\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?(?:\\+[\\w.]+)?',
    '(?:a|b)(?:c|d)(?:e|f)(?:g|h)(?:i|j)(?:k|l)(?:m|n)(?:o|p)(?:q|r)(?:s|t)(?:u|v)(?:w|x)?(?:y|z)?',
  ]
  for (const pattern of patterns) {
    assert.equal(exponentialRisk(lowerPattern(`/v/${pattern}`, routePattern)), null, pattern)
    assert.ok(growthOf(lowerPattern(pattern, argumentPattern)).degree <= 2, pattern)
  }
})

/** Parts of small patterns: optional, counted and alternative. The texts have the same few letters. */
const piece: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('a', 'b', '[ab]', '(?:a|b)', '(?:a|)', '(?:a|ab)', '(?:b?a)', '(?:ab?|b)', '-'),
    fc.constantFrom('', '?', '{0,2}', '{1,3}', '{2}', '??', '+'),
  )
  .map(([item, count]) => item + count)
const sequence = fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 5 })
const text = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', '-'), { minLength: 1, maxLength: 4 })

test('a pattern that is not refused matches no text slowly', () => {
  let acceptedCount = 0
  fc.assert(
    fc.property(sequence, text, (pieces, textParts) => {
      const pattern = `/${pieces.map(([item, times]) => item.repeat(times)).join('')}!`
      if (exponentialRisk(lowerPattern(pattern, routePattern)) !== null) return
      acceptedCount += 1
      // Quadratic time: a few steps for each part of the pattern and each of 45,000 pairs of positions. Cubic: 4,500,000 triples.
      const maxSteps = Math.max(3e6, 45_000 * 4 * pattern.length)
      const path = `/${textParts.join('').repeat(300)}`.slice(0, 300)
      assert.ok(stepsOver(pattern, path, maxSteps) < maxSteps, `${pattern} takes too many steps over ${path}`)
    }),
    { numRuns: 2000 },
  )
  assert.ok(acceptedCount > 200, `only ${acceptedCount} patterns are accepted`)
})

test('the analysis of thousands of patterns ends in seconds', () => {
  const start = performance.now()
  for (let index = 0; index < 10_000; index += 1)
    growthOf(lowerPattern(`/items-${index}/(?P<id>\\d+)(?:/(?P<slug>[\\w-]+))?`, routePattern))
  assert.ok(performance.now() - start < 10_000)
})

test('no route shape of WordPress is refused', () => {
  const { shapes } = readVectors('routes-wordpress-shapes') as unknown as { shapes: { example: string }[] }
  for (const { example } of shapes) assert.equal(exponentialRisk(lowerPattern(example, routePattern)), null, example)
})

test('a pattern without an anchor at its start has a degree one higher', () => {
  const degreeOf = (pattern: string): number => growthOf(lowerPattern(pattern, argumentPattern)).degree
  assert.deepEqual(['^a+$', 'a+$', '^a*a*$', '^(?:a|b)|c'].map(degreeOf), [1, 2, 2, 1])
  assert.equal(degreeOf('(?=(?:a+)+b)x'), Infinity)
  assert.equal(degreeOf('^(?:\\p{L}|\\d)+$'), Infinity)
})

test('a class matches a character in one way, however many of its items contain it', () => {
  for (const set of ['[\\W\\s]', '[\\W\\D]', '[\\D,\\W]', '[^\\d\\W]']) {
    const pattern = `^${set}+$`
    assert.equal(growthOf(lowerPattern(pattern, argumentPattern)).degree, 1)
    const [stepsOfShort, stepsOfLong] = [10, 20].map((length) =>
      stepsOver(pattern, `${' '.repeat(length)}a1`, 3e6, argumentPattern),
    )
    assert.ok((stepsOfLong ?? 0) < 3 * (stepsOfShort ?? 0), `${stepsOfShort} steps, then ${stepsOfLong}`)
  }
})

test('cases outside ASCII are taken into account', () => {
  const degreeOf = (pattern: string): number => growthOf(lowerPattern(pattern, argumentPattern)).degree
  // The Kelvin sign is a case of `k`, the long s one of `s`.
  assert.deepEqual(
    ['(?i)^(?:[A-Za-z]|\\x{212a})+$', '(?i)^(?:[A-Z]|\\x{17f})+$', '(?i)^(?:[A-Za-z]|[\\x{7b}-\\x{10ffff}])+$'].map(
      degreeOf,
    ),
    [Infinity, Infinity, Infinity],
  )
  assert.deepEqual(['^(?:[A-Za-z]|\\x{212a})+$', '(?i)^(?:[A-Ja-j]|\\x{212a})+$'].map(degreeOf), [1, 1])
})

test('the message names the part that causes the growth', () => {
  assert.match(exponentialRisk(lowerPattern('/x/(?P<a>([a-z]+)+)/y', routePattern)) ?? '', /'\(\[a-z\]\+\)\+'/)
})

test('a pattern that is too large to be analysed is refused', () => {
  const risk = exponentialRisk(lowerPattern(`/${'(?:a|b|c|d)'.repeat(600)}`, routePattern))
  assert.match(risk ?? '', /too large/)
})
