import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { failuresIn } from '../../conformance/replay/failures.js'
import { tableOf, tablesOf, type RecordedRegistration } from '../../conformance/replay/routes.js'
import { readVectors } from '../../conformance/vectors.js'
import { RouteTable } from './table.js'
import { routePattern, translatePattern } from '../pcre/pattern.js'

test('recorded: routes', async () => assert.deepEqual(await failuresIn('routes'), []))

test('recorded: routes-register', async () => assert.deepEqual(await failuresIn('routes-register'), []))

test('a path is matched up to 4,096 bytes, and up to 1,024 by a pattern of quadratic time', () => {
  const patterns: [pattern: string, longest: number][] = [
    ['/files/(?P<folder>.+)/(?P<name>.+)\\.(?P<ext>[a-z]+)', 1024],
    ['/files/(?P<name>[^.]+)\\.(?P<ext>[a-z]+)', 4096],
    // Accepted, and two seconds for 4,096 bytes of `a`.
    ['/files/[/a]+[/a]+a{14}(?P<name>b?)\\.(?P<ext>[a-z]+)', 1024],
  ]
  for (const [route, longest] of patterns) {
    const table = tableOf([{ namespace: 'demo/v1', route, methods: 'GET', override: false }])
    const pathOf = (length: number, end: string, filler = '/') =>
      '/demo/v1/files/'.padEnd(length - end.length, filler) + end
    const fitting = `${'a'.repeat(14)}.b`
    assert.equal(table.match(pathOf(longest, fitting), 'GET')?.params['ext'], 'b')
    for (const path of [
      pathOf(longest + 1, fitting),
      pathOf(longest, `é${fitting}`),
      pathOf(200_000, fitting),
      pathOf(longest, '!', 'a'),
    ]) {
      assert.equal(table.match(path, 'GET'), null)
      assert.equal(table.matchAny(path), null)
    }
  }
})

test('lists patterns in the recorded order', () => {
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
  test(`${method} ${JSON.stringify(path)} is answered by ${String(registration)}`, () => {
    const found = shop.match(path, method)
    assert.equal(found?.handler.registration, registration)
    if (found) assert.deepEqual({ ...found.params }, params)
    if (found) assert.equal(Object.getPrototypeOf(found.params), null)
  })

test('a path that is asked for again has its own parameters', () => {
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

// 2 to the power of 30 ways, for a newline that were taken for whatever stands in a segment as well as for itself.
test('a path of newlines is looked up as quickly as others', () => {
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
  const named = (name: string) => ({ name, methods: ['GET'] })
  const table = new RouteTable(() => named('namespace'))
  table.add({ namespace: null, route: '/', handler: named('index') })
  table.add({ namespace: null, route: '/shop/v1/x', handler: named('outside') })
  assert.equal(table.match('/', 'GET')?.handler.name, 'index')
  assert.equal(table.match('/shop/v1/x', 'GET')?.handler.name, 'outside')
  table.add({ namespace: 'shop/v1', route: '/y', handler: named('inside') })
  assert.equal(table.match('/shop/v1/x', 'GET'), null)
})

test('a pattern that cannot be used never matches', () => {
  const table = tableOf([{ namespace: 'a/v1', route: '/(?P<n>[', methods: 'GET', override: false }])
  assert.equal(table.match('/a/v1/[', 'GET'), null)
})

/** The rules of docs/wire.md#candidates-and-order word for word, one route after the other. */
function scan(registrations: readonly RecordedRegistration[], path: string, method: string): unknown {
  const keys = new Map<string, { namespace: string; handlers: { methods: unknown; registration: unknown }[] }>()
  const namespaces: string[] = []
  for (const [registration, { namespace, route, methods }] of registrations.entries()) {
    const put = (key: string, entry: { methods: unknown; registration: unknown }): void => {
      const known = keys.get(key)
      keys.set(key, { namespace, handlers: [...(known?.handlers ?? []), entry] })
    }
    if (!namespaces.includes(namespace)) put(`/${namespace}`, { methods: 'GET', registration: 'namespace-index' })
    if (!namespaces.includes(namespace)) namespaces.push(namespace)
    put(`/${namespace}/${route.replace(/^\/+|\/+$/g, '')}`, { methods, registration })
  }
  const inPath = namespaces.filter((namespace) => `${path.replace(/^\/+/, '')}/`.startsWith(namespace))
  const all = [...keys]
  const candidates =
    inPath.length === 0 ? all : inPath.flatMap((name) => all.filter(([, { namespace }]) => namespace === name))
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
const usable = routes.filter((route) => {
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
    route: usable,
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

test('finds what a scan of all routes finds', () => {
  fc.assert(
    fc.property(registrations, fc.array(requestPaths, { minLength: 1, maxLength: 8 }), (registered, asked) => {
      const table = tableOf(registered)
      for (const path of asked)
        for (const method of ['GET', 'POST', 'HEAD']) {
          const found = table.match(path, method)
          const { route, handler, params } = found ?? {}
          const plain = found && { pattern: route?.pattern, registration: handler?.registration, params: { ...params } }
          assert.deepEqual(plain, scan(registered, path, method), `${method} ${JSON.stringify(path)}`)
        }
    }),
    { numRuns: 400 },
  )
})

test('looks at a handful of routes out of ten thousand', () => {
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
  // Patterns are compiled when first tried: those that a match compiles are those it looks at.
  const compile = RegExp
  let compiled = 0
  globalThis.RegExp = new Proxy(compile, {
    construct(target, given) {
      compiled += 1
      return Reflect.construct(target, given) as RegExp
    },
  })
  try {
    assert.equal(table.match('/n3/v1/items8003/x-1/x/4', 'GET')?.handler.registration, 8003)
    assert.equal(table.match('/n9/v1/items9/nothing', 'GET'), null)
  } finally {
    globalThis.RegExp = compile
  }
  assert.ok(compiled <= 4, `${compiled} patterns were tried`)
})
