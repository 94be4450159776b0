import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { readVectors } from '../../conformance/vectors.js'
import { argumentPattern, parsePattern, type PatternNode, type PatternSyntax, routePattern } from './pattern.js'
import { contains } from './character-set.js'
import { exponentialRisk, growthOf } from './safety.js'

/**
 * A plain backtracking matcher, as regular expression engines are built, that counts its steps: what the judgement is
 * compared with, without a clock.
 */
function stepsOf({ root }: PatternSyntax, text: string, most: number): number {
  let steps = 0
  const run = (node: PatternNode, at: number, then: (at: number) => boolean): boolean => {
    steps += 1
    if (steps > most) return true
    switch (node.kind) {
      case 'characters':
        return at < text.length && contains(node.set, text.charCodeAt(at)) && then(at + 1)
      case 'sequence':
        return node.items.reduceRight<(at: number) => boolean>(
          (next, item) => (from) => run(item, from, next),
          then,
        )(at)
      case 'alternation':
        return node.branches.some((branch) => run(branch, at, then))
      case 'capture':
        return run(node.body, at, then)
      case 'repeat': {
        const again = (count: number, from: number): boolean => {
          const more = (): boolean =>
            count < node.maximum &&
            run(node.body, from, (to) => (to > from || count < node.minimum) && again(count + 1, to))
          if (count < node.minimum) return more()
          return node.mode === 'lazy' ? then(from) || more() : more() || then(from)
        }
        return again(0, at)
      }
      case 'edge':
        return (node.edge === 'start' ? at === 0 : at === text.length) && then(at)
      default:
        return then(at)
    }
  }
  run(root, 0, () => true)
  return steps
}

/** The piece of text, repeated and then spoilt, that makes the pattern slow. */
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
]
for (const [pattern, piece] of exponential)
  test(`${pattern} can take exponential time`, () => {
    const syntax = parsePattern(pattern, routePattern)
    assert.match(exponentialRisk(syntax) ?? '', /exponential time/)
    assert.equal(growthOf(syntax).degree, Infinity)
    const [short, long] = [12, 18].map((length) => stepsOf(syntax, `/${piece.repeat(length)}!`, 3e6))
    assert.ok((long ?? 0) > 6 * (short ?? 0), `${short} steps, then ${long}`)
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
  test(`${pattern} grows with the power of ${degree} at most`, () => {
    const syntax = parsePattern(pattern, routePattern)
    assert.equal(growthOf(syntax).degree, degree)
    assert.equal(exponentialRisk(syntax) === null, degree <= 2)
    const [short, long] = [20, 40].map((times) => stepsOf(syntax, `/${piece.repeat(times)}!`, 3e6))
    assert.ok((long ?? 0) < 2 ** degree * 1.3 * (short ?? 0), `${short} steps, then ${long}`)
  })

test('a count of what may be empty can take exponential time in that count', () => {
  const [few, many] = [6, 14].map((count) => parsePattern(`/(?:a?){${count}}a{${count}}`, routePattern))
  assert.ok(few && many && exponentialRisk(few) && exponentialRisk(many))
  assert.ok(stepsOf(many, `/${'a'.repeat(13)}`, 3e6) > 100 * stepsOf(few, `/${'a'.repeat(5)}`, 3e6))
})

const rowsOfChoices: Example[] = [
  [`/r/(?P<a>${'\\d?'.repeat(26)}\\d{26})`, '1'],
  [`/${'a?'.repeat(28)}${'a'.repeat(28)}!`, 'a'],
  [`/${'(?:a|b)?'.repeat(25)}[ab]{25}!`, 'ab'],
  [`/${'(?:a|)'.repeat(25)}a{25}!`, 'a'],
  [`/${'a{0,2}'.repeat(16)}!`, 'a'],
  [`/${'(?:a|a)'.repeat(25)}!`, 'a'],
  [`/${'(?:|)'.repeat(30)}!`, 'a'],
  [`/${'(?:ab+)?'.repeat(25)}!`, 'ab'],
  [`/${'[az]{1,4}z[az]+-'.repeat(9)}!`, 'zzzzzzz-'],
]
for (const [pattern] of rowsOfChoices)
  test(`a row of choices can take exponential time: ${pattern}`, () => {
    const syntax = parsePattern(pattern, routePattern)
    assert.match(exponentialRisk(syntax) ?? '', /exponential time/)
    assert.equal(growthOf(parsePattern(`^${pattern}$`, argumentPattern)).degree, Infinity)
  })

test('choices that cannot share a text, and a few that can, are harmless', () => {
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
    assert.equal(exponentialRisk(parsePattern(`/v/${pattern}`, routePattern)), null, pattern)
    assert.ok(growthOf(parsePattern(pattern, argumentPattern)).degree <= 2, pattern)
  }
})

/** Small patterns of optional, counted and alternative pieces, and a text of the same few letters. */
const piece: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('a', 'b', '[ab]', '(?:a|b)', '(?:a|)', '(?:a|ab)', '(?:b?a)', '(?:ab?|b)', '-'),
    fc.constantFrom('', '?', '{0,2}', '{1,3}', '{2}', '??', '+'),
  )
  .map(([item, count]) => item + count)
