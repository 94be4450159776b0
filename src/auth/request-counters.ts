import { hash } from 'node:crypto'
import type { AttemptFilling } from '../database/attempt-rows.js'

/** A limit of requests of one caller: a leaky bucket, which each request fills by `milliseconds`. */
export interface RequestCounter extends AttemptFilling {
  /** Milliseconds that the bucket holds. A request that would exceed them is refused. */
  readonly capacity: number
}

/** The decision of a counter about a request. */
export interface CountedRequest {
  /** Whether there was room. A request without room is not counted. */
  readonly isAllowed: boolean
  /** Milliseconds until the counter is empty. */
  readonly left: number
}

/** Counts requests for the limits that routes declare. */
export interface RequestCounters {
  /** @throws Error when the counters cannot be reached. */
  count(counter: RequestCounter): Promise<CountedRequest>
}

const kind = 'requests'

/** @param limit names what is limited. @param caller names who is limited. */
export function requestCounter(
  limit: string,
  caller: string,
  { milliseconds, capacity }: { readonly milliseconds: number; readonly capacity: number },
): RequestCounter {
  // Stores of counters hold no names and no addresses.
  const name = hash('sha256', `${kind}\n${limit}\n${caller}`, 'base64url')
  return { name, kind, milliseconds, capacity }
}
