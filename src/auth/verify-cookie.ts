import type { Account, Accounts } from './accounts.js'
import { cookieHasExpired, cookieIsGenuine, parseCookie, type CookieScheme } from './cookie.js'
import type { Secrets } from './secrets.js'
import { liveSession } from './sessions.js'

/** Why a cookie identifies no user. */
export type CookieFailure = 'malformed' | 'expired' | 'bad_username' | 'bad_hash' | 'bad_session_token'

/**
 * The account that a login cookie belongs to. The checks that need no database come first.
 * Rules: docs/wire.md#the-value-of-a-login-cookie.
 *
 * @param moment `now` in unix seconds; `method` is the HTTP method of the request line, without overrides.
 */
export async function verifyCookie(
  text: string,
  scheme: CookieScheme,
  { accounts, secrets }: { readonly accounts: Accounts; readonly secrets: Secrets },
  moment: { readonly now: number; readonly method: string },
): Promise<Account | CookieFailure> {
  const cookie = parseCookie(text)
  if (cookie === null) return 'malformed'
  if (cookieHasExpired(cookie, moment.now, moment.method)) return 'expired'
  const account = await accounts.byLogin(cookie.login)
  if (account === null) return 'bad_username'
  if (!cookieIsGenuine(secrets, scheme, cookie, account.user.user_pass)) return 'bad_hash'
  return liveSession(account.sessions, cookie.token, moment.now) === null ? 'bad_session_token' : account
}
