// WordPress's signatures, computed from the secrets as docs/wire.md describes them: what an attacker with the secrets of
// another scheme, user or time could make.
import { createHash, createHmac } from 'node:crypto'
import { secrets } from './protocol.js'

export type Scheme = 'AUTH' | 'SECURE_AUTH' | 'LOGGED_IN' | 'NONCE'

function secretOf(scheme: Scheme): string {
  return secrets[`${scheme}_KEY`] + secrets[`${scheme}_SALT`]
}

export function cookieValue(
  { login, expiration, token }: { readonly login: string; readonly expiration: string; readonly token: string },
  fragment: string,
  scheme: Scheme = 'LOGGED_IN',
  secret: string = secretOf(scheme),
): string {
  const key = createHmac('md5', secret).update(`${login}|${fragment}|${expiration}|${token}`).digest('hex')
  const mac = createHmac('sha256', key).update(`${login}|${expiration}|${token}`).digest('hex')
  return `${login}|${expiration}|${token}|${mac}`
}

/** The part of a stored password hash that a login cookie is signed with. */
export function fragmentOf(hash: string): string {
  return hash.startsWith('$P$') || hash.startsWith('$2y$') ? hash.slice(8, 12) : hash.slice(-4)
}

/** @param now unix seconds. @param ticks the number of periods of twelve hours after `now`. */
export function nonceOf(
  { action, userId, token }: { readonly action: string; readonly userId: number; readonly token: string },
  now: number,
  ticks = 0,
  scheme: Scheme = 'NONCE',
): string {
  const tick = Math.ceil(now / 43_200) + ticks
  const hash = createHmac('md5', secretOf(scheme)).update(`${tick}|${action}|${userId}|${token}`).digest('hex')
  // PHP's `substr($hash, -12, 10)`.
  return hash.slice(20, 30)
}

/** The nonce of a form or link of a page, for the session of a member. @param now unix seconds. */
export function pageNonceOf(
  { id, loggedIn }: { readonly id: number; readonly loggedIn: string },
  action: string,
  now: number,
  ticks = 0,
): string {
  return nonceOf({ action, userId: id, token: loggedIn.split('|')[2] ?? '' }, now, ticks)
}

const phpassAlphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The portable hash of phpass: what the cookie of a record's password holds. @param salt eight characters. */
export function phpassOf(password: string, salt = 'saltsalt', log2Rounds = 13): string {
  let digest = createHash('md5')
    .update(salt + password)
    .digest()
  for (let rounds = 2 ** log2Rounds; rounds > 0; rounds -= 1)
    digest = createHash('md5').update(digest).update(password).digest()
  let text = ''
  // Three bytes, the lowest first, are four characters.
  for (let at = 0; at < digest.length; at += 3) {
    const value = digest.readUIntLE(at, Math.min(3, digest.length - at))
    const count = Math.min(4, Math.ceil(((digest.length - at) * 8) / 6))
    for (let index = 0; index < count; index += 1) text += phpassAlphabet.charAt((value >> (6 * index)) & 63)
  }
  return `$P$${phpassAlphabet.charAt(log2Rounds)}${salt}${text}`
}
