import { hash } from 'node:crypto'
import { rawUrlEncoded } from '../php/percent-encoding.js'
import { withoutTrailingSlashes } from '../php/trim.js'
import type { UserRow } from '../database/storage.js'
import { makeCookie, type CookieScheme } from './cookie.js'
import type { Secrets } from './secrets.js'

/** Seconds that a login lasts: without and with "remember me". */
export const loginLifetime = { session: 2 * 86_400, remembered: 14 * 86_400 } as const

/**
 * Seconds that a browser keeps a remembered cookie after it expires, so that the service can see that it has expired.
 */
const expiryMargin = 12 * 3600

/** Seconds that a browser keeps the password of a record, as in WordPress. */
const recordPasswordLifetime = 10 * 86_400

/** Seconds within which a browser follows a redirect from plain HTTP to TLS. */
const tlsRedirectLifetime = 30

const testCookieValue = 'WP Cookie check'

/** The properties of a login that its cookies depend on. */
export interface Login {
  readonly user: Pick<UserRow, 'user_login' | 'user_pass'>
  /** The token of the session. All cookies of one login have the same one. */
  readonly token: string
  /** The end of the session, in unix seconds. */
  readonly expiration: number
  /** True when the browser keeps the cookies after it is closed. */
  readonly remembered: boolean
}

/** Settings of a site for its cookies. The default of each is the one of WordPress without such a constant. */
export interface CookieSettings {
  /** The end of the names, `COOKIEHASH`. Default: the MD5 of `siteurl`. */
  readonly hash?: string | undefined
  /** Whole names: `AUTH_COOKIE`, `SECURE_AUTH_COOKIE`, `LOGGED_IN_COOKIE`, `TEST_COOKIE`. */
  readonly auth?: string | undefined
  readonly secureAuth?: string | undefined
  readonly loggedIn?: string | undefined
  readonly test?: string | undefined
  /** `COOKIE_DOMAIN`. Default: the host of the request alone. */
  readonly domain?: string | undefined
  /** `COOKIEPATH`. Default: the path of `home`. */
  readonly path?: string | undefined
  /** `SITECOOKIEPATH`. Default: the path of `siteurl`. */
  readonly sitePath?: string | undefined
  /** `ADMIN_COOKIE_PATH`. Default: `wp-admin` below `sitePath`. */
  readonly adminPath?: string | undefined
  /** `PLUGINS_COOKIE_PATH`. Default: `wp-content/plugins` below the path of `siteurl`. */
  readonly pluginsPath?: string | undefined
}

export interface LoginCookie {
  readonly name: string
  /** The scheme that signs it. */
  readonly scheme: CookieScheme
}

/** The login cookies of one site: their names, and the values of their `Set-Cookie` headers. */
// Rules: docs/wire.md#login-cookies.
export class LoginCookies {
  /** The name of the cookie for `/wp-admin` and plugins on plain HTTP. */
  readonly auth: string
  /** The name of the cookie for `/wp-admin` and plugins on TLS. */
  readonly secureAuth: string
  /** The name of the cookie for the whole site, which REST reads. */
  readonly loggedIn: string
  /** The name of the cookie with the hash of the password of a record. */
  readonly recordPassword: string
  /** The name of the cookie with the key of a password reset. */
  readonly passwordReset: string
  /** The name of the cookie with a new application password, which the profile shows once. */
  readonly newApplicationPassword: string
  /** The name of the cookie that tells the login form whether the browser accepts cookies. */
  readonly test: string
  /** The name of the cookie that counts redirects from plain HTTP to TLS. */
  readonly tlsRedirect: string
  readonly #secrets: Secrets
  readonly #homeIsSecure: boolean
  readonly #domain: string
  /** The path of the login and administration pages. */
  readonly #pagesPath: string
  readonly #loginPath: string
  readonly #adminPath: string
  readonly #adminPaths: readonly string[]
  readonly #sitePaths: readonly string[]

  /**
   * @param siteUrl the option `siteurl`. Trailing slashes are ignored.
   * @param home the option `home`. Default: `siteUrl`.
   */
  constructor(secrets: Secrets, siteUrl: string, home: string = siteUrl, settings: CookieSettings = {}) {
    const hash = settings.hash ?? hashOf(siteUrl)
    const sitePath = settings.sitePath ?? pathOf(siteUrl)
    this.auth = settings.auth ?? `wordpress_${hash}`
    this.secureAuth = settings.secureAuth ?? `wordpress_sec_${hash}`
    this.loggedIn = settings.loggedIn ?? `wordpress_logged_in_${hash}`
    this.test = settings.test ?? 'wordpress_test_cookie'
    this.recordPassword = `wp-postpass_${hash}`
    this.passwordReset = `wp-resetpass-${hash}`
    this.newApplicationPassword = `wp-new-application-password-${hash}`
    this.tlsRedirect = `wp-tls-redirect-${hash}`
    this.#pagesPath = pathOf(siteUrl)
    this.#loginPath = `${this.#pagesPath}wp-login.php`
    this.#adminPath = settings.adminPath ?? `${sitePath}wp-admin`
    this.#domain = settings.domain ? `; domain=${settings.domain}` : ''
    this.#secrets = secrets
    this.#homeIsSecure = /^https:/i.test(home)
    this.#adminPaths = [settings.pluginsPath ?? `${pathOf(siteUrl)}wp-content/plugins`, this.#adminPath]
    this.#sitePaths = [...new Set([settings.path ?? pathOf(home), sitePath])]
  }

