import { unixTime } from '../auth/unix-time.js'
import type { LoginCookies } from '../auth/login-cookies.js'
import { loginLifetime } from '../auth/login-cookies.js'
import { Sessions } from '../auth/sessions.js'
import type { Authenticator } from '../auth/authenticator.js'
import type { ApplicationPasswords } from '../auth/application-passwords.js'
import { grantsText } from '../auth/grants.js'
import { roleCallerId } from '../auth/capabilities.js'
import type { StoredRoles } from '../auth/roles.js'
import type { Users } from '../content/users.js'
import type { UserRow } from '../database/storage.js'
import type { DryRunStorage } from './dry-run-storage.js'

/** The parts of a service that a login of a dry run needs. */
export interface DryRunDependencies {
  readonly authenticator: () => Authenticator
  readonly storage: DryRunStorage
  readonly roles: StoredRoles
  readonly users: Users
  readonly applicationPasswords: ApplicationPasswords
  readonly cookies: () => LoginCookies
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The prefix of the tables. */
  readonly prefix: string
}

/** `cookie`: login cookie and nonce. `no-nonce`: login cookie alone. `basic`: application password. */
export type AuthenticationMethod = 'cookie' | 'no-nonce' | 'basic'

/**
 * Request headers that authenticate a user in a dry run. The function creates a session or an application password for the
 * user, which the storage of the dry run holds in memory.
 * @param name a role, or the login, id or email address of a user.
 * @param secure whether the request uses HTTPS, where the login cookie has another name.
 * @returns null when there is no such role or user.
 */
export async function dryRunHeaders(
  name: string,
  method: AuthenticationMethod,
  secure: boolean,
  dependencies: DryRunDependencies,
): Promise<Readonly<Record<string, string>> | null> {
  const user = await userNamed(name, dependencies)
  if (user === null) return null
  return method === 'basic' ? basicHeaders(user, dependencies) : cookieHeaders(user, method, secure, dependencies)
}

async function userNamed(name: string, { storage, roles, users, prefix }: DryRunDependencies): Promise<UserRow | null> {
  if (!(await roles.current()).has(name)) {
    const storedUser = await users.find(name)
    return storedUser && storage.users.find({ id: storedUser.id })
  }
  const user = roleUser(name)
  storage.setRoleUser({ user, meta: [{ key: `${prefix}capabilities`, value: grantsText([[name, true]]) }] })
  return user
}

/** The row of a user that represents a role. */
function roleUser(role: string): UserRow {
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
  // In memory only. The user may already have the maximum number of application passwords.
  await applicationPasswords.revokeAll(user.ID)
  const { password } = await applicationPasswords.create(user.ID, { name: 'explain' })
  return { authorization: `Basic ${Buffer.from(`${user.user_login}:${password}`).toString('base64')}` }
}

async function cookieHeaders(
  user: UserRow,
  method: 'cookie' | 'no-nonce',
  secure: boolean,
  { authenticator, storage, cookies, clock }: DryRunDependencies,
): Promise<Record<string, string>> {
  const now = unixTime(clock)
  const expiration = now + loginLifetime.session
  const token = await new Sessions(storage, clock).create(user.ID, { expiration, address: '', userAgent: '' })
  const lines = cookies().setLogin({ user, token, expiration, remembered: false }, now, secure)
  const cookie = [...new Set(lines.map((line) => line.split(';', 1)[0] ?? ''))].join('; ')
  if (method === 'no-nonce') return { cookie }
  return { cookie, 'x-wp-nonce': authenticator().restNonce(user.ID, token) }
}
