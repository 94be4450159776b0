import { createHash } from 'node:crypto'
import { rawUrlEncoded } from '../php/percent-encoding.js'
import { withoutTrailingSlashes } from '../php/trim.js'
import type { UserRow } from '../database/storage.js'
import { makeCookie, type CookieScheme } from './cookie.js'
import type { Secrets } from './secrets.js'

/** Seconds that a login lasts, and one with "remember me". */
export const loginLifetime = { session: 2 * 86_400, remembered: 14 * 86_400 } as const

/** Seconds that a browser keeps a remembered cookie beyond its end, so that the service can say that it expired. */
const keptAfterEnd = 12 * 3600

const testCookieValue = 'WP Cookie check'

/** A login whose cookies are to be made. */
export interface Login {
  readonly user: Pick<UserRow, 'user_login' | 'user_pass'>
  /** Of the session; the same in all cookies of one login. */
  readonly token: string
  /** Unix seconds; when the session ends. */
  readonly expiration: number
  /** The browser keeps the cookies when it is closed. */
  readonly remembered: boolean
}

/** The login cookies of one site: their names, where they are sent, and their `Set-Cookie` lines. */
// Rules: docs/wire.md#login-cookies.
export class LoginCookies {
  /** For `/wp-admin` and the like, on plain HTTP. */
  readonly auth: string
  /** For the same places, on TLS. */
  readonly secureAuth: string
  /** For the whole site; the one that REST reads. */
  readonly loggedIn: string
  /** Tells the login form whether the browser takes cookies at all. */
  readonly test = 'wordpress_test_cookie'
  readonly #secrets: Secrets
  readonly #homeIsSecure: boolean
  readonly #adminPaths: readonly string[]
  readonly #sitePaths: readonly string[]

  /**
   * @param siteUrl the option `siteurl`; trailing slashes do not count.
   * @param home the option `home`, where it differs.
   */
  constructor(secrets: Secrets, siteUrl: string, home: string = siteUrl) {
    const hash = hashOf(siteUrl)
    this.auth = `wordpress_${hash}`
    this.secureAuth = `wordpress_sec_${hash}`
    this.loggedIn = loggedInCookieName(siteUrl)
    this.#secrets = secrets
    this.#homeIsSecure = /^https:/i.test(home)
    this.#adminPaths = [`${pathOf(siteUrl)}wp-content/plugins`, `${pathOf(siteUrl)}wp-admin`]
    this.#sitePaths = [...new Set([pathOf(home), pathOf(siteUrl)])]
  }

  /** Which cookie, signed for what, a request may carry besides {@link loggedIn}. */
  authCookie(secure: boolean): { readonly name: string; readonly scheme: CookieScheme } {
    return secure ? { name: this.secureAuth, scheme: 'secure_auth' } : { name: this.auth, scheme: 'auth' }
  }

  /**
   * The `Set-Cookie` lines of a login.
   *
   * @param now unix seconds.
   * @param secure the request came over TLS.
   */
  signedIn(login: Login, now: number, secure: boolean): readonly string[] {
    const lifetime = login.remembered ? keptUntil(login.expiration + keptAfterEnd, now) : ''
    const cookie = this.authCookie(secure)
    const line = (name: string, scheme: CookieScheme, path: string, secureOnly: boolean) => {
      const value = makeCookie(this.#secrets, scheme, login.user, login.expiration, login.token)
      return `${name}=${rawUrlEncoded(value)}${lifetime}; path=${path}${secureOnly ? '; secure' : ''}; HttpOnly`
    }
    return [
      ...this.#adminPaths.map((path) => line(cookie.name, cookie.scheme, path, secure)),
      ...this.#sitePaths.map((path) => line(this.loggedIn, 'logged_in', path, secure && this.#homeIsSecure)),
    ]
  }

  /** The lines that make a browser forget a login. */
  signedOut(now: number): readonly string[] {
    const past = keptUntil(now - 365 * 86_400, now)
    const line = (name: string, path: string) => `${name}=%20${past}; path=${path}`
    return [
      ...this.#adminPaths.flatMap((path) => [line(this.auth, path), line(this.secureAuth, path)]),
      ...this.#sitePaths.map((path) => line(this.loggedIn, path)),
    ]
  }

  /** The lines that the login form sets to see whether they come back. */
  testing(): readonly string[] {
    const flags = `${this.#homeIsSecure ? '; secure' : ''}; HttpOnly`
    return this.#sitePaths.map((path) => `${this.test}=${rawUrlEncoded(testCookieValue)}; path=${path}${flags}`)
  }
}

/** The name of the cookie that REST reads. @param siteUrl trailing slashes do not count. */
export function loggedInCookieName(siteUrl: string): string {
  return `wordpress_logged_in_${hashOf(siteUrl)}`
}

function hashOf(siteUrl: string): string {
  return createHash('md5').update(withoutTrailingSlashes(siteUrl)).digest('hex')
}

function keptUntil(end: number, now: number): string {
  return `; expires=${new Date(end * 1000).toUTCString()}; Max-Age=${Math.max(0, end - now)}`
}

/** With a slash at the end: `/`, `/blog/`. */
function pathOf(url: string): string {
  return `${withoutTrailingSlashes(url).replace(/^https?:\/\/[^/]+/i, '')}/`
}
