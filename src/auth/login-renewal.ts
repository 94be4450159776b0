import { parseCookies } from '../http/headers.js'
import type { UserRow } from '../database/storage.js'
import { parseCookie } from './cookie.js'
import { loginLifetime, type LoginCookies } from './login-cookies.js'
import type { Sessions } from './sessions.js'

/** The parts of a request that its login is in. */
export interface LoginRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The request came over TLS. */
  readonly secure: boolean
  /** The network address of the client. */
  readonly address: string
}

/**
 * The `Set-Cookie` values of a login after a change of the own password: the signature of login cookies depends on the
 * password. The login lasts as long as a new one does. None for a request without a login cookie.
 * @param user with the new password hash.
 * @param now unix seconds.
 * @param newSessions where a new session is started for the login, as WordPress does; null keeps that of the request.
 */
export async function renewedLogin(
  user: UserRow,
  { headers, secure, address }: LoginRequest,
  cookies: LoginCookies,
  now: number,
  newSessions: Sessions | null,
): Promise<readonly string[]> {
  const cookie = parseCookie(parseCookies(headers['cookie']).get(cookies.loggedIn) ?? '')
  if (!cookie) return []
  const remembered = Number(cookie.expiration) - now > loginLifetime.session
  const expiration = now + (remembered ? loginLifetime.remembered : loginLifetime.session)
  const userAgent = headers['user-agent'] ?? ''
  const token = (await newSessions?.create(user.ID, { expiration, address, userAgent })) ?? cookie.token
  return cookies.setLogin({ user, token, expiration, remembered }, now, secure)
}
