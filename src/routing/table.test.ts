import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failuresIn } from '../../conformance/replay/failures.js'
import { tableOf, tablesOf, type RecordedRegistration } from '../../conformance/replay/routes.js'
import { readVectors } from '../../conformance/vectors.js'
import { RouteTable } from './table.js'
import { routePattern, translatePattern } from '../pcre/pattern.js'

test('routes match as recorded', async () => assert.deepEqual(await failuresIn('routes'), []))

test('routes are registered as recorded', async () => assert.deepEqual(await failuresIn('routes-register'), []))

test('a path is matched up to 4,096 bytes, and up to 1,024 by a pattern of quadratic time', () => {
  const patterns: [pattern: string, maxBytes: number][] = [
    ['/files/(?P<folder>.+)/(?P<name>.+)\\.(?P<ext>[a-z]+)', 1024],
    ['/files/(?P<name>[^.]+)\\.(?P<ext>[a-z]+)', 4096],
    // This pattern is accepted. It would take two seconds for 4,096 bytes of `a`.
    ['/files/[/a]+[/a]+a{14}(?P<name>b?)\\.(?P<ext>[a-z]+)', 1024],
  ]
  for (const [route, maxBytes] of patterns) {
    const table = tableOf([{ namespace: 'demo/v1', route, methods: 'GET', override: false }])
    const pathOf = (length: number, end: string, filler = '/') =>
      '/demo/v1/files/'.padEnd(length - end.length, filler) + end
    const matchingEnd = `${'a'.repeat(14)}.b`
    assert.equal(table.match(pathOf(maxBytes, matchingEnd), 'GET')?.params['ext'], 'b')
    for (const path of [
      pathOf(maxBytes + 1, matchingEnd),
      pathOf(maxBytes, `é${matchingEnd}`),
      pathOf(200_000, matchingEnd),
      pathOf(maxBytes, '!', 'a'),
    ]) {
      assert.equal(table.match(path, 'GET'), null)
      assert.equal(table.matchAny(path), null)
    }
  }
})

test('a table lists its patterns in the recorded order', () => {
  const recorded = readVectors('routes')
  const tables = tablesOf(recorded)
  const orders = recorded['patternsInMatchingOrder'] as Record<string, string[]>
  for (const [name, patterns] of Object.entries(orders))
    assert.deepEqual(
      tables.get(name)?.routes.map(({ pattern }) => pattern),
      [...patterns],
      name,
    )
})

const shop = tableOf(
  [
    ['/products', 'GET'],
    ['/products', 'POST'],
    ['/products/(?P<id>\\d+)', 'GET'],
    ['/products/(?P<slug>[a-z-]+)', 'GET, DELETE'],
    ['/opt(?:/(?P<page>\\d+))?', 'GET'],
    ['/only-head', 'HEAD'],
    ['/files(?P<rest>/.*)?', 'GET'],
  ].map(([route = '', methods = '']) => ({ namespace: 'shop/v1', route, methods, override: false })),
)
const requests: [method: string, path: string, registration: unknown, params?: Record<string, string>][] = [
  ['GET', '/shop/v1/products', 0],
  ['HEAD', '/shop/v1/products', 0],
  ['POST', '/shop/v1/products', 1],
  ['PUT', '/shop/v1/products', undefined],
  ['GET', '/shop/v1/products/7', 2, { id: '7' }],
  ['GET', '/shop/v1/products/7\n', 2, { id: '7' }],
  ['DELETE', '/shop/v1/products/7', undefined],
  ['DELETE', '/shop/v1/products/seven', 3, { slug: 'seven' }],
  ['GET', '/SHOP/V1/Products/7', 2, { id: '7' }],
  ['GET', '/shop/v1/opt', 4],
  ['GET', '/shop/v1/opt/3', 4, { page: '3' }],
  ['GET', '/shop/v1/opt3', undefined],
  ['GET', '/shop/v1/only-head', undefined],
  ['HEAD', '/shop/v1/only-head', 5],
  ['GET', '/shop/v1/files', 6],
  ['GET', '/shop/v1/files/a/b', 6, { rest: '/a/b' }],
  ['GET', '/shop/v1', 'namespace-index'],
  ['GET', '/', undefined],
]
for (const [method, path, registration, params = {}] of requests)
  test(`${method} ${JSON.stringify(path)} is served by ${String(registration)}`, () => {
    const match = shop.match(path, method)
    assert.equal(match?.handler.registration, registration)
    if (match) assert.deepEqual({ ...match.params }, params)
    if (match) assert.equal(Object.getPrototypeOf(match.params), null)
  })

