import { roleCallerId } from '../auth/capabilities.js'
import type { Identity } from '../auth/authenticator.js'
import type { IncomingRequest } from '../http/exchange.js'
import { type HttpRequest } from '../http/http-request.js'
import { parseRequest, type ParsedRequest } from '../http/parsed-request.js'
import type { HandlerMatch } from '../routing/table.js'
import type { Decisions } from '../routing/permission.js'
import { noRoute } from '../pipeline/pipeline.js'
import type { Endpoint } from '../routing/endpoint.js'
import { jsonpName } from '../pipeline/jsonp.js'
import { explainAround } from './around-step.js'
import { explainArguments } from './arguments-step.js'
import { explainAuthentication } from './authentication-step.js'
import { Draft, type EarlyResponse } from './draft.js'
import type { ExplainedService } from './explained-service.js'
import type { Explanation } from './explanation.js'
import { nearMisses } from './near-misses.js'
import { explainIdempotencyKey } from './idempotency-step.js'
import { explainPath } from './path-step.js'
import { explainPermission } from './permission-step.js'
import { explainRoute, routeOf } from './route-step.js'

/**
 * Explains how the service would answer a request. The steps are those of the service, by the same functions, up to the
 * handler. Validators, sanitisers, permission callbacks and results of `conditional` are run; other functions around the
 * handler and the handler are not.
 */
export async function explain(incoming: IncomingRequest, service: ExplainedService): Promise<Explanation> {
  const { core } = service
  const limit = core.bodyLimitOf(incoming)
  if (incoming.body.length > limit) return new Draft(incoming.method, null).bodyTooLarge(limit)
  const parsed = parseRequest(incoming)
  const jsonp = jsonpName(parsed.query)
  const { target, step } = explainPath(incoming, parsed, service)
  const draft = new Draft(parsed.method, target.kind === 'rest' ? target.path : null)
  draft.addStep(step)
  if (target.kind === 'refused') return draft.refused('path', target.error)
  if (target.kind === 'site') {
    const nearest = nearMisses(incoming, parsed, service)
    return draft.set({ nearest }).servedBySite()
  }
  const exceededLimit = core.exceededLimit(incoming, target.path, parsed.method)
  if (exceededLimit !== null) return draft.bodyTooLarge(exceededLimit)
  if (jsonp && !jsonp.valid) return draft.invalidJsonpCallback()
  const identity = await explainedIdentity(incoming, parsed, service, draft)
  if (identity.problem) return draft.refused('authentication', identity.problem)
  const { rest } = service
  const request = rest.requestOf(incoming, parsed, target.path, identity, 'explain')
  if (request.method === 'OPTIONS') return draft.servedAsOptions()
  try {
    return await rest.onBehalfOf(identity.caller, () => explainEndpoint(request, service, draft))
  } catch (error) {
    return draft.failed(error)
  }
}

async function explainedIdentity(
  incoming: IncomingRequest,
  parsed: ParsedRequest,
  service: ExplainedService,
  draft: Draft,
): Promise<Identity> {
  const identity = await service.rest.identify(incoming, parsed)
  draft.addStep(await explainAuthentication({ incoming, parsed, identity, service }))
  const { id, login, roles } = identity.caller
  draft.set({ caller: { id: id === roleCallerId ? -1 : id, login, roles, via: identity.via } })
  return identity
}

async function explainEndpoint(request: HttpRequest, service: ExplainedService, draft: Draft): Promise<Explanation> {
  const { pipeline } = service
  const match = pipeline.table.match(request.route, request.method)
  const nearest = match ? [] : nearMisses(request.incoming, request.parsed, service)
  draft.addStep(explainRoute(match, request, service))
  if (!match) return draft.set({ nearest }).refused('route', noRoute())
  pipeline.bind(request, match)
  draft.set({ route: routeOf(match, request.method, service.routes) })
  const decisions: Decisions = new Map()
  const earlyResponse = await explainUpToHandler(request, match, { decisions, draft, service })
  const allow = await pipeline.allowedMethods(request, match.route, decisions)
  draft.set({ allow: allow === '' ? null : allow })
  return earlyResponse === null ? draft.handled(match.handler.name) : draft.respondsEarly(earlyResponse)
}

async function explainUpToHandler(
  request: HttpRequest,
  match: HandlerMatch<Endpoint>,
  {
    decisions,
    draft,
    service,
  }: { readonly decisions: Decisions; readonly draft: Draft; readonly service: ExplainedService },
): Promise<EarlyResponse | null> {
  const { pipeline } = service
  const explained = await explainArguments(request, match, pipeline)
  draft.addStep(explained.step).set({ arguments: explained.arguments })
  if (explained.problem) return { step: 'arguments', error: explained.problem }
  const { step, permission, refusal } = await explainPermission(request, match.handler, decisions)
  draft.addStep(step).set({ permission })
  if (refusal) return { step: 'permission', error: refusal }
  const key = await explainIdempotencyKey(request, match, pipeline)
  draft.addStep(key.step)
  if (key.earlyResponse) return key.earlyResponse
  const around = await explainAround(request, match.handler, service)
  draft.addStep(around.step).set({ around: around.functions })
  return around.earlyResponse
}
