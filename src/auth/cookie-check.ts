import type { RestError } from '../http/rest-error.js'
import { invalidNonce } from './refusals.js'

/** Whether a request has a nonce, and whether it is valid for the caller. */
export type NonceState = 'missing' | 'good' | 'wrong'

/**
 * Decides whether the owner of the login cookie is the caller. A browser sends its login cookie with every request,
 * also with one that another site's page starts. So the cookie identifies the caller only together with a nonce.
 * Without a nonce the caller is anonymous. With a wrong nonce the request is refused.
 * Rules: docs/wire.md#the-order-of-credentials.
 */
export function checkCookie(nonce: NonceState): {
  /** The error of the response; null when the request is not refused. */
  readonly problem: RestError | null
  /** True when the caller is the owner of the cookie. */
  readonly identified: boolean
} {
  return { problem: nonce === 'wrong' ? invalidNonce() : null, identified: nonce === 'good' }
}