const row = fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 5 })
const text = fc.array(fc.constantFrom('a', 'b', 'ab', 'aab', '-'), { minLength: 1, maxLength: 4 })

test('a pattern that passes takes no long time over a text that does not match', () => {
  let passed = 0
  fc.assert(
    fc.property(row, text, (pieces, letters) => {
      const syntax = parsePattern(`/${pieces.map(([item, times]) => item.repeat(times)).join('')}!`, routePattern)
      if (exponentialRisk(syntax) !== null) return
      passed += 1
      // Quadratic, for each piece of the pattern a few steps from each of 45,000 pairs of places; cubic would be 4,500,000 pairs.
      const allowed = Math.max(3e6, 45_000 * 4 * syntax.source.length)
      const path = `/${letters.join('').repeat(300)}`.slice(0, 300)
      assert.ok(stepsOf(syntax, path, allowed) < allowed, `${syntax.source} takes long over ${path}`)
    }),
    { numRuns: 2000 },
  )
  assert.ok(passed > 200, `only ${passed} patterns pass`)
})

test('thousands of patterns are judged in no long time', () => {
  const start = performance.now()
  for (let index = 0; index < 10_000; index += 1)
    growthOf(parsePattern(`/items-${index}/(?P<id>\\d+)(?:/(?P<slug>[\\w-]+))?`, routePattern))
  assert.ok(performance.now() - start < 10_000)
})

test('no shape of WordPress is doubtful', () => {
  const { shapes } = readVectors('routes-wordpress-shapes') as unknown as { shapes: { example: string }[] }
  for (const { example } of shapes) assert.equal(exponentialRisk(parsePattern(example, routePattern)), null, example)
})

test('a search costs one more power than a match from the start', () => {
  const degreeOf = (pattern: string): number => growthOf(parsePattern(pattern, argumentPattern)).degree
  assert.deepEqual(['^a+$', 'a+$', '^a*a*$', '^(?:a|b)|c'].map(degreeOf), [1, 2, 2, 1])
  assert.equal(degreeOf('(?=(?:a+)+b)x'), Infinity)
  assert.equal(degreeOf('^(?:\\p{L}|\\d)+$'), Infinity)
})

test('the sentence names the part that does it', () => {
  assert.match(exponentialRisk(parsePattern('/x/(?P<a>([a-z]+)+)/y', routePattern)) ?? '', /'\(\[a-z\]\+\)\+'/)
})

test('what is too large to be judged is doubtful', () => {
  const risk = exponentialRisk(parsePattern(`/${'(?:a|b|c|d)'.repeat(600)}`, routePattern))
  assert.match(risk ?? '', /too large/)
})
