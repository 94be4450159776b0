import type { Assembled } from '../service/assemble.js'
import type { RouteSummary } from '../service/route-summary.js'

/** A service that stands on data it cannot change, and what was declared for it. */
export interface ExplainedService extends Pick<Assembled, 'core' | 'rest' | 'dispatcher' | 'authenticator'> {
  readonly restPrefix: string
  readonly routes: readonly RouteSummary[]
}
