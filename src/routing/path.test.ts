import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParameterMap } from '../http/variables.js'
import { failuresIn } from '../../conformance/replay/failures.js'
import { routePathOf, type RouteTarget } from './path.js'

const settings = { rest_prefix: 'wp-json', homePath: '' }

function mapOf(entries: Record<string, unknown> = {}): Readonly<ParameterMap> {
  return Object.assign(Object.create(null) as Record<string, unknown>, entries)
}

function outcomeOf(target: RouteTarget): string {
  return target.kind === 'rest' ? target.path : target.kind === 'site' ? 'site' : target.error.code
}

test('addresses lead to the recorded routes', async () => assert.deepEqual(await failuresIn('routes-url'), []))

const paths: [path: string, expected: string][] = [
  ['/', 'site'],
  ['/wp-json', '/'],
  ['/wp-json/shop/v1/products/5///', '/shop/v1/products/5'],
  ['/wp-json//shop/v1/x', '//shop/v1/x'],
  ['/WP-JSON/shop/v1/x', 'site'],
  ['/wp-jsonx', 'site'],
  ['/x/wp-json/a', 'site'],
  ['/index.php/wp-json/shop/v1/x', '/shop/v1/x'],
  ['/index.php', 'site'],
  ['/wp-json/a\\', '/a'],
  ["/wp-json/it's", "/it\\'s"],
  ['/wp-json/a\\b', '/a\\\\b'],
  ['/wp-json/0', '/0'],
  ['/wp-json/prod%75cts', '/prod%75cts'],
  ['/wp%2Djson/prod%75cts', '/products'],
  ['/wp%2Djson/%zz/%ff', '/%zz/\udcff'],
  ['/wp%2Djson/a%0Ab', '/a'],
  ['/wp-json%0A', '/'],
  ['/wp-json/%0A', '/'],
  ['/wp-json/a%0A', '/a%0A'],
  ['/index%2Ephp/wp-json/a%20b', '/a b'],
  ['/wp%252Djson/a', 'site'],
]
for (const [path, expected] of paths)
  test(`the path ${path} leads to ${expected}`, () =>
    assert.equal(outcomeOf(routePathOf(path, mapOf(), settings)), expected))

const parameters: [value: unknown, expected: string][] = [
  ['/shop/v1/echo', '/shop/v1/echo'],
  ['/', '/'],
  ['/shop/v1/echo//', '/shop/v1/echo'],
  ['', 'site'],
  ['0', 'site'],
  ["/it's", "/it\\'s"],
  ['/a"\\b\0', '/a\\"\\\\b\\0'],
  ['/a\n', '/a\n'],
  [['x'], 'rest_path_invalid_type'],
  [mapOf({ a: 'x' }), 'rest_path_invalid_type'],
]
for (const [value, expected] of parameters)
  test(`rest_route=${JSON.stringify(value)} wins over the path and leads to ${JSON.stringify(expected)}`, () => {
    const target = routePathOf('/wp-json/shop/v1/products/5', mapOf({ rest_route: value }), settings)
    assert.equal(outcomeOf(target), expected)
    if (target.kind === 'refused') assert.deepEqual(target.error.data, { status: 400 })
  })

test('a form parameter wins over a query parameter', () => {
  const target = routePathOf('/', mapOf({ rest_route: '/query' }), settings, mapOf({ rest_route: '/form' }))
  assert.equal(outcomeOf(target), '/form')
})

test('the path of the site itself is removed, whatever its case', () => {
  const settingsOfBlog = { rest_prefix: 'api', homePath: '/blog/' }
  for (const path of ['/blog/api/a', '/BLOG/api/a', '/api/a'])
    assert.equal(outcomeOf(routePathOf(path, mapOf(), settingsOfBlog)), '/a')
  assert.equal(outcomeOf(routePathOf('/blogapi/a', mapOf(), settingsOfBlog)), 'site')
})

test('a path with long runs of slashes leads to a route', () => {
  const path = `/wp-json/a${'/'.repeat(200_000)}b${'/'.repeat(200_000)}`
  assert.equal(routePathOf(path, mapOf(), settings).kind, 'rest')
})
