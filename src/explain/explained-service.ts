import type { Authenticator } from '../auth/authenticator.js'
import type { BindFunction } from '../base/bind-function.js'
import type { Core } from '../pipeline/core.js'
import type { Pipeline } from '../pipeline/pipeline.js'
import type { RestService } from '../pipeline/rest.js'
import type { DeclaredAround } from '../routing/handler-class.js'
import type { RouteSummary } from '../routing/route-summary.js'

/** A service with read-only storage, and the declarations of its routes. */
export interface ExplainedService {
  readonly core: Core
  readonly rest: RestService
  readonly pipeline: Pipeline
  readonly authenticator: () => Authenticator
  readonly restPrefix: string
  /** Binds a function of `around`, so that `inject` works in it. */
  readonly bind: BindFunction
  readonly routes: readonly ExplainedRouteSummary[]
}

export interface ExplainedRouteSummary extends RouteSummary {
  /** The functions around the handler, the outermost first. */
  readonly around: readonly DeclaredAround[]
}
