import type { HttpRequest } from '../http/rest-request.js'
import type { HandlerMatch } from '../routing/table.js'
import { sourceLocationText, type SourceLocation } from '../routing/source-location.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { RouteSummary } from '../routing/route-summary.js'
import type { ExplainedService } from './explained-service.js'
import type { ExplainedRoute, Step } from './explanation.js'

/** Which declaration takes the request. */
export function explainRoute(
  found: HandlerMatch<Endpoint> | null,
  { route: path, method, problem }: HttpRequest,
  { routes }: ExplainedService,
): Step {
  if (!found) return { name: 'route', outcome: 'refused', lines: [`No route takes ${method} ${path}.`] }
  const { pattern, handler, place } = routeOf(found, method, routes)
  const captures = Object.entries(found.params).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return {
    name: 'route',
    outcome: 'passed',
    lines: [
      `${pattern} is served by ${handler}, ${place ? `declared at ${sourceLocationText(place)}` : "one of the service's own"}.`,
      ...(captures.length > 0 ? [`The path says ${captures.join(', ')}.`] : []),
      ...(problem ? [`The request itself cannot be read: ${problem.message}`] : []),
    ],
  }
}

export function routeOf(
  { route, handler: endpoint }: HandlerMatch<Endpoint>,
  method: string,
  routes: readonly RouteSummary[],
): ExplainedRoute {
  return { pattern: route.pattern, handler: endpoint.name, place: placeOfEndpoint(endpoint, method, routes) }
}

/** Where an endpoint was declared; null for the service's own. */
export function placeOfEndpoint(
  { name, namespace, route, methods }: Endpoint,
  method: string,
  routes: readonly RouteSummary[],
): SourceLocation | null {
  const wanted = methods.includes(method) ? method : methods[0]
  const declared = routes.find(
    (summary) =>
      summary.handler === name &&
      summary.namespace === namespace &&
      summary.route === route &&
      summary.method === wanted,
  )
  return declared?.place ?? null
}
