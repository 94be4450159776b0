import { equalInConstantTime } from './constant-time.js'
import type { Secrets } from './secrets.js'

/** Half of a nonce's longest life, in seconds: it is good for 12 to 24 hours. */
const tickLength = 43_200

/** Whom a nonce is made for, and for what. */
export interface NoncePurpose {
  /** `wp_rest`, `log-out`, or the name of a page's form. */
  readonly action: string
  /** 0 for a visitor. */
  readonly userId: number
  /** Of the logged-in cookie that came with the request, unverified; `''` without one. */
  readonly sessionToken: string
}

/**
 * Ten hexadecimal characters that only this service can make, for one user, login session and action.
 *
 * @param now unix seconds. On a boundary the nonce belongs to the tick that ends there.
 * Rules: docs/wire.md#nonces.
 */
export function createNonce(secrets: Secrets, purpose: NoncePurpose, now: number): string {
  return nonceOfTick(secrets, purpose, tickAt(now))
}

/**
 * @param now unix seconds.
 * @returns 1 for a nonce of the present tick, 2 for one of the tick before, false for anything else, the empty text
 *   included.
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
