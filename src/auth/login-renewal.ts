import { parseCookies } from '../http/headers.js'
import type { UserRow } from '../database/storage.js'
import { parseCookie, type CookieFields } from './cookie.js'
import { loginLifetime, type LoginCookies } from './login-cookies.js'
import { verifierOf, type Sessions } from './sessions.js'

/** What a login is signed with. */
export type LoginUser = Pick<UserRow, 'ID' | 'user_login' | 'user_pass'>

/** The properties of a request that its new login depends on. */
export interface LoginRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The request came over TLS. */
  readonly secure: boolean
  /** The network address of the client. */
  readonly address: string
}

/**
 * The `Set-Cookie` values of a login after a user has changed their own password: the signature of login cookies depends
 * on the password. The login lasts as long as a new one does. A request without a login cookie, such as that of a
 * program, gets a login as well, as in WordPress.
 * @param user with the password hash that the request has stored.
 * @param now unix seconds.
 * @param kept the session that goes on, and whether it lasts as long as the cookies from now on; null starts a new one.
 */
export async function renewedLogin(
  user: LoginUser,
  { headers, secure, address }: LoginRequest,
  cookies: LoginCookies,
  now: number,
  sessions: Sessions,
  kept: { readonly token: string; readonly isExtended: boolean } | null,
): Promise<readonly string[]> {
  const cookie = loginCookieIn(headers, cookies)
  const remembered = Number(cookie?.expiration ?? 0) - now > loginLifetime.session
  const expiration = now + (remembered ? loginLifetime.remembered : loginLifetime.session)
  const userAgent = headers['user-agent'] ?? ''
  const token = kept?.token ?? (await sessions.create(user.ID, { expiration, address, userAgent }))
  if (kept?.isExtended === true) await sessions.extend(user.ID, token, expiration)
  return cookies.setLogin({ user, token, expiration, remembered }, now, secure)
}

/**
 * The token in the login cookie of a request, whether or not its signature is valid: from 6.8 on, WordPress keeps that session. Null
 * when the user has no session with this token: new cookies with it would be refused.
 */
export async function tokenInCookie(
  userId: number,
  { headers }: Pick<LoginRequest, 'headers'>,
  cookies: LoginCookies,
  sessions: Sessions,
): Promise<string | null> {
  const token = loginCookieIn(headers, cookies)?.token
  return token !== undefined && (await sessions.list(userId)).has(verifierOf(token)) ? token : null
}

const loginCookieIn = (headers: LoginRequest['headers'], { loggedIn }: LoginCookies): CookieFields | null =>
  parseCookie(parseCookies(headers['cookie']).get(loggedIn) ?? '')
