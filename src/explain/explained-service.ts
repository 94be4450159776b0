import type { Authenticator } from '../authentication/authenticator.js'
import type { Core } from '../service/core.js'
import type { Dispatcher } from '../service/dispatch.js'
import type { RestService } from '../service/rest.js'
import type { RouteSummary } from '../service/route-summary.js'

/** A service that stands on data it cannot change, and what was declared for it. */
export interface ExplainedService {
  readonly core: Core
  readonly rest: RestService
  readonly dispatcher: Dispatcher
  readonly authenticator: () => Authenticator
  readonly restPrefix: string
  readonly routes: readonly RouteSummary[]
}
