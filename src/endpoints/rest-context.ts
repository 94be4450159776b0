import { unixTime } from '../auth/unix-time.js'
import { whyUnavailable } from '../auth/availability.js'
import type { LoginCookies } from '../auth/login-cookies.js'
import { renewedLogin, tokenInCookie, type LoginUser } from '../auth/login-renewal.js'
import type { Sessions } from '../auth/sessions.js'
import type { Site } from '../content/site.js'
import { HttpRequest } from '../http/http-request.js'

/** The `db_version` of WordPress 6.8, the first that keeps the session of a browser that changes the password. */
const firstWithKeptSession = 60_421

/**
 * How a request is authenticated: with an application password or the cookie of a session. The built-in routes inject
 * this class. Handlers of an application cannot read these data, because a `RestRequest` does not contain them.
 */
export class RestContext {
  readonly #cookies: () => LoginCookies
  readonly #clock: () => number
  readonly #sessions: Sessions
  readonly #site: Pick<Site, 'dbVersion'>

  /**
   * @param environment `production`, `staging`, `development` or `local`.
   * @param clock milliseconds since 1970.
   * @param sharesTables whether a WordPress site uses the same tables.
   */
  constructor(
    readonly environment: string,
    cookies: () => LoginCookies,
    clock: () => number,
    readonly sharesTables: boolean,
    sessions: Sessions,
    site: Pick<Site, 'dbVersion'>,
  ) {
    this.#sessions = sessions
    this.#site = site
    this.#cookies = cookies
    this.#clock = clock
  }

  /**
   * Why application passwords may not be used in this request, as a sentence; null when they may.
   * @param request the request that the handler received.
   */
  whyUnavailable(request: object): string | null {
    return whyUnavailable(this.environment, httpRequest(request).incoming)
  }

  /**
   * UUID of the application password that authenticated the caller; null for other authentication.
   * @param request the request that the handler received.
   */
  applicationPasswordOf(request: object): string | null {
    return httpRequest(request).applicationPassword?.uuid ?? null
  }

  /**
   * Whether the caller has authenticated with an application password that has scopes. Such a request must not change what could
   * give access beyond the scopes: passwords, and addresses to which a new password is sent.
   */
  hasScopes(request: object): boolean {
    const { applicationPassword } = httpRequest(request)
    return applicationPassword !== null && applicationPassword.allows !== null
  }

  /** The token of the session whose login cookie authenticated the caller; null for other authentication. */
  sessionTokenOf(request: object): string | null {
    return httpRequest(request).sessionToken || null
  }

  /**
   * The `Set-Cookie` values that keep the caller logged in after a change of the password: in the same session, or in a new one for
   * a caller without a session and on the tables of a WordPress before 6.8.
   * @param user with the hash that the request has stored.
   */
  async renewedCookies(request: object, user: LoginUser): Promise<readonly string[]> {
    const { incoming } = httpRequest(request)
    const token = await this.#keptToken(request, user)
    const now = unixTime(this.#clock)
    // WordPress leaves the row of the session as it is.
    const kept = token === null ? null : { token, isExtended: !this.sharesTables }
    const cookies = this.#cookies()
    const renewed = await renewedLogin(user, incoming, cookies, now, this.#sessions, kept)
    // WordPress first removes its cookies from the browser, also the one with the password of a record.
    return this.sharesTables ? [...cookies.clearLogin(now), ...renewed] : renewed
  }

  /** The token of the session in which the caller stays logged in; null when a new one begins. */
  async #keptToken(request: object, user: LoginUser): Promise<string | null> {
    if (!this.sharesTables) return this.sessionTokenOf(request)
    if (this.#site.dbVersion < firstWithKeptSession) return null
    return tokenInCookie(user.ID, httpRequest(request).incoming, this.#cookies(), this.#sessions)
  }
}

/** The internal form of a request, which holds more than handlers see. @throws TypeError for any other object. */
export function httpRequest(request: object): HttpRequest {
  if (request instanceof HttpRequest) return request
  throw new TypeError('The request of this handler must be an HttpRequest.')
}
