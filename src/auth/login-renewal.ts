import { parseCookies } from '../http/headers.js'
import type { UserRow } from '../database/storage.js'
import { parseCookie, type CookieFields } from './cookie.js'
import { loginLifetime, type LoginCookies } from './login-cookies.js'

/** The parts of a request that its login is in. */
export interface LoginRequest {
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The request came over TLS. */
  readonly secure: boolean
}

/** Keeps a user logged in who changes the own password: the signature of login cookies depends on the password. */
export class LoginRenewal {
  readonly #cookies: () => LoginCookies
  readonly #now: () => number

  /** @param clock milliseconds since 1970. */
  constructor(cookies: () => LoginCookies, clock: () => number) {
    this.#cookies = cookies
    this.#now = () => Math.floor(clock() / 1000)
  }

  /** The token of the session of the login cookie, which is not verified here; null without a cookie. */
  tokenOf(request: LoginRequest): string | null {
    return this.#cookieOf(request)?.token ?? null
  }

  /**
   * The `Set-Cookie` values of the same session with the new password. The login lasts as long as a new one does.
   * @param user with the new password hash.
   */
  renewed(user: UserRow, request: LoginRequest): readonly string[] {
    const cookie = this.#cookieOf(request)
    if (!cookie) return []
    const now = this.#now()
    const remembered = Number(cookie.expiration) - now > loginLifetime.session
    const expiration = now + (remembered ? loginLifetime.remembered : loginLifetime.session)
    return this.#cookies().signedIn({ user, token: cookie.token, expiration, remembered }, now, request.secure)
  }

  #cookieOf({ headers }: LoginRequest): CookieFields | null {
    return parseCookie(parseCookies(headers['cookie']).get(this.#cookies().loggedIn) ?? '')
  }
}
