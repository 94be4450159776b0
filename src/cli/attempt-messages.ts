import type { LockOut } from '../auth/attempt-limiter.js'
import type { CountedRequest, RequestCounter } from '../auth/request-counters.js'
import type { LimitName } from '../auth/rate-limits.js'

/** The arguments of `AttemptLimiter.begin`, for the limiter of this name. */
export interface AttemptArguments {
  readonly limiter: LimitName
  readonly account: string
  readonly address: string
  readonly login: string
}

/** A message of a worker to the supervisor, which counts the attempts of all workers. */
export type AttemptMessage =
  | ({ readonly type: typeof attemptType; readonly step: 'begin'; readonly id: number } & AttemptArguments)
  | {
      readonly type: typeof attemptType
      readonly step: 'end'
      readonly id: number
      readonly outcome: 'succeeded' | 'failed' | 'abandoned'
    }
  /** A whole attempt that has failed, and that needs no reply. */
  | ({ readonly type: typeof attemptType; readonly step: 'failure' } & AttemptArguments)
  /** A request to a route with a limit. */
  | {
      readonly type: typeof attemptType
      readonly step: 'request'
      readonly id: number
      readonly counter: RequestCounter
    }

/** The reply of the supervisor to `begin`. */
export interface AttemptReply {
  readonly type: typeof attemptType
  readonly id: number
  /** Seconds to wait; 0 when the attempt is allowed. */
  readonly wait: number
  readonly isTrusted: boolean
  /** Limits that begin to refuse with this attempt. */
  readonly lockOuts: readonly LockOut[]
}

/** The reply of the supervisor to `request`. */
export interface RequestReply {
  readonly type: typeof attemptType
  readonly id: number
  readonly counted: CountedRequest
}

/** Marks the messages among those of the application. */
export const attemptType = 'as-rest-route: attempt'

export function isAttempt<Message extends AttemptMessage | AttemptReply | RequestReply>(
  message: unknown,
): message is Message {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === attemptType
}
