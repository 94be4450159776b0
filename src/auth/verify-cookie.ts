import type { Account, Accounts } from './accounts.js'
import { cookieHasExpired, cookieIsGenuine, parseCookie, type CookieScheme } from './cookie.js'
import type { Secrets } from './secrets.js'
import { liveSession } from './sessions.js'

/** The reason why a cookie is not valid. */
export type CookieFault = 'malformed' | 'expired' | 'bad_username' | 'bad_hash' | 'bad_session_token'

type Verified = Account | CookieFault

/**
 * The owner of a login cookie. Checks without a query come first.
 * Rules: docs/wire.md#the-value-of-a-login-cookie.
 *
 * @param moment `now` in unix seconds, and the request's real method.
 */
export function verifyCookie(
  text: string,
  scheme: CookieScheme,
  { accounts, secrets }: { readonly accounts: Accounts; readonly secrets: Secrets },
  moment: { readonly now: number; readonly method: string },
): Verified | Promise<Verified> {
  const cookie = parseCookie(text)
  if (cookie === null) return 'malformed'
  if (cookieHasExpired(cookie, moment.now, moment.method)) return 'expired'
  const verified = (account: Account | null): Verified => {
    if (account === null) return 'bad_username'
    if (!cookieIsGenuine(secrets, scheme, cookie, account.user.user_pass)) return 'bad_hash'
    return liveSession(account.sessions, cookie.token, moment.now) === null ? 'bad_session_token' : account
  }
  const account = accounts.byLogin(cookie.login)
  return account instanceof Promise ? account.then(verified) : verified(account)
}
