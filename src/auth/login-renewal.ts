import { parseCookies } from '../http/headers.js'
import type { UserRow } from '../database/storage.js'
import { parseCookie } from './cookie.js'
import { loginLifetime, type LoginCookies } from './login-cookies.js'

/** The parts of a request that its login is in. */
export interface LoginRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The request came over TLS. */
  readonly secure: boolean
}

/**
 * The `Set-Cookie` values of the same session after a change of the own password: the signature of login cookies depends on
 * the password. The login lasts as long as a new one does. None for a request without a login cookie.
 * @param user with the new password hash.
 * @param now unix seconds.
 */
export function renewedLogin(
  user: UserRow,
  { headers, secure }: LoginRequest,
  cookies: LoginCookies,
  now: number,
): readonly string[] {
  const cookie = parseCookie(parseCookies(headers['cookie']).get(cookies.loggedIn) ?? '')
  if (!cookie) return []
  const remembered = Number(cookie.expiration) - now > loginLifetime.session
  const expiration = now + (remembered ? loginLifetime.remembered : loginLifetime.session)
  return cookies.setLogin({ user, token: cookie.token, expiration, remembered }, now, secure)
}
