import type { RestError } from '../http/rest-error.js'
import { invalidNonce } from './refusals.js'

/** What is known of the nonce of a request. */
export type NonceState = 'missing' | 'good' | 'wrong'

/**
 * What becomes of a request with or without login cookies. A browser sends its cookies along with whatever page a
 * person is led to, so a cookie alone proves nothing: without a nonce the caller is anonymous, with a wrong one the
 * request is refused. Rules: docs/wire.md#the-order-of-credentials.
 */
export function checkCookie(nonce: NonceState): {
  /** The error to answer with. */
  readonly problem: RestError | null
  /** The owner of the cookie is the caller. */
  readonly identified: boolean
} {
  return { problem: nonce === 'wrong' ? invalidNonce() : null, identified: nonce === 'good' }
}
