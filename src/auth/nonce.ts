import { equalInConstantTime } from './constant-time.js'
import type { Secrets } from './secrets.js'

/** Seconds of a tick. A nonce is valid in its tick and the next one, which is 12 to 24 hours. */
const tickLength = 43_200

/** The user, session and action that a nonce is valid for. */
export interface NoncePurpose {
  /** `wp_rest`, `log-out`, or the action of a form of a page. */
  readonly action: string
  /** 0 for an anonymous caller. */
  readonly userId: number
  /** The session token in the logged-in cookie of the request, not verified; `''` without a cookie. */
  readonly sessionToken: string
}

/**
 * Creates a nonce: ten hexadecimal characters that only this service can compute, for one user, session and action.
 * Rules: docs/wire.md#nonces.
 *
 * @param now unix seconds. A time on the boundary of two ticks belongs to the earlier one.
 */
export function createNonce(secrets: Secrets, purpose: NoncePurpose, now: number): string {
  return nonceOfTick(secrets, purpose, tickAt(now))
}

/**
 * Verifies a nonce.
 *
 * @param now unix seconds.
 * @returns 1 for the nonce of the current tick, 2 for the nonce of the previous tick, false for any other text.
 */
export function verifyNonce(secrets: Secrets, nonce: string, purpose: NoncePurpose, now: number): 1 | 2 | false {
  if (nonce === '') return false
  const tick = tickAt(now)
  if (equalInConstantTime(nonceOfTick(secrets, purpose, tick), nonce)) return 1
  if (equalInConstantTime(nonceOfTick(secrets, purpose, tick - 1), nonce)) return 2
  return false
}

function tickAt(now: number): number {
  return Math.ceil(now / tickLength)
}

function nonceOfTick(secrets: Secrets, { action, userId, sessionToken }: NoncePurpose, tick: number): string {
  return secrets.wpHash(`${tick}|${action}|${userId}|${sessionToken}`, 'nonce').slice(-12, -2)
}
