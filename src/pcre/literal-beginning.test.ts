import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPattern } from './literal-beginning.js'
import { RouteTable } from '../routing/table.js'

const splits: [pattern: string, literal: string][] = [
  ['/shop/v1/products/(?P<id>\\d+)', '/shop/v1/products'],
  ['/shop/v1/products', '/shop/v1/products'],
  ['/shop/v1/things-(?P<id>\\d+)', '/shop/v1'],
  ['/shop/v1/things+', '/shop/v1'],
  ['/shop/v1/a.b/c', '/shop/v1'],
  ['/shop/v1/a|/b', '/shop/v1'],
  ['(?P<any>.*)', ''],
  ['//x', ''],
]
for (const [pattern, literal] of splits)
  test(`the literal beginning of ${pattern} is '${literal}'`, () => {
    assert.deepEqual(cutPattern(pattern), { literal, rest: pattern.slice(literal.length) })
  })

test('routes with equal endings match as each of them does alone in a table', () => {
  const suffixes = ['', '/(?P<id>\\d+)', '/x|/y', '/(?P<slug>[\\w-]+)/x', '/(?:a|b)', '(?:/page/(?P<page>\\d+))?']
  const paths = ['', '/7', '/x', '/some/x', '/a', '/page/2', '/nothing/at/all'].flatMap((suffix) => [
    `/n/v1/one${suffix}`,
    `/n/v1/TWO${suffix}`,
    suffix,
  ])
  const routes = suffixes.flatMap((suffix) => [`/one${suffix}`, `/two${suffix}`])
  const combinedTable = tableOf(routes)
  for (const path of paths) {
    const expectedRoute = routes.find((route) => tableOf([route]).match(path, 'GET'))
    assert.equal(combinedTable.match(path, 'GET')?.handler.route ?? null, expectedRoute ?? null, path)
  }
})

function tableOf(routes: readonly string[]): RouteTable<{ methods: readonly string[]; route: string }> {
  const methods = ['GET']
  const table = new RouteTable(() => ({ methods, route: 'namespace' }))
  for (const route of routes) table.add({ namespace: 'n/v1', route, handler: { methods, route } })
  return table
}
