import type { RestError } from '../http/rest-error.js'
import { invalidNonce } from './refusals.js'

/** The state of the nonce of a request. */
export type NonceState = 'missing' | 'good' | 'wrong'

/**
 * The decision about a request with or without login cookies. A browser also sends its cookies with requests that other
 * sites cause. So without a nonce the caller is anonymous, and with a wrong one the request is refused. Rules: docs/wire.md#the-order-of-credentials.
 */
export function checkCookie(nonce: NonceState): {
  /** The error of the response. */
  readonly problem: RestError | null
  /** The owner of the cookie is the caller. */
  readonly identified: boolean
} {
  return { problem: nonce === 'wrong' ? invalidNonce() : null, identified: nonce === 'good' }
}
