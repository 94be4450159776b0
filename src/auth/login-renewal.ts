import { parseCookies } from '../http/headers.js'
import type { UserRow } from '../database/storage.js'
import { parseCookie } from './cookie.js'
import { loginLifetime, type LoginCookies } from './login-cookies.js'
import type { Sessions } from './sessions.js'

/** What a login is signed with. */
export type LoginUser = Pick<UserRow, 'ID' | 'user_login' | 'user_pass'>

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
 * password. The login lasts as long as a new one does. A request without a login cookie, such as that of a program, gets a login as well,
 * as in WordPress.
 * @param user with the password hash that the request has stored.
 * @param now unix seconds.
 * @param keptToken the token of the session that goes on; null starts a new one.
 */
export async function renewedLogin(
  user: LoginUser,
  { headers, secure, address }: LoginRequest,
  cookies: LoginCookies,
  now: number,
  sessions: Sessions,
  keptToken: string | null,
): Promise<readonly string[]> {
  const cookie = parseCookie(parseCookies(headers['cookie']).get(cookies.loggedIn) ?? '')
  const remembered = Number(cookie?.expiration ?? 0) - now > loginLifetime.session
  const expiration = now + (remembered ? loginLifetime.remembered : loginLifetime.session)
  const userAgent = headers['user-agent'] ?? ''
  const token = keptToken ?? (await sessions.create(user.ID, { expiration, address, userAgent }))
  if (keptToken !== null) await sessions.extend(user.ID, keptToken, expiration)
  return cookies.setLogin({ user, token, expiration, remembered }, now, secure)
}