  /** The cookie for `/wp-admin` on this kind of connection, and the scheme that signs it. */
  authCookie(secure: boolean): LoginCookie {
    return secure ? { name: this.secureAuth, scheme: 'secure_auth' } : { name: this.auth, scheme: 'auth' }
  }

  /**
   * The `Set-Cookie` values of a login.
   *
   * @param now unix seconds.
   * @param secure the request came over TLS.
   */
  setLogin(login: Login, now: number, secure: boolean): readonly string[] {
    const lifetime = login.remembered ? expiryAttributes(login.expiration + expiryMargin, now) : ''
    const cookie = this.authCookie(secure)
    const line = (name: string, scheme: CookieScheme, path: string, secureOnly: boolean) => {
      const value = makeCookie(this.#secrets, scheme, login.user, login.expiration, login.token)
      return `${name}=${rawUrlEncoded(value)}${lifetime}; path=${path}${this.#domain}${secureOnly ? '; secure' : ''}; HttpOnly`
    }
    return [
      ...this.#adminPaths.map((path) => line(cookie.name, cookie.scheme, path, secure)),
      ...this.#sitePaths.map((path) => line(this.loggedIn, 'logged_in', path, secure && this.#homeIsSecure)),
    ]
  }

  /** The `Set-Cookie` values that delete the cookies of a login and the password of a record. @param now unix seconds. */
  clearLogin(now: number): readonly string[] {
    const past = expiryAttributes(now - 365 * 86_400, now)
    const line = (name: string, path: string) => `${name}=%20${past}; path=${path}${this.#domain}`
    return [
      ...this.#adminPaths.flatMap((path) => [line(this.auth, path), line(this.secureAuth, path)]),
      ...this.#sitePaths.flatMap((path) => [line(this.loggedIn, path), line(this.recordPassword, path)]),
    ]
  }

  /**
   * The `Set-Cookie` values that keep the password of a record for ten days.
   * @param hash of the password. @param now unix seconds. @param secure the request came over TLS.
   */
  setRecordPassword(hash: string, now: number, secure: boolean): readonly string[] {
    const flags = `${secure && this.#homeIsSecure ? '; secure' : ''}; HttpOnly`
    const lifetime = expiryAttributes(now + recordPasswordLifetime, now)
    return this.#sitePaths.map(
      (path) => `${this.recordPassword}=${rawUrlEncoded(hash)}${lifetime}; path=${path}${this.#domain}${flags}`,
    )
  }

  /** The `Set-Cookie` value that hands the login name and key of a reset link to the form for a new password. */
  setPasswordReset(login: string, key: string, secure: boolean): string {
    const value = rawUrlEncoded(`${login}:${key}`)
    return `${this.passwordReset}=${value}; path=${this.#loginPath}${this.#domain}${secure ? '; secure' : ''}; HttpOnly`
  }

  /** The `Set-Cookie` value that ends a password reset. @param now unix seconds. */
  clearPasswordReset(now: number): string {
    return `${this.passwordReset}=%20${expiryAttributes(now - 365 * 86_400, now)}; path=${this.#loginPath}${this.#domain}`
  }

  /** The `Set-Cookie` value that hands a new application password to the profile. @param lifetime seconds. */
  setNewApplicationPassword(sealed: string, lifetime: number, now: number, secure: boolean): string {
    const attributes = `${expiryAttributes(now + lifetime, now)}; path=${this.#adminPath}${this.#domain}${secure ? '; secure' : ''}`
    return `${this.newApplicationPassword}=${sealed}${attributes}; HttpOnly; SameSite=Lax`
  }

  /** The `Set-Cookie` value that removes a new application password from the browser. @param now unix seconds. */
  clearNewApplicationPassword(now: number): string {
    return `${this.newApplicationPassword}=%20${expiryAttributes(now - 365 * 86_400, now)}; path=${this.#adminPath}${this.#domain}`
  }

  /** The `Set-Cookie` value of a redirect from plain HTTP to TLS. @param count of such redirects. @param now unix seconds. */
  setTlsRedirect(count: number, now: number): string {
    return `${this.tlsRedirect}=${count}${expiryAttributes(now + tlsRedirectLifetime, now)}; path=${this.#pagesPath}${this.#domain}; HttpOnly`
  }

  /** The `Set-Cookie` value after a redirect to TLS. @param now unix seconds. */
  clearTlsRedirect(now: number): string {
    return `${this.tlsRedirect}=%20${expiryAttributes(now - 365 * 86_400, now)}; path=${this.#pagesPath}${this.#domain}`
  }

  /** The `Set-Cookie` values of the login form, which checks later whether the browser sends the cookie back. */
  setTest(): readonly string[] {
    const flags = `${this.#homeIsSecure ? '; secure' : ''}; HttpOnly`
    return this.#sitePaths.map(
      (path) => `${this.test}=${rawUrlEncoded(testCookieValue)}; path=${path}${this.#domain}${flags}`,
    )
  }
}

/** The name of the cookie that REST reads. @param siteUrl the option `siteurl`. Trailing slashes are ignored. */
export function loggedInCookieName(siteUrl: string): string {
  return `wordpress_logged_in_${hashOf(siteUrl)}`
}

function hashOf(siteUrl: string): string {
  return hash('md5', withoutTrailingSlashes(siteUrl))
}

function expiryAttributes(end: number, now: number): string {
  return `; expires=${new Date(end * 1000).toUTCString()}; Max-Age=${Math.max(0, end - now)}`
}

/** The path of a URL with a trailing slash: `/`, `/blog/`. */
function pathOf(url: string): string {
  return `${withoutTrailingSlashes(url).replace(/^https?:\/\/[^/]+/i, '')}/`
}
