import type { Authenticator } from '../auth/authenticator.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { ownHeaders, type HeaderLine } from './answers.js'
import type { PageRequest } from './page-request.js'

/**
 * `/wp-admin/admin-ajax.php`, of which one action is known: `rest-nonce` gives a logged-in caller a fresh nonce. Asked
 * for in the query only. Rules: docs/wire.md#getting-a-nonce.
 * @param cors origins whose pages may read the nonce. With `any` no other origin's may, unlike an answer of the API: who has
 *   the nonce speaks for the visitor.
 */
export async function ajaxAnswer(
  request: PageRequest,
  authenticator: Authenticator,
  cors: 'any' | readonly string[],
): Promise<OutgoingResponse> {
  const headers = [...ownHeaders([]), ...originHeaders(request, cors)]
  const isKnown = request.query('action') === 'rest-nonce'
  const visitor = isKnown ? await authenticator.signedIn(request.credentials) : null
  if (visitor === null) return { status: 400, headers, body: '0' }
  const nonce = authenticator.restNonce(visitor.account.user.ID, visitor.sessionToken)
  return { status: 200, headers, body: nonce }
}

function originHeaders({ incoming }: PageRequest, cors: 'any' | readonly string[]): readonly HeaderLine[] {
  if (cors === 'any') return []
  const { origin } = incoming.headers
  // Every sandboxed page is `null`, also a stranger's.
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
