import type { Random } from '../support/random.js'
import { addressOf, batchOf, bodyOf, pairOf, specialPairOf } from './bodies.js'
import type { Caller } from './callers.js'
import type { SuiteRoute } from './routes.js'
import { oddPaths } from './values.js'

/** A request as its bytes are sent. */
export interface SentRequest {
  readonly method: string
  /** From the root of the server, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface RequestSources {
  readonly routes: readonly SuiteRoute[]
  readonly callers: readonly Caller[]
  /** The address of the site. */
  readonly home: string
}

const methods = 'GET GET GET GET POST POST POST PUT PATCH DELETE OPTIONS OPTIONS HEAD'.split(' ')
const origins = ['http://x.example', 'null', '0', 'x', 'http://é.example']
const overrides = ['GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'patch', 'x', '']

/** A request to a route, near one, or to `batch/v1`. */
export function requestOf(random: Random, { routes, callers, home }: RequestSources): SentRequest {
  const route = random.pick(routes)
  const isBatch = random.chance(0.05)
  const method = isBatch ? 'POST' : random.chance(0.7) ? route.method : random.pick(methods)
  const caller = random.chance(0.4) ? { headers: {}, nonce: null } : random.pick(callers)
  const names = Object.keys(route.args)
  const hasBody = random.chance(method === 'GET' || method === 'HEAD' ? 0.08 : 0.7)
  const body = isBatch
    ? { type: 'application/json', text: batchOf(random, routes) }
    : hasBody
      ? bodyOf(random, names, caller.nonce)
      : null
  const query = queryOf(random, names, caller.nonce)
  const path = isBatch ? '/wp-json/batch/v1' : pathOf(random, route, method, query)
  const headers = {
    ...caller.headers,
    ...(body !== null && body.type !== null && { 'content-type': body.type }),
    ...(random.chance(0.12) && { origin: random.pick([...origins, home]) }),
    ...(random.chance(0.08) && { 'x-http-method-override': random.pick(overrides) }),
    ...(random.chance(0.04) && { accept: random.pick(['text/html', 'application/json', 'application/xml']) }),
    ...(random.chance(0.02) && { range: 'bytes=0-3' }),
    ...(random.chance(0.02) && { 'if-none-match': '"x"' }),
    ...(random.chance(0.02) && { 'x-wp-nonce': random.pick(['', 'x', '0']) }),
  }
  const address = query.length === 0 ? path : `${path}?${query.join('&')}`
  return {
    method,
    // What Node's parser refuses is 400 before any route is looked up.
    path: address.replaceAll(/[^!-~]+/g, encodeURIComponent),
    headers,
    ...(body !== null && { body: body.text }),
  }
}

function queryOf(random: Random, names: readonly string[], nonce: string | null): string[] {
  const query = Array.from({ length: random.pick([0, 0, 1, 1, 2, 3, 4]) }, () => pairOf(random, names))
  while (random.chance(0.25)) query.push(specialPairOf(random))
  if (nonce !== null && random.chance(0.15)) query.push(`_wpnonce=${random.pick([nonce, nonce, 'x', ''])}`)
  return query
}

/** The path of an address. @param query gets the parameter `rest_route` when the route stands there. */
function pathOf(random: Random, route: SuiteRoute, method: string, query: string[]): string {
  const end = random.chance(0.1) ? random.pick(['/', '//', '%0A']) : ''
  const below = random.chance(0.1)
    ? random.pick(oddPaths)
    : `/${route.namespace}${addressOf(random, route.route)}${end}`
  if (random.chance(0.08)) {
    const value = random.chance(0.5) ? encodeURIComponent(below) : below.replaceAll(/[&#]/g, encodeURIComponent)
    query.push(`rest_route=${value}`)
    // nginx takes GET, HEAD and POST alone for the address of a folder.
    const folders = ['GET', 'POST', 'HEAD'].includes(method) ? ['/'] : []
    return random.pick(['/index.php', '/x', '/wp-json/', '/wp-json/made/v1/items', ...folders])
  }
  const odd = ['/index.php/wp-json', '//wp-json', '/wp%2Djson', '/wp-json/']
  return (random.chance(0.03) ? random.pick(odd) : '/wp-json') + below
}
