import { ThreadedPasswordHasher } from '../src/auth/threaded-password-hasher.js'
import { Accounts } from '../src/auth/accounts.js'
import { ApplicationPasswordLogin } from '../src/auth/application-password-login.js'
import { ApplicationPasswords } from '../src/auth/application-passwords.js'
import { Authenticator, type CredentialSource } from '../src/auth/authenticator.js'
import { LoginCookies } from '../src/auth/login-cookies.js'
import { PasswordLogin } from '../src/auth/password-login.js'
import { Secrets, type Scheme } from '../src/auth/secrets.js'
import { Sessions, sessionsKey } from '../src/auth/sessions.js'
import { SignIn } from '../src/auth/sign-in.js'
import { RateLimiter } from '../src/auth/rate-limiter.js'
import { applicationPasswordLimits, signInLimits } from '../src/auth/rate-limits.js'
import { StoredRoles } from '../src/auth/roles.js'
import { serialize } from '../src/php/serialize.js'
import { readVectors } from '../conformance/vectors.js'
import { openTestStorage } from './support/test-database.js'

/** The site that the recorded responses on authentication came from. */
export interface RecordedSite {
  /** Unix seconds. */
  readonly now: number
  readonly keys: Readonly<Record<Scheme, { readonly key: string; readonly salt: string }>>
  readonly siteurl: string
  readonly users: Readonly<Record<string, { readonly id: number; readonly user_pass: string }>>
  readonly sessionTokens: Readonly<Record<'live' | 'other' | 'old', string>>
  readonly sessionTokensMeta: unknown
}

export const recordedSite = readVectors('auth-cookies')['setup'] as RecordedSite

export function recordedSecrets({ keys }: Pick<RecordedSite, 'keys'> = recordedSite): Secrets {
  const saltOf = (scheme: Scheme) => keys[scheme].key + keys[scheme].salt
  return new Secrets({
    auth: saltOf('auth'),
    secure_auth: saltOf('secure_auth'),
    logged_in: saltOf('logged_in'),
    nonce: saltOf('nonce'),
  })
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** All of authentication over an empty database with the recorded users; its clock stands until it is moved. */
export async function openSite({ environment = 'production', setup = recordedSite } = {}) {
  const storage = await openTestStorage()
  for (const [user_login, { id, user_pass }] of Object.entries(setup.users)) {
    await storage.users.insert({
      ID: id,
      user_login,
      user_pass,
      user_nicename: `user-${id}`,
      user_email: user_login === 'user_wp' ? 'wp@example.test' : `${id}@example.test`,
      user_url: '',
      user_registered: '2026-01-01 00:00:00',
      user_activation_key: '',
      user_status: 0,
      display_name: user_login,
    })
    await storage.users.meta.add(id, 'wp_capabilities', serialize({ author: true }))
    await storage.users.meta.add(id, sessionsKey, serialize(setup.sessionTokensMeta))
  }
  const time = { now: setup.now }
  const clock = () => time.now * 1000
  const secrets = recordedSecrets(setup)
  const accounts = new Accounts(storage, await new StoredRoles(storage, 'wp_').ensure(), 'wp_')
  const hasher = new ThreadedPasswordHasher({ threads: 2 })
  const cookies = new LoginCookies(secrets, setup.siteurl)
  const sessions = new Sessions(storage, clock)
  const applicationPasswords = new ApplicationPasswords(storage, clock)
  const applicationLogin = new ApplicationPasswordLogin(
    accounts,
    applicationPasswords,
    hasher,
    new RateLimiter(applicationPasswordLimits, clock),
  )
  const rateLimiter = new RateLimiter(signInLimits, clock)
  const login = new PasswordLogin({ storage, accounts, hasher, rateLimiter, siteUrl: setup.siteurl })
  return {
    storage,
    time,
    clock,
    secrets,
    accounts,
    hasher,
    cookies,
    sessions,
    applicationPasswords,
    applicationLogin,
    login,
    signIn: new SignIn(login, sessions, cookies, clock),
    authenticator: new Authenticator({
      accounts,
      secrets,
      cookies,
      applicationPasswords: applicationLogin,
      environment,
      clock,
    }),
    async close() {
      await hasher.close()
      await storage.close()
    },
  }
}

/** What is told of a request; cookies by name. */
export type GivenRequest = Partial<Omit<CredentialSource, 'cookies'>> & {
  readonly cookies?: Readonly<Record<string, string>>
}

/** A request with nothing in it that identifies anybody, but for what is options. */
export function requestWith(options: GivenRequest = {}): CredentialSource {
  const cookies = new Map(Object.entries(options.cookies ?? {}))
  const headers = { ...(cookies.size > 0 ? { cookie: 'present' } : {}), ...options.headers }
  const rest = { method: 'GET', query: {}, form: {}, address: '192.0.2.1', secure: true, local: false }
  return { ...rest, ...options, cookies, headers }
}

/** The header of a name and password. */
export function basicHeader(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}
