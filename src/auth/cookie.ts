import { createHmac } from 'node:crypto'
import { toInteger } from '../php/cast.js'
import { encodeText } from '../php/text.js'
import type { UserRow } from '../database/storage.js'
import { equalInConstantTime } from './constant-time.js'
import type { Scheme, Secrets } from './secrets.js'

/** The kinds of login cookie; nonces have a secret but no cookie. */
export type CookieScheme = Exclude<Scheme, 'nonce'>

/** Seconds that an expired cookie still counts for a POST, so that a form filled in slowly is not lost. */
const graceOfPost = 3600

/** The four parts of a login cookie as they were sent: nothing is verified. */
export interface CookieFields {
  readonly login: string
  /** Unix seconds, in the sender's spelling, which is part of what is signed. */
  readonly expiration: string
  /** Of the login session. */
  readonly token: string
  readonly mac: string
}

/** @returns null unless the text has exactly four parts. */
// Rules: docs/wire.md#the-value-of-a-login-cookie.
export function parseCookie(text: string): CookieFields | null {
  const [login, expiration, token, mac, ...more] = text.split('|', 5)
  if (login === undefined || expiration === undefined || token === undefined || mac === undefined) return null
  return more.length > 0 ? null : { login, expiration, token, mac }
}

/**
 * The text of a login cookie: `login|expiration|token|mac`. It is bound to the stored password, so a new password ends
 * all cookies.
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
 * Whether a cookie has expired. It is checked before any query.
 *
 * @param now unix seconds.
 * @param method as sent, without override.
 */
export function cookieHasExpired({ expiration }: CookieFields, now: number, method: string): boolean {
  return toInteger(expiration) + (method === 'POST' ? graceOfPost : 0) < now
}

/** Whether this service made the cookie, for this scheme and while the user had this password. */
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
  const key = secrets.wpHash(`${login}|${passwordFragment(passwordHash)}|${expiration}|${token}`, scheme)
  return createHmac('sha256', key)
    .update(encodeText(`${login}|${expiration}|${token}`))
    .digest('hex')
}

/** Four characters of the stored hash, from where its kind varies. */
function passwordFragment(hash: string): string {
  return hash.startsWith('$P$') || hash.startsWith('$2y$') ? hash.slice(8, 12) : hash.slice(-4)
}
