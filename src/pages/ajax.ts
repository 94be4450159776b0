import type { Authenticator } from '../authentication/authenticator.js'
import type { OutgoingResponse } from '../request/exchange.js'
import { ownHeaders } from './answers.js'
import type { PageRequest } from './page-request.js'

/**
 * `/wp-admin/admin-ajax.php`, of which one action is known: `rest-nonce` gives a logged-in caller a fresh nonce. Asked
 * for in the query only. Source: WIRE 6.12.
 */
export async function ajaxAnswer(request: PageRequest, authenticator: Authenticator): Promise<OutgoingResponse> {
  const isKnown = request.query('action') === 'rest-nonce'
  const visitor = isKnown ? await authenticator.signedIn(request.credentials) : null
  if (visitor === null) return { status: 400, headers: ownHeaders([]), body: '0' }
  const nonce = authenticator.restNonce(visitor.account.user.ID, visitor.sessionToken)
  return { status: 200, headers: ownHeaders([]), body: nonce }
}
