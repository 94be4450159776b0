import type { Identity } from '../auth/authenticator.js'
import type { RestError } from '../http/rest-error.js'
import type { IncomingRequest } from '../http/exchange.js'
import { parseRequest, type HttpRequest, type ParsedRequest } from '../http/rest-request.js'
import type { HandlerMatch } from '../routing/table.js'
import type { Decisions } from '../pipeline/decisions.js'
import { noRoute, type Pipeline } from '../pipeline/pipeline.js'
import type { Endpoint } from '../routing/endpoint.js'
import { jsonpName } from '../pipeline/jsonp.js'
import { explainArguments } from './arguments-step.js'
import { explainAuthentication } from './authentication-step.js'
import { Draft } from './draft.js'
import type { ExplainedService } from './explained-service.js'
import type { Explanation, Step } from './explanation.js'
import { nearMisses } from './near-misses.js'
import { explainPath } from './path-step.js'
import { explainPermission } from './permission-step.js'
import { explainRoute, routeOf } from './route-step.js'

/**
 * Thinks a request through, in the order of the service and by its own functions, up to the handler, which is not run.
 * Permission callbacks, validators and sanitisers are.
 */
export async function explain(incoming: IncomingRequest, service: ExplainedService): Promise<Explanation> {
  const parsed = parseRequest(incoming)
  const jsonp = jsonpName(parsed.query)
  const { target, step } = explainPath(incoming, parsed, service)
  const draft = new Draft(parsed.method, target.kind === 'rest' ? target.path : null)
  draft.take(step)
  if (target.kind === 'refused') return draft.refused('path', target.error)
  if (target.kind === 'site') {
    const nearest = nearMisses(incoming, parsed, service)
    return draft.add({ nearest }).notTheApi()
  }
  if (jsonp && !jsonp.valid) return draft.badCallback()
  const identity = await explainedIdentity(incoming, parsed, service, draft)
  if (identity.problem) return draft.refused('authentication', identity.problem)
  const { rest } = service
  const request = rest.requestOf(incoming, parsed, target.path, identity, 'explain')
  if (request.method === 'OPTIONS') return draft.described()
  try {
    return await rest.onBehalfOf(identity.caller, () => explainEndpoint(request, service, draft))
  } catch (error) {
    return draft.broken(error)
  }
}

async function explainedIdentity(
  incoming: IncomingRequest,
  parsed: ParsedRequest,
  service: ExplainedService,
  draft: Draft,
): Promise<Identity> {
  const identity = await service.rest.identify(incoming, parsed)
  draft.take(await explainAuthentication({ incoming, parsed, identity, service }))
  const { id, login, roles } = identity.caller
  draft.add({ caller: { id, login, roles, via: identity.via } })
  return identity
}

async function explainEndpoint(request: HttpRequest, service: ExplainedService, draft: Draft): Promise<Explanation> {
  const { pipeline } = service
  const found = pipeline.table.match(request.route, request.method)
  const nearest = found ? [] : nearMisses(request.incoming, request.parsed, service)
  draft.take(explainRoute(found, request, service))
  if (!found) return draft.add({ nearest }).refused('route', noRoute())
  pipeline.bind(request, found)
  draft.add({ route: routeOf(found, request.method, service.routes) })
  const decisions: Decisions = new Map()
  const refused = await explainUpToHandler(request, found, { decisions, draft, pipeline })
  const allow = await pipeline.allowedMethods(request, found.route, decisions)
  draft.add({ allow: allow === '' ? null : allow })
  if (refused) return draft.refused(refused.step, refused.error)
  return draft.handled(found.handler.name)
}

async function explainUpToHandler(
  request: HttpRequest,
  match: HandlerMatch<Endpoint>,
  { decisions, draft, pipeline }: { readonly decisions: Decisions; readonly draft: Draft; readonly pipeline: Pipeline },
): Promise<{ readonly step: Step['name']; readonly error: RestError } | null> {
  const explained = explainArguments(request, match, pipeline)
  draft.take(explained.step).add({ arguments: explained.arguments })
  if (explained.problem) return { step: 'arguments', error: explained.problem }
  const { step, permission, refusal } = await explainPermission(request, match.handler, decisions)
  draft.take(step).add({ permission })
  return refusal && { step: 'permission', error: refusal }
}
