import type { ClientWork } from '../base/client-presence.js'
import type { IncomingRequest, SendResponse } from '../http/exchange.js'
import type { ObservedRequest } from '../http/request-channels.js'
import type { TimeLimit } from './time-limits.js'

/** A request that has no response yet. */
export interface PendingRequest {
  readonly incoming: IncomingRequest
  readonly requestId: string
  /** By the clock of `performance.now`; 0 where nothing measures the request. */
  readonly startedAt: number
  readonly observed: ObservedRequest | null
  /** Null for a request that reads. Set when the method is known, which a parameter or a header may replace. */
  clientWork: ClientWork | null
  /** See `Core.handle`. */
  readonly send: SendResponse
  /** Null without a limit, and before the work goes on asynchronously. */
  timeLimit: TimeLimit | null
  /** Of a request in flight: whether it has its response. After a time limit it has one before the work has ended. */
  hasResponse: boolean
}
