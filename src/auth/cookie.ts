import { createHmac } from 'node:crypto'
import { toInteger } from '../php/cast.js'
import { encodeText } from '../php/text.js'
import type { UserRow } from '../database/storage.js'
import { equalInConstantTime } from './constant-time.js'
import type { Scheme, Secrets } from './secrets.js'

/** The kinds of login cookie; nonces have a secret but no cookie. */
export type CookieScheme = Exclude<Scheme, 'nonce'>

/**
 * Seconds that a cookie stays valid for a POST after it expires, so that a form that a user fills in slowly is not
 * lost.
 */
const postGracePeriod = 3600

/** The four parts of a login cookie. They are not verified. */
export interface CookieFields {
  readonly login: string
  /** Unix seconds. The text is not normalised, because the signature covers it. */
  readonly expiration: string
  /** The token of the session. */
  readonly token: string
  readonly mac: string
}

/** Parses the value of a login cookie. @returns null unless it has exactly four parts. */
// Rules: docs/wire.md#the-value-of-a-login-cookie.
export function parseCookie(text: string): CookieFields | null {
  const [login, expiration, token, mac, ...more] = text.split('|', 5)
  if (login === undefined || expiration === undefined || token === undefined || mac === undefined) return null
  return more.length > 0 ? null : { login, expiration, token, mac }
}

/**
 * The value of a login cookie: `login|expiration|token|mac`. The signature depends on the stored password hash, so that
 * a new password makes all cookies of the user invalid.
 *
 * @param expiration unix seconds.
 */
export function makeCookie(
  secrets: Secrets,
  scheme: CookieScheme,
  user: Pick<UserRow, 'user_login' | 'user_pass'>,
  expiration: number,
  token: string,
): string {
  const parts = { login: user.user_login, expiration: String(expiration), token }
  return `${parts.login}|${parts.expiration}|${token}|${macOf(secrets, scheme, user.user_pass, parts)}`
}

/**
 * Whether a cookie has expired. This check comes before the first query of the database.
 *
 * @param now unix seconds.
 * @param method the HTTP method of the request line, without overrides.
 */
export function cookieHasExpired({ expiration }: CookieFields, now: number, method: string): boolean {
  return toInteger(expiration) + (method === 'POST' ? postGracePeriod : 0) < now
}

/** Whether the cookie has a valid signature for this scheme and this password hash. */
export function cookieIsGenuine(
  secrets: Secrets,
  scheme: CookieScheme,
  cookie: CookieFields,
  passwordHash: string,
): boolean {
  return equalInConstantTime(macOf(secrets, scheme, passwordHash, cookie), cookie.mac)
}

function macOf(
  secrets: Secrets,
  scheme: CookieScheme,
  passwordHash: string,
  { login, expiration, token }: Omit<CookieFields, 'mac'>,
): string {
  const key = secrets.wpHash(`${login}|${secrets.passwordFragment(passwordHash)}|${expiration}|${token}`, scheme)
  return createHmac('sha256', key)
    .update(encodeText(`${login}|${expiration}|${token}`))
    .digest('hex')
}
