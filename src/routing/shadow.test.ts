import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parsePattern, PatternError, type PatternSyntax, routePattern, translatePattern } from '../pcre/pattern.js'
import { findShadowed, shadows } from './shadow.js'

function syntaxOf(pattern: string): PatternSyntax {
  return parsePattern(pattern, routePattern)
}

const pairs: [earlier: string, later: string, shadowed: boolean][] = [
  ['/products/(?P<slug>[^/]+)', '/products/(?P<id>\\d+)', true],
  ['/products/(?P<id>\\d+)', '/products/(?P<slug>[^/]+)', false],
  ['/products/(?P<id>\\d+)', '/products/(?P<number>[0-9]+)', true],
  ['/products', '/Products', true],
  ['/products', '/products/?', false],
  ['/products/?', '/products', true],
  ['/x/(?P<any>.+)', '/x/fixed', true],
  ['/x/(?P<any>.+)', '/x/(?P<a>[^/]+)/(?P<b>[^/]+)', false],
  ['/x/(?P<any>[\\s\\S]+)', '/x/(?P<a>[^/]+)/(?P<b>[^/]+)', true],
  ['/first/(?P<slug>[a-z]+)', '/first/special', true],
  ['/first/(?P<slug>[a-z]+)', '/first/special-1', false],
  ['/a(?:/(?P<id>\\d+))?', '/a', true],
  ['/a(?:/(?P<id>\\d+))?', '/a/(?P<id>\\d+)', true],
  ['/a/(?P<id>\\d{1,3})', '/a/(?P<id>\\d{2})', true],
  ['/a/(?P<id>\\d{2})', '/a/(?P<id>\\d{1,3})', false],
  ['/a/(?P<x>red|green|blue)', '/a/(?P<y>green|red)', true],
  ['/a/(?P<x>[a-m]+|[n-z]+)', '/a/(?P<y>[a-z]+)', false],
  ['/a/(?P<x>[a-m]|[n-z])', '/a/(?P<y>[a-z])', true],
  // What cannot be decided is not reported.
  ['/a/(?!x)(?P<x>.*)', '/a/b', false],
  ['/a/(?P<x>\\d++)', '/a/1', false],
  ['/a|/b', '/a', false],
  // A condition on the later route only makes it narrower.
  ['/a/(?P<x>[^/]+)', '/a/(?!x)(?P<y>\\w+)', true],
]
for (const [earlier, later, shadowed] of pairs)
  test(`${earlier} ${shadowed ? 'shadows' : 'leaves room for'} ${later}`, () =>
    assert.equal(shadows(syntaxOf(earlier), syntaxOf(later)), shadowed))

const parts = [
  'a',
  'b',
  '/',
  '\\d',
  '[ab]',
  '[^/]+',
  '\\d+',
  '(?:/a)?',
  '.*',
  '(?:a|b/)',
  'a*',
  '1',
  '(?!a)',
  '\\n',
  '[a-z]{1,2}',
]
const patterns = fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }).map((some) => `/${some.join('')}`)

/** Each part, texts that it takes, and parts that take all of them and more. */
const widenings: Record<string, { readonly texts: readonly string[]; readonly wider: readonly string[] }> = {
  a: { texts: ['a', 'A'], wider: ['[ab]', 'a*', '(?:a|b/)', '[^/]+', '[a-z]{1,2}'] },
  b: { texts: ['b'], wider: ['[ab]', '[^/]+', '[b-z]', '.*'] },
  '/': { texts: ['/'], wider: ['/?', '[^a]', '(?:/|b)', '.*'] },
  '1': { texts: ['1'], wider: ['\\d', '\\d+', '[^/]+', '[0-1]'] },
  '\\d': { texts: ['1', '9', '0'], wider: ['\\d+', '[^/]+', '\\d?', '\\w'] },
  '[ab]': { texts: ['a', 'b', 'B'], wider: ['[a-c]', '[^/]+', '[a-z]{1,2}', '(?:a|b/?)'] },
  '[^/]+': { texts: ['a', '1b', '-', '\n'], wider: ['[\\s\\S]+', '[^/]*', '[^/]+/?'] },
  '\\d+': { texts: ['1', '90', '123'], wider: ['\\d*', '[^/]+', '\\w+', '(?:\\d|a)+'] },
  '(?:/a)?': { texts: ['', '/a'], wider: ['(?:/a)*', '(?:/[ab])?', '.*', '/?a*'] },
  '.*': { texts: ['', 'a/b', '11'], wider: ['[\\s\\S]*', '(?:.|\\n)*', '.*\\n?'] },
  '(?:a|b/)': { texts: ['a', 'b/'], wider: ['(?:a|b/?)', '[ab]/?', '(?:a|b/)*', '.*'] },
  'a*': { texts: ['', 'a', 'aaa'], wider: ['[ab]*', '[^/]*', '(?:a/?)*'] },
  '\\n': { texts: ['\n'], wider: ['\\s', '\\n?', '[^/]+'] },
  '[a-z]{1,2}': { texts: ['a', 'zz', 'Ab'], wider: ['[a-z]{1,3}', '[a-z]{0,2}', '[a-z]+', '[^/]+'] },
  '(?!a)': { texts: [''], wider: ['', 'b?', '/?'] },
}

