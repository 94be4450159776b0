import { applicationPasswordsKey } from '../../src/auth/stored-application-passwords.js'
import { loggedInCookieName } from '../../src/auth/login-cookies.js'
import { sessionsKey } from '../../src/auth/sessions.js'
import { cookieValue, fragmentOf, nonceOf } from '../security/sign.js'
import type { ServiceProcess } from '../support/service-process.js'
import { passwordHash, type ForeignProgram } from './program.js'
import { siteUrl } from './protocol.js'

export type CredentialKind = 'application password' | 'session'

/** A credential of a user of its own, from its beginning to its end. */
export interface Credential {
  readonly kind: CredentialKind
  readonly headers: string
  /** `ending`: the write that ends it is not acknowledged yet. */
  state: 'valid' | 'ending' | 'ended'
  /** Uses after the end. The services count them as failures. */
  refusals: number
}

export interface Ending {
  readonly by: string
  end(): Promise<void>
}

export interface LivingCredential {
  readonly credential: Credential
  /** The writes that can end it, of which one is used. */
  readonly endings: readonly Ending[]
  /** Removes what is left of it. */
  remove(): Promise<void>
}

/** A limit of failures for one account, below that of the services: they would refuse right passwords after it. */
export const maxRefusals = 800

export async function newCredential(
  kind: CredentialKind,
  login: string,
  { first, second, program }: { first: ServiceProcess; second: ServiceProcess; program: ForeignProgram },
): Promise<LivingCredential> {
  const id = await program.insertUser(login)
  const remove = (): Promise<void> => program.removeUser(id)
  const foreign = (end: () => Promise<void>, by: string): Ending => ({ by, end })
  const userGone = foreign(remove, 'foreign SQL that removes the user')
  if (kind === 'application password') {
    const { password, uuid } = await first.call<{ password: string; uuid: string }>('newPassword', id)
    const headers = `Authorization: Basic ${Buffer.from(`${login}:${password}`).toString('base64')}\r\n`
    return {
      credential: { kind, headers, state: 'valid', refusals: 0 },
      endings: [
        { by: 'another process', end: () => second.call('revoke', { id, uuid }) },
        foreign(() => program.removeMetadata(id, applicationPasswordsKey), 'foreign SQL'),
        userGone,
      ],
      remove,
    }
  }
  const now = Math.floor(Date.now() / 1000)
  const expiration = String(now + 86_400)
  const token = await first.call<string>('newSession', { id, expiration: Number(expiration) })
  const value = cookieValue({ login, expiration, token }, fragmentOf(passwordHash))
  const nonce = nonceOf({ action: 'wp_rest', userId: id, token }, now)
  const cookie = `${loggedInCookieName(siteUrl)}=${encodeURIComponent(value)}`
  return {
    credential: { kind, headers: `Cookie: ${cookie}\r\nX-WP-Nonce: ${nonce}\r\n`, state: 'valid', refusals: 0 },
    endings: [
      { by: 'another process', end: () => second.call('endSessions', id) },
      foreign(() => program.removeMetadata(id, sessionsKey), 'foreign SQL'),
      userGone,
    ],
    remove,
  }
}
