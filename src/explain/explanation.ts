import type { SourceLocation } from '../routing/source-location.js'
import type { Requirement } from '../auth/requirement.js'

/** How the service would answer a request, and why. The handler was not run. */
export interface Explanation {
  /** One line: the response and the reason. */
  readonly summary: string
  /** The status of the response; null when the handler or a page of the site decides it. */
  readonly status: number | null
  /** The code in the error body; null without an error. */
  readonly code: string | null
  /** The message in the error body; null without an error. */
  readonly message: string | null
  /** The effective method, after any override by `_method` or `X-HTTP-Method-Override`. */
  readonly method: string
  /** The path below the REST prefix; null when the request does not reach the API. */
  readonly path: string | null
  /** Null when the request is refused before authentication. */
  readonly caller: ExplainedCaller | null
  readonly route: ExplainedRoute | null
  /** Requests and routes that the client may have meant, the likeliest first. Empty when a route matches. */
  readonly nearest: readonly NearMiss[]
  readonly arguments: readonly ExplainedArgument[]
  readonly permission: ExplainedPermission | null
  /** The functions around the handler, the outermost first. Empty when the step is not reached. */
  readonly around: readonly ExplainedAround[]
  /** The header `Allow` of the response; null without one. */
  readonly allow: string | null
  /** All steps, in the order in which the service takes them. */
  readonly steps: readonly Step[]
}

export interface Step {
  readonly name:
    | 'path'
    | 'authentication'
    | 'route'
    | 'arguments'
    | 'permission'
    | 'idempotency key'
    | 'around'
    | 'handler'
  /** `answered`: a response that is no refusal. `not reached` after a step that decides the response. */
  readonly outcome: 'passed' | 'refused' | 'answered' | 'not reached'
  readonly lines: readonly string[]
}

export interface ExplainedCaller {
  /** 0 for an anonymous caller, -1 for a user that represents a role. */
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
  /** Location of the declaration; null for the service's own endpoints. */
  readonly place: SourceLocation | null
}

export interface NearMiss {
  /** A request that matches a route, or a route with a similar pattern: `GET /wp-json/shop/v1/products`. */
  readonly suggestion: string
  /** Sentences that name the difference. */
  readonly reason: string
  readonly place: SourceLocation | null
}

export interface ExplainedArgument {
  readonly name: string
  readonly declared: boolean
  /** The source of the value; null without a value. */
  readonly source: 'path' | 'JSON body' | 'form' | 'query' | 'default' | null
  /** The value before validation. */
  readonly sent: unknown
  /** The value that the handler would read; absent when any argument is refused. */
  readonly value?: unknown
  /** The message of the response about this argument; null when it is valid. */
  readonly fault: string | null
}

export interface ExplainedPermission {
  readonly requirement: Requirement
  readonly verdict: 'admitted' | 'denied'
}

export interface ExplainedAround {
  /** `conditional` for the result of `conditional`; null for a function without a name. */
  readonly name: string | null
  readonly declaredIn: 'configuration' | 'class' | 'declaration'
  /** The class whose static list it is, or the handler of the declaration; null for the configuration. */
  readonly owner: string | null
  /** `passed`: it calls the next function. Only results of `conditional` are run, up to the first function of another kind. */
  readonly outcome: Exclude<Step['outcome'], 'not reached'> | 'not run'
}