/** A part of a later route with what stands there in the earlier one, and texts that the later one takes. */
interface PartPair {
  readonly earlier: string
  readonly later: string
  readonly texts: readonly string[]
}

const widenedParts = fc.constantFrom(
  ...Object.entries(widenings).flatMap(([later, { texts, wider }]) =>
    [later, ...wider].map((earlier): PartPair => ({ earlier, later, texts })),
  ),
)
/** The wider part in the later route: its other texts are what an earlier route must not be said to take. */
const narrowedParts = widenedParts.map(({ earlier, later, texts }) => ({
  earlier: later,
  later: earlier,
  texts: [...texts, '', '/', 'b', 'ab', 'aaa', '99', '\n'],
}))
const rows = (part: fc.Arbitrary<PartPair>, maxLength: number) => fc.array(part, { minLength: 1, maxLength })
const patternOf = (row: readonly PartPair[], side: 'earlier' | 'later') => `/${row.map((part) => part[side]).join('')}`
/** Paths made of what the parts take, some with a piece too many. */
const pathsOf = (row: readonly PartPair[]) =>
  fc.array(
    fc
      .tuple(
        fc.tuple(...row.map(({ texts }) => fc.constantFrom(...texts))),
        fc.constantFrom('', '', '\n', 'a', '/', '1'),
      )
      .map(([some, end]) => `/${some.join('')}${end}`),
    { minLength: 5, maxLength: 15 },
  )

test('no path of a shadowed route escapes the earlier one', () => {
  const related = rows(fc.oneof({ weight: 6, arbitrary: widenedParts }, { weight: 1, arbitrary: narrowedParts }), 4)
  let asserted = 0
  fc.assert(
    fc.property(
      related.chain((row) => fc.tuple(fc.constant(row), pathsOf(row))),
      ([row, tried]) => {
        const [earlier, later] = [patternOf(row, 'earlier'), patternOf(row, 'later')]
        if (!shadows(syntaxOf(earlier), syntaxOf(later))) return
        const [wide, narrow] = [translatePattern(earlier, routePattern), translatePattern(later, routePattern)]
        for (const path of tried.filter((some) => narrow.matches(some))) {
          assert.ok(wide.matches(path), `${earlier} ${later} ${JSON.stringify(path)}`)
          asserted += 1
        }
      },
    ),
    { numRuns: 1500 },
  )
  assert.ok(asserted > 2000, `${asserted} paths were compared`)
})

test('a route whose every part is as wide or wider shadows the later one', () => {
  const decidable = widenedParts.filter(({ earlier }) => !earlier.includes('(?!'))
  fc.assert(
    fc.property(rows(decidable, 4), (row) =>
      assert.ok(
        shadows(syntaxOf(patternOf(row, 'earlier')), syntaxOf(patternOf(row, 'later'))),
        `${patternOf(row, 'earlier')} ${patternOf(row, 'later')}`,
      ),
    ),
    { numRuns: 500 },
  )
})

function routesOf(...listed: [method: string, pattern: string, namespace?: string][]) {
  return listed.map(([method, pattern, namespace = 'a/v1']) => ({
    method,
    pattern,
    namespace,
    syntax: syntaxOf(pattern),
  }))
}

test('finds the routes that are never reached, with what hides them', () => {
  const found = findShadowed(
    routesOf(
      ['GET', '/a/v1/(?P<slug>[^/]+)'],
      ['POST', '/a/v1/fixed'],
      ['GET', '/a/v1/fixed'],
      ['GET', '/a/v1/x/(?P<id>\\d+)'],
      ['GET', '/a/v1/x/(?P<id>\\d{2})', 'other'],
      ['GET', '/a/v1/x/(?P<other>\\d{2})'],
    ),
  )
  assert.deepEqual(
    found.map(({ route, by }) => [route.pattern, by.pattern]),
    [
      ['/a/v1/fixed', '/a/v1/(?P<slug>[^/]+)'],
      ['/a/v1/x/(?P<other>\\d{2})', '/a/v1/x/(?P<id>\\d+)'],
    ],
  )
})

test('finds what comparing all pairs finds', () => {
  const usable = patterns.filter((pattern) => {
    try {
      return syntaxOf(pattern) !== null
    } catch (error) {
      if (error instanceof PatternError) return false
      throw error
    }
  })
  fc.assert(
    fc.property(fc.array(usable, { maxLength: 8 }), (listed) => {
      const routes = routesOf(...listed.map((pattern): [string, string] => ['GET', pattern]))
      const expected = routes.flatMap((route, index) => {
        const by = routes.slice(0, index).find((earlier) => shadows(earlier.syntax, route.syntax))
        return by ? [[index, routes.indexOf(by)]] : []
      })
      const found = findShadowed(routes).map(({ route, by }) => [routes.indexOf(route), routes.indexOf(by)])
      assert.deepEqual(found, expected)
    }),
    { numRuns: 500 },
  )
})
