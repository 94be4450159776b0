import type { SourceLocation } from '../routing/source-location.js'
import type { Requirement } from '../auth/requirement.js'

/** How the service would answer a request, and why; its handler was not run. */
export interface Explanation {
  /** One line: what comes back and the reason. */
  readonly summary: string
  /** Of the answer; null when the handler, or a page of the site, decides. */
  readonly status: number | null
  /** Of the error body; null when there is no error. */
  readonly code: string | null
  /** Of the error body. */
  readonly message: string | null
  /** That the request is served as, after `_method` and `X-HTTP-Method-Override`. */
  readonly method: string
  /** Below the REST prefix; null when the request does not reach the API. */
  readonly path: string | null
  readonly caller: ExplainedCaller | null
  readonly route: ExplainedRoute | null
  /** When no route was found: what may have been meant, the likeliest first. */
  readonly nearest: readonly NearMiss[]
  readonly arguments: readonly ExplainedArgument[]
  readonly permission: ExplainedPermission | null
  /** The header `Allow` of the answer; null when there is none. */
  readonly allow: string | null
  /** In the order of the service. */
  readonly steps: readonly Step[]
}

export interface Step {
  readonly name: 'path' | 'authentication' | 'route' | 'arguments' | 'permission' | 'handler'
  /** `not reached`: the answer was decided before. */
  readonly outcome: 'passed' | 'refused' | 'not reached'
  readonly lines: readonly string[]
}

export interface ExplainedCaller {
  /** 0 for an anonymous caller; -1 for one who stands for a role. */
  readonly id: number
  readonly login: string
  readonly roles: readonly string[]
  readonly via: 'cookie' | 'application-password' | null
}

export interface ExplainedRoute {
  /** `/shop/v1/products/(?P<id>\d+)` */
  readonly pattern: string
  /** `ProductsApi.show` */
  readonly handler: string
  /** Where it is declared; null for the service's own endpoints. */
  readonly place: SourceLocation | null
}

export interface NearMiss {
  /** `GET /wp-json/shop/v1/products`: a request that would match, or a route that comes close. */
  readonly suggestion: string
  /** A sentence: what is different. */
  readonly reason: string
  readonly place: SourceLocation | null
}

export interface ExplainedArgument {
  readonly name: string
  readonly declared: boolean
  /** Where its value comes from; null when there is none. */
  readonly source: 'path' | 'JSON body' | 'form' | 'query' | 'default' | null
  /** As it was sent. */
  readonly sent: unknown
  /** As the handler would read it; absent after a fault. */
  readonly value?: unknown
  /** Why it is refused: the very message of the answer. */
  readonly fault: string | null
}

export interface ExplainedPermission {
  readonly requirement: Requirement
  readonly verdict: 'admitted' | 'denied'
}
