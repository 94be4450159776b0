import type { Authenticator } from '../auth/authenticator.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { pageHeaders, type HeaderLine } from './page-responses.js'
import type { PageRequest } from './page-request.js'

/**
 * The response of `/wp-admin/admin-ajax.php`. It supports one action, `rest-nonce`, in the query only: a logged-in
 * caller gets a fresh nonce. Everything else is 400 with the body `0`, as in WordPress.
 * @param cors origins whose pages may read the nonce. With `any`, no other origin may read it: a page that has the
 *   nonce can send requests as the visitor. Responses of the API differ: with `any`, every origin may read them.
 */
export async function ajaxResponse(
  request: PageRequest,
  authenticator: Authenticator,
  cors: 'any' | readonly string[],
): Promise<OutgoingResponse> {
  const headers = [...pageHeaders([]), ...originHeaders(request, cors)]
  const isSupported = request.query('action') === 'rest-nonce'
  const visitor = isSupported ? await authenticator.signedIn(request.credentials) : null
  if (visitor === null) return { status: 400, headers, body: '0' }
  const nonce = authenticator.restNonce(visitor.account.user.ID, visitor.sessionToken)
  return { status: 200, headers, body: nonce }
}

function originHeaders({ incoming }: PageRequest, cors: 'any' | readonly string[]): readonly HeaderLine[] {
  if (cors === 'any') return []
  const { origin } = incoming.headers
  // A sandboxed page sends the origin `null`, whatever site it belongs to.
  const isListed = origin !== undefined && origin !== 'null' && cors.includes(origin)
  return [
    ...(isListed
      ? ([
          ['Access-Control-Allow-Origin', origin],
          ['Access-Control-Allow-Credentials', 'true'],
        ] as const)
      : []),
    ['Vary', 'Origin'],
  ]
}
