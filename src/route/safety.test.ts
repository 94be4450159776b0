import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVectors } from '../../conformance/vectors.js'
import { argumentPattern, parsePattern, type PatternNode, type PatternSyntax, routePattern } from './pattern.js'
import { contains } from './pattern/character-set.js'
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
