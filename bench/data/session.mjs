import { cookieName, signatures, verifierOf } from '../peers/wordpress-login.mjs'

/** A session as WordPress stores it, for two weeks, and the cookie and the nonce of its owner. */
export function sessionOf(userId, passwordHash, siteUrl) {
  const token = 'benchmark'.padEnd(43, 'x')
  const expiration = Math.floor(Date.now() / 1000) + 14 * 86_400
  const signed = signatures(process.env)
  const cookie = signed.cookie({ login: 'bench', passwordHash }, expiration, token)
  return {
    session: `a:1:{s:64:"${verifierOf(token)}";a:2:{s:10:"expiration";i:${expiration};s:5:"login";i:${expiration};}}`,
    credentials: {
      cookie: `${cookieName(siteUrl)}=${encodeURIComponent(cookie)}`,
      nonce: signed.nonce(userId, token),
    },
  }
}
