import type { IncomingRequest } from '../http/exchange.js'
import { parseRequest, type ParsedRequest } from '../http/parsed-request.js'
import { methods } from '../routing/declaration.js'
import type { ExplainedService } from './explained-service.js'
import type { NearMiss } from './explanation.js'
import { nearestRoutes } from './nearest-routes.js'
import { placeOfEndpoint } from './route-step.js'

const maxSuggestions = 3

/**
 * Suggestions for a request that matches no route, at most three: corrected requests that do match one; without any, routes
 * with similar patterns and requests with a shortened path.
 */
export function nearMisses(
  incoming: IncomingRequest,
  parsed: ParsedRequest,
  service: ExplainedService,
): readonly NearMiss[] {
  const { method } = parsed
  const corrected = matchingRequests(corrections(incoming, service), incoming, method, service)
  if (corrected.length > 0) return corrected.slice(0, maxSuggestions)
  const target = service.core.targetOf(incoming, parsed)
  const path = target.kind === 'rest' ? target.path : incoming.path
  const shortened = matchingRequests(shorterPaths(incoming), incoming, method, service).filter(
    ({ place }) => place !== null,
  )
  return [...nearestRoutes(path, method, service), ...shortened].slice(0, maxSuggestions)
}

/** The corrected requests that match a route, each once. */
function matchingRequests(
  candidates: Iterable<Correction>,
  incoming: IncomingRequest,
  method: string,
  service: ExplainedService,
): readonly NearMiss[] {
  const bySuggestion = new Map<string, NearMiss>()
  for (const { path, reason } of candidates) {
    if (path === incoming.path && reason !== '') continue
    for (const nearMiss of requestsTo({ ...incoming, path }, method, service, reason))
      if (!bySuggestion.has(nearMiss.suggestion)) bySuggestion.set(nearMiss.suggestion, nearMiss)
  }
  return [...bySuggestion.values()]
}

/** The requests to a path that match a route: with the method of the client, otherwise with any other method. */
function requestsTo(incoming: IncomingRequest, method: string, service: ExplainedService, reason: string): NearMiss[] {
  const { core, pipeline, routes } = service
  const target = core.targetOf(incoming, parseRequest(incoming))
  if (target.kind !== 'rest') return []
  const matchOf = (candidate: string) => pipeline.table.match(target.path, candidate)
  const matching = matchOf(method) ? [method] : methods.filter((candidate) => matchOf(candidate) !== null)
  const methodReason = matching[0] === method ? '' : `The path accepts ${matching.join(', ')}, not ${method}.`
  return matching.flatMap((matchingMethod) => {
    const match = matchOf(matchingMethod)
    if (!match) return []
    return [
      {
        suggestion: `${matchingMethod} ${incoming.path}${incoming.query === '' ? '' : `?${incoming.query}`}`,
        reason: [reason, methodReason].filter((sentence) => sentence !== '').join(' '),
        place: placeOfEndpoint(match.handler, matchingMethod, routes),
      },
    ]
  })
}

interface Correction {
  readonly path: string
  /** Empty for the unchanged path, which is tried with other methods. */
  readonly reason: string
}

function* corrections({ path }: IncomingRequest, { restPrefix }: ExplainedService): Generator<Correction> {
  yield { path, reason: '' }
  const segments = path.split('/').filter((segment) => segment !== '')
  const [first = '', ...rest] = segments
  const join = (parts: readonly string[]) => `/${parts.join('/')}`
  if (first !== restPrefix) {
    yield { path: join([restPrefix, ...segments]), reason: `The prefix /${restPrefix} is missing.` }
    yield { path: join([restPrefix, ...rest]), reason: `The prefix is /${restPrefix}, not /${first}.` }
  } else {
    const [second, ...others] = rest
    if (second === restPrefix) yield { path: join([restPrefix, ...others]), reason: 'The prefix occurs twice.' }
  }
  yield { path: join(segments), reason: 'The path has too many slashes.' }
  const decoded = decodedPath(path)
  if (decoded !== null)
    yield { path: decoded, reason: 'The service does not decode the path before it matches routes.' }
}

/** The path without its last one or two segments. */
function* shorterPaths({ path }: IncomingRequest): Generator<Correction> {
  const segments = path.split('/').filter((segment) => segment !== '')
  for (let dropped = 1; dropped <= 2 && segments.length - dropped > 1; dropped += 1) {
    const extra = segments.slice(-dropped).join('/')
    yield { path: `/${segments.slice(0, -dropped).join('/')}`, reason: `No route continues with /${extra}.` }
  }
}

function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
