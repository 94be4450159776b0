import type { HttpRequest } from '../http/http-request.js'
import type { HandlerMatch } from '../routing/table.js'
import { sourceLocationText, type SourceLocation } from '../routing/source-location.js'
import type { Endpoint } from '../routing/endpoint.js'
import type { RouteSummary } from '../routing/route-summary.js'
import type { ExplainedService } from './explained-service.js'
import type { ExplainedRoute, Step } from './explanation.js'

/** Explains which declaration matches the request. */
export function explainRoute(
  match: HandlerMatch<Endpoint> | null,
  { route: path, method, problem }: HttpRequest,
  { routes }: ExplainedService,
): Step {
  if (!match) return { name: 'route', outcome: 'refused', lines: [`No route matches ${method} ${path}.`] }
  const { pattern, handler, place } = routeOf(match, method, routes)
  const captures = Object.entries(match.params).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return {
    name: 'route',
    outcome: 'passed',
    lines: [
      `${pattern} is served by ${handler}, ${place ? `declared at ${sourceLocationText(place)}` : "one of the service's own"}.`,
      ...(captures.length > 0 ? [`The path contains ${captures.join(', ')}.`] : []),
      ...limitLines(match.handler),
      ...(problem ? [`The request cannot be read: ${problem.message}`] : []),
    ],
  }
}

function limitLines({
  rateLimit,
  idempotencyKey,
  isEventStream,
  bodyLimit = null,
  maxFiles = null,
}: Endpoint): string[] {
  const lines: string[] = []
  if (isEventStream) lines.push('event_stream: the response is a stream of server-sent events.')
  if (bodyLimit !== null) lines.push(`body_limit: a body may have ${bodyLimit} bytes.`)
  if (maxFiles !== null) lines.push(`max_files: a form may have ${maxFiles} files.`)
  if (idempotencyKey) lines.push(`idempotency_key: the header Idempotency-Key is ${idempotencyKey}.`)
  if (rateLimit)
    lines.push(
      `rate_limit: ${rateLimit.requests} requests in ${rateLimit.seconds} s of one user, or of one network without a login. This one is not counted.`,
    )
  return lines
}

export function routeOf(
  { route, handler: endpoint }: HandlerMatch<Endpoint>,
  method: string,
  routes: readonly RouteSummary[],
): ExplainedRoute {
  return { pattern: route.pattern, handler: endpoint.name, place: placeOfEndpoint(endpoint, method, routes) }
}

/** Location of the declaration of an endpoint; null for the service's own endpoints. */
export function placeOfEndpoint(
  endpoint: Endpoint,
  method: string,
  routes: readonly RouteSummary[],
): SourceLocation | null {
  return summaryOfEndpoint(endpoint, method, routes)?.place ?? null
}

/** The declared route of an endpoint; null for the service's own endpoints. */
export function summaryOfEndpoint<Summary extends RouteSummary>(
  { name, namespace, route, methods }: Endpoint,
  method: string,
  routes: readonly Summary[],
): Summary | null {
  const declaredMethod = methods.includes(method) ? method : methods[0]
  const summary = routes.find(
    (candidate) =>
      candidate.handler === name &&
      candidate.namespace === namespace &&
      candidate.route === route &&
      candidate.method === declaredMethod,
  )
  return summary ?? null
}
