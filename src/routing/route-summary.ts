import { argumentRulesOf, responseRulesOf } from '../validation/described-rules.js'
import type { ResponseSchemas } from '../validation/responses.js'
import type { ArgumentSchema } from '../validation/rules.js'
import { hasConditional } from './conditional.js'
import { sourceLocationOf, type SourceLocation } from './source-location.js'
import type { IdempotencyKey } from './idempotency-key.js'
import { rateLimitRuleOf, type RateLimitRule } from './rate-limit.js'
import { aroundOf, type ServedRoute } from './handler-class.js'
import { requirementOf, type Requirement } from '../auth/requirement.js'

/** A declared route, for people and tools. */
export interface RouteSummary {
  readonly method: string
  /** `shop/v1` */
  readonly namespace: string
  /** `/products/(?P<id>\d+)` */
  readonly route: string
  /** `ProductsApi.show` */
  readonly handler: string
  readonly requirement: Requirement
  readonly args: ArgumentSchema
  /** The schemas of its responses, by status; empty when none is declared. */
  readonly responses: ResponseSchemas
  /** Whether the declaration has `cache`. */
  readonly isCached: boolean
  /** Whether its declaration or its class has a function of `conditional` in `around`. */
  readonly isConditional: boolean
  /** The key `rate_limit`; null without one. */
  readonly rateLimit: RateLimitRule | null
  /** The key `body_limit`, in bytes; null without one. */
  readonly bodyLimit: number | null
  /** The key `max_files`; null without one. */
  readonly maxFiles: number | null
  /** The key `event_stream`. */
  readonly isEventStream: boolean
  /** The key `idempotency_key`; null without one. */
  readonly idempotencyKey: IdempotencyKey | null
  readonly place: SourceLocation | null
}

export function summaryOf(route: ServedRoute, defaultCapability: string | null): RouteSummary {
  const { declaration } = route
  return {
    method: route.method,
    namespace: route.namespace,
    route: declaration.route,
    handler: route.name,
    requirement: requirementOf(declaration.permission, defaultCapability),
    args: argumentRulesOf(declaration.args ?? {}),
    responses: responseRulesOf(declaration.responses ?? {}),
    isCached: declaration.cache !== undefined,
    isConditional: hasConditional([aroundOf(route.source), declaration.around ?? []].flat().filter(isFunction)),
    rateLimit: rateLimitRuleOf(declaration),
    bodyLimit: declaration.body_limit ?? null,
    maxFiles: declaration.max_files ?? null,
    isEventStream: declaration.event_stream === true,
    idempotencyKey: declaration.idempotency_key ?? null,
    place: sourceLocationOf(route.site),
  }
}

/** A list `around` may hold other values: declarations with faults are summarised as well. */
function isFunction(value: unknown): value is (...parameters: never[]) => unknown {
  return typeof value === 'function'
}
