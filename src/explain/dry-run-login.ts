import { LoginCookies, loginLifetime } from '../auth/login-cookies.js'
import { Sessions } from '../auth/sessions.js'
import type { Authenticator } from '../auth/authenticator.js'
import type { ApplicationPasswords } from '../auth/application-passwords.js'
import { loadSecrets } from '../auth/secrets.js'
import { serialize } from '../php/serialize.js'
import { roleCallerId } from '../auth/capabilities.js'
import type { StoredRoles } from '../auth/roles.js'
import type { Users } from '../content/users.js'
import type { Site } from '../content/site.js'
import type { UserRow } from '../database/storage.js'
import type { DryRunStorage } from './dry-run-storage.js'

/** What it takes to sign somebody in for a rehearsal. */
export interface DryRunDependencies {
  readonly authenticator: () => Authenticator
  readonly storage: DryRunStorage
  readonly roles: StoredRoles
  readonly users: Users
  readonly applicationPasswords: ApplicationPasswords
  readonly site: Site
  readonly secrets: Readonly<Record<string, string | undefined>>
  readonly clock: () => number
  /** Of the tables. */
  readonly prefix: string
}

/** How a caller proves who he is: cookie and nonce, cookie alone, or an application password. */
export type AuthenticationMethod = 'cookie' | 'no-nonce' | 'basic'

/**
 * Headers that really identify a user to this service, as long as its rehearsal lasts: a session or an application
 * password is made for him, beside the database.
 * @param name a role, or the login, id or e-mail address of a user.
 * @returns null when there is neither.
 */
export async function dryRunHeaders(
  name: string,
  way: AuthenticationMethod,
  secure: boolean,
  parts: DryRunDependencies,
): Promise<Readonly<Record<string, string>> | null> {
  const user = await userNamed(name, parts)
  if (user === null) return null
  return way === 'basic' ? basicHeaders(user, parts) : cookieHeaders(user, way, secure, parts)
}

async function userNamed(name: string, { storage, roles, users, prefix }: DryRunDependencies): Promise<UserRow | null> {
  if (!(await roles.current()).has(name)) {
    const found = await users.find(name)
    return found && storage.users.find({ id: found.id })
  }
  const user = guestCalled(name)
  storage.invite({ user, meta: [{ key: `${prefix}capabilities`, value: serialize({ [name]: true }) }] })
  return user
}

/** Somebody who has a role and nothing else. */
function guestCalled(role: string): UserRow {
  return {
    ID: roleCallerId,
    user_login: role,
    user_pass: '',
    user_nicename: role,
    user_email: '',
    user_url: '',
    user_registered: '0000-00-00 00:00:00',
    user_activation_key: '',
    user_status: 0,
    display_name: role,
  }
}

async function basicHeaders(
  user: UserRow,
  { applicationPasswords }: DryRunDependencies,
): Promise<Record<string, string>> {
  // In memory only: he may have as many as one may have.
  await applicationPasswords.revokeAll(user.ID)
  const { password } = await applicationPasswords.create(user.ID, { name: 'explain' })
  return { authorization: `Basic ${Buffer.from(`${user.user_login}:${password}`).toString('base64')}` }
}

async function cookieHeaders(
  user: UserRow,
  way: 'cookie' | 'no-nonce',
  secure: boolean,
  { authenticator, storage, site, secrets, clock }: DryRunDependencies,
): Promise<Record<string, string>> {
  const now = Math.floor(clock() / 1000)
  const expiration = now + loginLifetime.session
  const token = await new Sessions(storage, clock).create(user.ID, { expiration, address: '', userAgent: '' })
  const cookies = new LoginCookies(await loadSecrets(storage, secrets), site.siteurl, site.home)
  const lines = cookies.signedIn({ user, token, expiration, remembered: false }, now, secure)
  const cookie = [...new Set(lines.map((line) => line.split(';', 1)[0] ?? ''))].join('; ')
  if (way === 'no-nonce') return { cookie }
  return { cookie, 'x-wp-nonce': authenticator().restNonce(user.ID, token) }
}
