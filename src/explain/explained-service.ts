import type { Core } from '../service/core.js'
import type { RouteSummary } from '../service/route-summary.js'

/** A service that stands on data it cannot change, and what was declared for it. */
export interface ExplainedService {
  readonly core: Core
  readonly routes: readonly RouteSummary[]
}