test('each match of the same path has parameters of its own', () => {
  for (let time = 0; time < 3; time += 1) {
    for (const id of ['7', '8']) {
      const { params } = shop.match(`/shop/v1/products/${id}`, 'GET') ?? {}
      assert.deepEqual({ ...params }, { id })
      if (params) params['id'] = params['more'] = 'changed by a handler'
    }
    const { params } = shop.match('/shop/v1/products', 'GET') ?? {}
    assert.deepEqual({ ...params }, {})
    if (params) params['more'] = 'changed by a handler'
  }
})

// The tree uses a newline as its wildcard. If it matched a newline of the path as well, this path could be looked up in 2 to
// the power of 30 ways.
test('a path with many newlines is looked up quickly', () => {
  const nested = Array.from({ length: 30 }, (_, depth) => '/([^/]+)'.repeat(depth + 1))
  const routes = nested.flatMap((route) => [route, `${route}/end`, `${route}.json`])
  const table = tableOf(routes.map((route) => ({ namespace: 'deep/v1', route, methods: 'GET', override: false })))
  const segments = '/\n'.repeat(30)
  assert.equal(table.match(`/deep/v1${segments}`, 'GET')?.route.pattern, `/deep/v1${nested.at(-1)}`)
  assert.equal(table.match(`/deep/v1${segments}/x/y`, 'GET'), null)
})

test('OPTIONS finds the first route of all, whatever its methods and namespace', () => {
  const table = tableOf([
    { namespace: 'a/v1', route: '/(?P<any>.*)', methods: 'POST', override: false },
    { namespace: 'a/v1/deep', route: '/x', methods: 'GET', override: false },
  ])
  assert.equal(table.matchAny('/a/v1/deep/x')?.route.pattern, '/a/v1/(?P<any>.*)')
  assert.equal(table.matchAny('/b'), null)
})

test('a route outside all namespaces is a candidate only where no namespace begins the path', () => {
  const handlerOf = (name: string) => ({ name, methods: ['GET'] })
  const table = new RouteTable(() => handlerOf('namespace'))
  table.add({ namespace: null, route: '/', handler: handlerOf('index') })
  table.add({ namespace: null, route: '/shop/v1/x', handler: handlerOf('outside') })
  assert.equal(table.match('/', 'GET')?.handler.name, 'index')
  assert.equal(table.match('/shop/v1/x', 'GET')?.handler.name, 'outside')
  table.add({ namespace: 'shop/v1', route: '/y', handler: handlerOf('inside') })
  assert.equal(table.match('/shop/v1/x', 'GET'), null)
})

test('a pattern that cannot be used never matches', () => {
  const table = tableOf([{ namespace: 'a/v1', route: '/(?P<n>[', methods: 'GET', override: false }])
  assert.equal(table.match('/a/v1/[', 'GET'), null)
})

/** A reference implementation of docs/wire.md#candidates-and-order, which tries one route after the other. */
function scan(registrations: readonly RecordedRegistration[], path: string, method: string): unknown {
  const keys = new Map<string, { namespace: string; handlers: { methods: unknown; registration: unknown }[] }>()
  const namespaces: string[] = []
  for (const [registration, { namespace, route, methods }] of registrations.entries()) {
    const add = (key: string, handler: { methods: unknown; registration: unknown }): void => {
      keys.set(key, { namespace, handlers: [...(keys.get(key)?.handlers ?? []), handler] })
    }
    if (!namespaces.includes(namespace)) add(`/${namespace}`, { methods: 'GET', registration: 'namespace-index' })
    if (!namespaces.includes(namespace)) namespaces.push(namespace)
    add(`/${namespace}/${route.replace(/^\/+|\/+$/g, '')}`, { methods, registration })
  }
  const pathNamespaces = namespaces.filter((namespace) => `${path.replace(/^\/+/, '')}/`.startsWith(namespace))
  const all = [...keys]
  const candidates =
    pathNamespaces.length === 0
      ? all
      : pathNamespaces.flatMap((name) => all.filter(([, { namespace }]) => namespace === name))
  for (const [pattern, { handlers }] of candidates) {
    const handler = handlers.find(({ methods }) => methods === method || (methods === 'GET' && method === 'HEAD'))
    const params = handler && translatePattern(pattern, routePattern).capture(path)
    if (handler && params) return { pattern, registration: handler.registration, params: { ...params } }
  }
  return null
}

