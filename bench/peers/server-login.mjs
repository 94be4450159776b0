// What `wordpress-login.mjs` checks, on a database server: the user with all metadata comes in one statement.
import { cookieName, genericHash, sameText, signatures, verifierOf } from './wordpress-login.mjs'
import { unserialize } from './unserialize.mjs'

/** @returns identify(headers): a promise for the caller, `null` for nobody, or a status to refuse the request with. */
export async function serverAuthentication(database, environment, siteUrl) {
  const [option] = await database.prepare(`SELECT option_value FROM wp_options WHERE option_name = 'wp_user_roles'`)(
    null,
  )
  const roles = unserialize(option.option_value)
  const findUser = database.prepare(`SELECT u.ID AS id, u.user_pass, m.meta_key, m.meta_value FROM wp_users u
    LEFT JOIN wp_usermeta m ON m.user_id = u.ID WHERE u.user_login = ?`)
  const { cookieIsGenuine, nonceIsGood } = signatures(environment)
  const name = cookieName(siteUrl)

  async function userNamed(login) {
    const rows = await findUser(null, login)
    if (rows.length === 0) return null
    const meta = new Map(rows.map((row) => [row.meta_key, row.meta_value]))
    const granted = unserialize(meta.get('wp_capabilities') ?? 'a:0:{}')
    const can = (capability) => {
      for (const [role, isGranted] of granted) {
        if (isGranted && roles.get(role)?.get('capabilities').get(capability) === true) return true
      }
      return granted.get(capability) === true
    }
    return { id: rows[0].id, passwordHash: rows[0].user_pass, meta, can }
  }

  async function byPassword(header) {
    const text = Buffer.from(header.slice(6), 'base64').toString()
    const colon = text.indexOf(':')
    const user = await userNamed(text.slice(0, colon))
    if (!user) return 401
    const digest = genericHash(text.slice(colon + 1).replaceAll(/[^A-Za-z0-9]/g, ''))
    const list = unserialize(user.meta.get('_application_passwords') ?? 'a:0:{}')
    for (const item of list.values()) if (sameText(item.get('password'), digest)) return user
    return 401
  }

  async function byCookie(header, nonce) {
    if (nonce === undefined) return null
    const cookie = header.split('; ').find((part) => part.startsWith(`${name}=`))
    const parts = cookie === undefined ? [] : decodeURIComponent(cookie.slice(name.length + 1)).split('|')
    if (parts.length !== 4 || Number(parts[1]) < Date.now() / 1000) return null
    const user = await userNamed(parts[0])
    if (!user || !cookieIsGenuine(parts, user.passwordHash)) return null
    const session = unserialize(user.meta.get('session_tokens') ?? 'a:0:{}').get(verifierOf(parts[2]))
    if (!session || session.get('expiration') < Date.now() / 1000) return null
    return nonceIsGood(nonce, user.id, parts[2]) ? user : 403
  }

  return async (headers) => {
    const { authorization, cookie } = headers
    if (cookie !== undefined) return byCookie(cookie, headers['x-wp-nonce'])
    return authorization !== undefined && authorization.startsWith('Basic ') ? byPassword(authorization) : null
  }
}
