import { RestError } from '../http/rest-error.js'
import type { Route } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'
import { routeDescription } from './describe.js'

/** Every visible route, by its pattern; `[]` when there is none. */
export function routesDocument(routes: Iterable<Route<Endpoint>>, root: string): unknown {
  const described: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  let any = false
  for (const route of routes) {
    const description = routeDescription(route, root)
    if (!description) continue
    described[route.pattern] = description
    any = true
  }
  return any ? described : []
}

/** `GET /wp-json/<namespace>` (docs/wire.md#namespace-documents). @throws RestError rest_invalid_namespace */
export function namespaceDocument(
  namespace: string,
  routes: readonly Route<Endpoint>[],
  root: string,
): Record<string, unknown> {
  const own = routes.filter((route) => route.namespace === namespace)
  if (own.length === 0) {
    throw new RestError('rest_invalid_namespace', 'The specified namespace could not be found.', { status: 404 })
  }
  return { namespace, routes: routesDocument(own, root) }
}