const pieces = [
  'a',
  'b',
  'A',
  '/',
  '/a',
  '/b',
  '\\d',
  '(?P<x>\\d+)',
  '(?P<y>[^/]+)',
  '(?:/(?P<z>a|b))?',
  '.',
  '/.*',
  '(?:a|/b)',
  '/?',
  '[/a]',
  '|',
  '$',
  'é',
  '\\n',
  '(?P<w>[a-z]*)',
  'ab',
  '(?:/a/b|/c)*',
  '(?=/)',
]
const routes = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
const validRoutes = routes.filter((route) => {
  try {
    translatePattern(route, routePattern)
    return true
  } catch {
    return false
  }
})
const registrations = fc.array(
  fc.record({
    namespace: fc.constantFrom('n/v1', 'n/v10', 'n/v1/a', 'N/v1', 'm'),
    route: validRoutes,
    methods: fc.constantFrom('GET', 'POST', 'HEAD'),
    override: fc.constant(false),
  }),
  { minLength: 1, maxLength: 12 },
)
const requestPaths = fc
  .tuple(
    fc.constantFrom('/n/v1', '/n/v10', '/N/V1', '/m', '', '/n/v1/a', '//n/v1'),
    fc.array(fc.constantFrom('/', 'a', 'b', '1', 'A', 'é', '/a', '/b', '\n', 'c'), { maxLength: 6 }),
  )
  .map(([start, parts]) => start + parts.join(''))

test('a table matches as a scan of all routes does', () => {
  fc.assert(
    fc.property(registrations, fc.array(requestPaths, { minLength: 1, maxLength: 8 }), (registered, paths) => {
      const table = tableOf(registered)
      for (const path of paths)
        for (const method of ['GET', 'POST', 'HEAD']) {
          const match = table.match(path, method)
          const { route, handler, params } = match ?? {}
          const actual = match && {
            pattern: route?.pattern,
            registration: handler?.registration,
            params: { ...params },
          }
          assert.deepEqual(actual, scan(registered, path, method), `${method} ${JSON.stringify(path)}`)
        }
    }),
    { numRuns: 400 },
  )
})

test('a match tries at most four of ten thousand routes', () => {
  const shapes = [
    '',
    '/(?P<id>\\d+)',
    '/(?P<id>\\d+)/parts',
    '/(?P<slug>[a-z0-9-]+)/x(?:/(?P<page>\\d+))?',
    '/all(?P<rest>/.*)?',
  ]
  const table = tableOf(
    Array.from({ length: 10_000 }, (_, number) => ({
      namespace: `n${number % 50}/v1`,
      route: `/items${number}${shapes[number % shapes.length] ?? ''}`,
      methods: 'GET',
      override: false,
    })),
  )
  // A pattern is compiled when it is first tried, so the compiled patterns are the tried ones.
  const originalRegExp = RegExp
  let compiledCount = 0
  globalThis.RegExp = new Proxy(originalRegExp, {
    construct(target, parameters) {
      compiledCount += 1
      return Reflect.construct(target, parameters) as RegExp
    },
  })
  try {
    assert.equal(table.match('/n3/v1/items8003/x-1/x/4', 'GET')?.handler.registration, 8003)
    assert.equal(table.match('/n9/v1/items9/nothing', 'GET'), null)
  } finally {
    globalThis.RegExp = originalRegExp
  }
  assert.ok(compiledCount <= 4, `${compiledCount} patterns were tried`)
})
