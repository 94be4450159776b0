// What WordPress 7.1 checks of a caller, written by hand with plain prepared statements: the work that every peer does.
import { createHash, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'
import { unserialize } from './unserialize.mjs'

const hashKey = new TextEncoder().encode('wp_fast_hash_6.8+')
const tickLength = 43_200

/** The stored form of an application password. */
export function genericHash(password) {
  return `$generic$${Buffer.from(blake2b(Buffer.from(password), { key: hashKey, dkLen: 30 })).toString('base64url')}`
}

/** Signs and checks cookies and nonces. @param environment holds the keys and salts: `LOGGED_IN_KEY` and the others. */
export function signatures(environment) {
  const keyOf = (name) => createSecretKey(Buffer.from(`${environment[`${name}_KEY`]}${environment[`${name}_SALT`]}`))
  const loggedIn = keyOf('LOGGED_IN')
  const nonce = keyOf('NONCE')
  const mac = (login, expiration, token, passwordHash) => {
    const fragment = /^\$(P|2y)\$/.test(passwordHash) ? passwordHash.slice(8, 12) : passwordHash.slice(-4)
    const key = createHmac('md5', loggedIn).update(`${login}|${fragment}|${expiration}|${token}`).digest('hex')
    return createHmac('sha256', key).update(`${login}|${expiration}|${token}`).digest('hex')
  }
  const nonceAt = (tick, userId, token) =>
    createHmac('md5', nonce).update(`${tick}|wp_rest|${userId}|${token}`).digest('hex').slice(-12, -2)
  const tickNow = () => Math.ceil(Date.now() / 1000 / tickLength)
  return {
    cookie: ({ login, passwordHash }, expiration, token) =>
      `${login}|${expiration}|${token}|${mac(login, expiration, token, passwordHash)}`,
    cookieIsGenuine: ([login, expiration, token, sentMac], passwordHash) =>
      sameText(mac(login, expiration, token, passwordHash), sentMac),
    nonce: (userId, token) => nonceAt(tickNow(), userId, token),
    nonceIsGood: (nonce, userId, token) =>
      sameText(nonceAt(tickNow(), userId, token), nonce) || sameText(nonceAt(tickNow() - 1, userId, token), nonce),
  }
}

export function cookieName(siteUrl) {
  return `wordpress_logged_in_${createHash('md5').update(siteUrl).digest('hex')}`
}

export function verifierOf(token) {
  return createHash('sha256').update(token).digest('hex')
}

/** @returns identify(headers): the caller, `null` for nobody, or a status to refuse the request with. */
export function authentication(database, environment, siteUrl) {
  const roles = unserialize(
    database.prepare(`SELECT option_value FROM wp_options WHERE option_name = 'wp_user_roles'`).get().option_value,
  )
  const findUser = database.prepare('SELECT ID, user_login, user_pass FROM wp_users WHERE user_login = ?')
  const findMeta = database.prepare('SELECT meta_key, meta_value FROM wp_usermeta WHERE user_id = ?')
  const { cookieIsGenuine, nonceIsGood } = signatures(environment)
  const name = cookieName(siteUrl)

  function userNamed(login) {
    const user = findUser.get(login)
    if (!user) return null
    const meta = new Map(findMeta.all(user.ID).map((row) => [row.meta_key, row.meta_value]))
    const granted = unserialize(meta.get('wp_capabilities') ?? 'a:0:{}')
    const can = (capability) => {
      for (const [role, isGranted] of granted) {
        if (isGranted && roles.get(role)?.get('capabilities').get(capability) === true) return true
      }
      return granted.get(capability) === true
    }
    return { id: user.ID, passwordHash: user.user_pass, meta, can }
  }

  function byPassword(header) {
    const text = Buffer.from(header.slice(6), 'base64').toString()
    const colon = text.indexOf(':')
    const user = userNamed(text.slice(0, colon))
    if (!user) return 401
    const digest = genericHash(text.slice(colon + 1).replaceAll(/[^A-Za-z0-9]/g, ''))
    const list = unserialize(user.meta.get('_application_passwords') ?? 'a:0:{}')
    for (const item of list.values()) if (sameText(item.get('password'), digest)) return user
    return 401
  }

  function byCookie(header, nonce) {
    if (nonce === undefined) return null
    const cookie = header.split('; ').find((part) => part.startsWith(`${name}=`))
    const parts = cookie === undefined ? [] : decodeURIComponent(cookie.slice(name.length + 1)).split('|')
    if (parts.length !== 4 || Number(parts[1]) < Date.now() / 1000) return null
    const user = userNamed(parts[0])
    if (!user || !cookieIsGenuine(parts, user.passwordHash)) return null
    const session = unserialize(user.meta.get('session_tokens') ?? 'a:0:{}').get(verifierOf(parts[2]))
    if (!session || session.get('expiration') < Date.now() / 1000) return null
    return nonceIsGood(nonce, user.id, parts[2]) ? user : 403
  }

  return (headers) => {
    const { authorization, cookie } = headers
    if (cookie !== undefined) return byCookie(cookie, headers['x-wp-nonce'])
    return authorization !== undefined && authorization.startsWith('Basic ') ? byPassword(authorization) : null
  }
}

export function sameText(one, other) {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
