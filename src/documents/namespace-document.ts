import { RestError } from '../http/rest-error.js'
import type { Route } from '../routing/table.js'
import type { Endpoint } from '../routing/endpoint.js'
import { routeDescription } from './describe.js'

/** The descriptions of the visible routes by pattern. `[]` when there is none: PHP encodes an empty map as a list. */
export function routesDocument(routes: Iterable<Route<Endpoint>>, root: string): unknown {
  const descriptions: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  let isEmpty = true
  for (const route of routes) {
    const description = routeDescription(route, root)
    if (!description) continue
    descriptions[route.pattern] = description
    isEmpty = false
  }
  return isEmpty ? [] : descriptions
}

/** The response body of `GET /wp-json/<namespace>`. @throws RestError rest_invalid_namespace */
export function namespaceDocument(
  namespace: string,
  routes: readonly Route<Endpoint>[],
  root: string,
): Record<string, unknown> {
  const routesOfNamespace = routes.filter((route) => route.namespace === namespace)
  if (routesOfNamespace.length === 0) {
    throw new RestError('rest_invalid_namespace', 'The specified namespace could not be found.', { status: 404 })
  }
  return { namespace, routes: routesDocument(routesOfNamespace, root) }
}
