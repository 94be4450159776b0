import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parsePattern, PatternError, type PatternSyntax, routePattern, translatePattern } from '../pcre/pattern.js'
import { findShadowed, shadows } from './shadow.js'

function syntaxOf(pattern: string): PatternSyntax {
  return parsePattern(pattern, routePattern)
}

const pairs: [earlier: string, later: string, isShadowed: boolean][] = [
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
  // Undecidable cases count as not shadowed.
  ['/a/(?!x)(?P<x>.*)', '/a/b', false],
  ['/a/(?P<x>\\d++)', '/a/1', false],
  ['/a|/b', '/a', false],
  // A lookaround in the later route only makes it narrower.
  ['/a/(?P<x>[^/]+)', '/a/(?!x)(?P<y>\\w+)', true],
]
for (const [earlier, later, isShadowed] of pairs)
  test(`${earlier} ${isShadowed ? 'shadows' : 'does not shadow'} ${later}`, () =>
    assert.equal(shadows(syntaxOf(earlier), syntaxOf(later)), isShadowed))

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
const patterns = fc
  .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 })
  .map((sequence) => `/${sequence.join('')}`)

/** For each part: texts that it matches, and parts that match all its texts and possibly more. */
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

/** A part of a later route, the part of the earlier route at the same position, and texts for them. */
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
/** Pairs with the wider part in the later route, which the earlier route must not shadow. */
const narrowedParts = widenedParts.map(({ earlier, later, texts }) => ({
  earlier: later,
  later: earlier,
  texts: [...texts, '', '/', 'b', 'ab', 'aaa', '99', '\n'],
}))
const rows = (part: fc.Arbitrary<PartPair>, maxLength: number) => fc.array(part, { minLength: 1, maxLength })
const patternOf = (row: readonly PartPair[], key: 'earlier' | 'later') => `/${row.map((part) => part[key]).join('')}`
/** Paths of texts that the parts match, some with additional characters at the end. */
const pathsOf = (row: readonly PartPair[]) =>
  fc.array(
    fc
      .tuple(
        fc.tuple(...row.map(({ texts }) => fc.constantFrom(...texts))),
        fc.constantFrom('', '', '\n', 'a', '/', '1'),
      )
      .map(([texts, end]) => `/${texts.join('')}${end}`),
    { minLength: 5, maxLength: 15 },
  )

test('the earlier route matches every path of a shadowed route', () => {
  const related = rows(fc.oneof({ weight: 6, arbitrary: widenedParts }, { weight: 1, arbitrary: narrowedParts }), 4)
  let comparedCount = 0
  fc.assert(
    fc.property(
      related.chain((row) => fc.tuple(fc.constant(row), pathsOf(row))),
      ([row, paths]) => {
        const [earlier, later] = [patternOf(row, 'earlier'), patternOf(row, 'later')]
        if (!shadows(syntaxOf(earlier), syntaxOf(later))) return
        const [wide, narrow] = [translatePattern(earlier, routePattern), translatePattern(later, routePattern)]
        for (const path of paths.filter((candidate) => narrow.matches(candidate))) {
          assert.ok(wide.matches(path), `${earlier} ${later} ${JSON.stringify(path)}`)
          comparedCount += 1
        }
      },
    ),
    { numRuns: 1500 },
  )
  assert.ok(comparedCount > 2000, `${comparedCount} paths were compared`)
})

test('a route shadows a later one when each of its parts is equal or wider', () => {
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

function routesOf(...rows: [method: string, pattern: string, namespace?: string][]) {
  return rows.map(([method, pattern, namespace = 'a/v1']) => ({
    method,
    pattern,
    namespace,
    syntax: syntaxOf(pattern),
  }))
}

test('findShadowed returns the routes that are never reached, each with the route that shadows it', () => {
  const shadowed = findShadowed(
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
    shadowed.map(({ route, by }) => [route.pattern, by.pattern]),
    [
      ['/a/v1/fixed', '/a/v1/(?P<slug>[^/]+)'],
      ['/a/v1/x/(?P<other>\\d{2})', '/a/v1/x/(?P<id>\\d+)'],
    ],
  )
})

test('findShadowed returns what a comparison of all pairs gives', () => {
  const validPattern = patterns.filter((pattern) => {
    try {
      return syntaxOf(pattern) !== null
    } catch (error) {
      if (error instanceof PatternError) return false
      throw error
    }
  })
  fc.assert(
    fc.property(fc.array(validPattern, { maxLength: 8 }), (patterns) => {
      const routes = routesOf(...patterns.map((pattern): [string, string] => ['GET', pattern]))
      const expected = routes.flatMap((route, index) => {
        const by = routes.slice(0, index).find((earlier) => shadows(earlier.syntax, route.syntax))
        return by ? [[index, routes.indexOf(by)]] : []
      })
      const shadowed = findShadowed(routes).map(({ route, by }) => [routes.indexOf(route), routes.indexOf(by)])
      assert.deepEqual(shadowed, expected)
    }),
    { numRuns: 500 },
  )
})
