import { builtInRoutes } from '../endpoints/built-in-handlers.js'
import { describedResponses } from '../endpoints/described-responses.js'
import { batchArguments, batchResponses } from '../pipeline/batch.js'
import { summaryOf, type RouteSummary } from '../routing/route-summary.js'
import { indexArguments, indexResponses, namespaceResponses } from '../documents/endpoints.js'

/**
 * The routes of the service itself, with the schemas of their successful responses: users and application passwords, the index and
 * those of the namespaces, and batch. They come after all routes of the application.
 * @param routes of the application.
 */
export function serviceRoutes(routes: readonly RouteSummary[]): readonly RouteSummary[] {
  const handlerRoutes = builtInRoutes()
    .map((route) => summaryOf(route, null))
    .map((summary) => ({ ...summary, responses: describedResponses(summary.handler) }))
  const namespaces = new Set([...routes, ...handlerRoutes].map(({ namespace }) => namespace))
  return [
    documentRoute('', { handler: 'Service.index', args: indexArguments, responses: indexResponses }),
    ...[...namespaces].map((namespace) =>
      documentRoute(namespace, { handler: 'Service.namespace', args: indexArguments, responses: namespaceResponses }),
    ),
    ...handlerRoutes,
    documentRoute('batch/v1', {
      handler: 'Service.batch',
      method: 'POST',
      args: batchArguments,
      responses: batchResponses,
    }),
  ]
}

function documentRoute(
  namespace: string,
  described: Pick<RouteSummary, 'handler' | 'args' | 'responses'> & { readonly method?: string },
): RouteSummary {
  return {
    method: 'GET',
    namespace,
    route: '',
    requirement: { kind: 'anyone' },
    isCached: false,
    isConditional: false,
    rateLimit: null,
    bodyLimit: null,
    maxFiles: null,
    isEventStream: false,
    idempotencyKey: null,
    place: null,
    ...described,
  }
}
