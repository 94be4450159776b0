import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parsePattern, PatternFault, type PatternSyntax, routePattern, translatePattern } from './pattern.js'
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
const paths = fc
  .array(fc.constantFrom('a', 'b', '/', '1', '\n', 'c'), { maxLength: 6 })
  .map((some) => `/${some.join('')}`)

test('no path of a shadowed route escapes the earlier one', () => {
  fc.assert(
    fc.property(patterns, patterns, fc.array(paths, { maxLength: 30 }), (earlier, later, tried) => {
      if (!shadows(syntaxOf(earlier), syntaxOf(later))) return
      const [wide, narrow] = [translatePattern(earlier, routePattern), translatePattern(later, routePattern)]
      for (const path of tried) if (narrow.matches(path)) assert.ok(wide.matches(path), `${earlier} ${later} ${path}`)
    }),
    { numRuns: 3000 },
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
      if (error instanceof PatternFault) return false
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
