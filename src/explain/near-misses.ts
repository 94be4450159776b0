import type { IncomingRequest } from '../http/exchange.js'
import { parseRequest, type ParsedRequest } from '../http/rest-request.js'
import { methods } from '../routing/declaration.js'
import type { ExplainedService } from './explained-service.js'
import type { NearMiss } from './explanation.js'
import { nearestRoutes } from './nearest-routes.js'
import { placeOfEndpoint } from './route-step.js'

const maxShown = 3

/**
 * What a request that found no route may have meant: first small repairs, each tried on the service itself, then the
 * routes whose patterns come closest.
 */
export function nearMisses(
  incoming: IncomingRequest,
  parsed: ParsedRequest,
  service: ExplainedService,
): readonly NearMiss[] {
  const { method } = parsed
  const repaired = hitsOf(repairs(incoming, service), incoming, method, service)
  if (repaired.length > 0) return repaired.slice(0, maxShown)
  const target = service.core.targetOf(incoming, parsed)
  const path = target.kind === 'rest' ? target.path : incoming.path
  const shorter = hitsOf(shortened(incoming), incoming, method, service).filter(({ place }) => place !== null)
  return [...nearestRoutes(path, method, service), ...shorter].slice(0, maxShown)
}

/** Those repaired requests that a route takes, each once. */
function hitsOf(
  tried: Iterable<Repair>,
  incoming: IncomingRequest,
  method: string,
  service: ExplainedService,
): readonly NearMiss[] {
  const hits = new Map<string, NearMiss>()
  for (const { path, reason } of tried) {
    if (path === incoming.path && reason !== '') continue
    for (const hit of requestsTo({ ...incoming, path }, method, service, reason))
      if (!hits.has(hit.suggestion)) hits.set(hit.suggestion, hit)
  }
  return [...hits.values()]
}

/** The requests to a path that a route takes: with the method that was meant, or else with any. */
function requestsTo(incoming: IncomingRequest, method: string, service: ExplainedService, reason: string): NearMiss[] {
  const { core, pipeline, routes } = service
  const target = core.targetOf(incoming, parseRequest(incoming))
  if (target.kind !== 'rest') return []
  const hit = (tried: string) => pipeline.table.match(target.path, tried)
  const taken = hit(method) ? [method] : methods.filter((tried) => hit(tried) !== null)
  const other = taken[0] === method ? '' : `The path takes ${taken.join(', ')}, not ${method}.`
  return taken.flatMap((tried) => {
    const found = hit(tried)
    if (!found) return []
    return [
      {
        suggestion: `${tried} ${incoming.path}${incoming.query === '' ? '' : `?${incoming.query}`}`,
        reason: [reason, other].filter((sentence) => sentence !== '').join(' '),
        place: placeOfEndpoint(found.handler, tried, routes),
      },
    ]
  })
}

interface Repair {
  readonly path: string
  /** `''` for the path as it is, with another method. */
  readonly reason: string
}

function* repairs({ path }: IncomingRequest, { restPrefix }: ExplainedService): Generator<Repair> {
  yield { path, reason: '' }
  const segments = path.split('/').filter((segment) => segment !== '')
  const [first = '', ...rest] = segments
  const join = (parts: readonly string[]) => `/${parts.join('/')}`
  if (first !== restPrefix) {
    yield { path: join([restPrefix, ...segments]), reason: `The prefix /${restPrefix} is missing.` }
    yield { path: join([restPrefix, ...rest]), reason: `The prefix is /${restPrefix}, not /${first}.` }
  } else {
    const [second, ...others] = rest
    if (second === restPrefix) yield { path: join([restPrefix, ...others]), reason: 'The prefix is there twice.' }
  }
  yield { path: join(segments), reason: 'There are slashes too many.' }
  const decoded = decodedPath(path)
  if (decoded !== null) yield { path: decoded, reason: 'The path is not decoded before it is matched.' }
}

/** The path without its last one or two segments. */
function* shortened({ path }: IncomingRequest): Generator<Repair> {
  const segments = path.split('/').filter((segment) => segment !== '')
  for (let dropped = 1; dropped <= 2 && segments.length - dropped > 1; dropped += 1) {
    const extra = segments.slice(-dropped).join('/')
    yield { path: `/${segments.slice(0, -dropped).join('/')}`, reason: `No route goes on with /${extra}.` }
  }
}

function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
