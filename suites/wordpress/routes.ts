import { readFileSync } from 'node:fs'
import type { ArgumentSchema } from '../../src/validation/rules.js'
import { schemaOf } from '../functions/schemas.js'
import type { Random } from '../support/random.js'

/** A route as both have it. */
export interface SuiteRoute {
  readonly namespace: string
  readonly route: string
  readonly method: string
  readonly permission: string | null
  readonly args: ArgumentSchema
  /** What `suite_answer` of plugin.php answers. Default: the parameters. */
  readonly answer?: string
  /** JSON. */
  readonly body?: string
  readonly name?: string
  readonly batch?: boolean
}

const recorded = new URL('../../conformance/recorded/http/echo-routes.json', import.meta.url)

const bodies = [
  '{"id":1,"title":{"raw":"a","rendered":"<b>\\u00e9</b>"},"list":[{"a":1,"b":2},{"a":3}],"empty":[],"0":"zero","n":1.5,"t":"a/b","nul":null}',
  '[{"id":1,"title":{"raw":"a"}},{"id":2,"x":{"y":{"z":1,"w":2}}}]',
  '[1,"two",null,{"id":3}]',
  '{"id":{"id":{"id":1}},"a.b":{"c":1},"a":{"b":{"c":2,"d":3}}}',
  '[]',
  'null',
  '5',
  '"text \\ud83d\\ude00 \\u2028 <&>\\u0027"',
  'false',
  '1e25',
  '0.1',
  '""',
]

const permissions = [
  'public',
  'public',
  'public',
  'isLoggedIn',
  'isAdmin',
  'canCreateProduct',
  'hasOpenParam',
  'error',
  null,
]
const sanitizers = (
  'absint sanitize_text_field sanitize_key sanitize_title sanitize_email wp_parse_id_list ' +
  'wp_parse_list esc_url_raw rest_sanitize_boolean sanitize_user wp_parse_slug_list'
).split(' ')

const listed = {
  per_page: { type: 'integer' },
  page: { type: 'integer' },
  category: { type: 'string' },
  orderby: { type: 'string' },
} as const

/** Routes of the example shop, which both have, and that change nothing. */
export const shopRoutes: readonly SuiteRoute[] = [
  { namespace: 'shop/v1', route: '/products', method: 'GET', permission: 'public', args: listed },
  { namespace: 'shop/v1', route: '/products', method: 'GET', permission: 'public', args: listed },
  { namespace: 'shop/v1', route: '/products/(?P<id>\\d+)', method: 'GET', permission: 'public', args: {} },
]

/** The recorded echo routes, others with answers of each kind, and routes with random arguments. */
export function routesFor(random: Random): SuiteRoute[] {
  const { namespace, routes } = JSON.parse(readFileSync(recorded, 'utf8')) as {
    readonly namespace: string
    readonly routes: readonly SuiteRoute[]
  }
  const randomRoute = (route: string, answer: string, more: Partial<SuiteRoute> = {}): SuiteRoute => ({
    namespace: 'made/v1',
    route,
    method: 'GET',
    permission: 'public',
    args: {},
    answer,
    ...more,
  })
  const withArguments = Array.from({ length: 40 }, (_, n) => {
    const pattern = random.pick([
      `/r${n}`,
      `/r${n}`,
      `/r${n}/(?P<x>[^/]+)`,
      `/r${n}(?:/(?P<a>\\w+))?`,
      `/r${n}/(?P<a>\\d+)/(?P<b>[a-z-]*)`,
    ])
    const methods = random.pick([['GET', 'POST'], ['GET', 'POST', 'PUT', 'DELETE'], ['POST', 'PATCH'], ['GET']])
    return methods.map((method) =>
      randomRoute(pattern, random.chance(0.5) ? 'reading' : 'echo', {
        method,
        permission: random.pick(permissions),
        args: argumentsOf(random),
        batch: true,
      }),
    )
  })
  return [
    ...routes.map((route) => ({ ...route, namespace, args: route.args ?? {} })),
    ...bodies.map((body, n) => randomRoute(`/body${n}`, 'body', { body })),
    ...bodies.slice(0, 4).map((body, n) => randomRoute(`/linked${n}`, 'linked', { body })),
    randomRoute('/linked5', 'linked', { body: 'null' }),
    randomRoute('/items', 'items', {
      args: {
        context: { type: 'string', enum: ['view', 'embed'], default: 'view' },
        per_page: { type: 'integer', maximum: 50 },
      },
    }),
    randomRoute('/item/(?P<id>\\d+)', 'reading', {
      batch: true,
      args: { context: { type: 'string' }, id: { type: 'integer', minimum: 1 } },
    }),
    randomRoute('/item/(?P<id>\\d+)', 'reading', { method: 'PUT', permission: 'canEditProduct', batch: true }),
    randomRoute('/item/(?P<id>\\d+)', 'empty', { method: 'DELETE', permission: 'canDeleteProduct', batch: true }),
    randomRoute('/closed', 'reading', { permission: 'isAdmin' }),
    randomRoute('/error', 'error', { method: 'GET', batch: true }),
    randomRoute('/error', 'error', { method: 'POST', batch: true }),
    randomRoute('/bare', 'bare'),
    randomRoute('/empty', 'empty'),
    randomRoute('/fallback/(?P<id>\\d+)', 'echo', { name: 'digits' }),
    randomRoute('/fallback/(?P<slug>[a-z0-9]+)', 'echo', { method: 'POST', name: 'slug' }),
    randomRoute('/Odd.Case/(?P<x>.*)', 'echo', { name: 'odd' }),
    randomRoute('/', 'echo', { method: 'POST', name: 'root' }),
    ...withArguments.flat(),
  ]
}

function argumentsOf(random: Random): ArgumentSchema {
  const names = ['a', 'b', 'c', 'd', 'x'].filter(() => random.chance(0.5))
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        ...(random.chance(0.85) && schemaOf(random)),
        ...(random.chance(0.1) && { required: random.pick([true, true, false]) }),
        ...(random.chance(0.15) && {
          default: random.pick(['', 'a', '1', 1, 0, true, false, [], ['a'], { a: 1 }, 'a,b', null]),
        }),
        ...(random.chance(0.15) && { sanitize_callback: random.pick(sanitizers) }),
        ...(random.chance(0.1) && { validate_callback: 'rest_validate_request_arg' }),
        ...(random.chance(0.1) && { description: 'What it is: "é".' }),
      },
    ]),
  ) as ArgumentSchema
}
