import { unixTime } from './unix-time.js'
import type { Mailer } from '../mail/mailer.js'
import { phpTrim } from '../php/trim.js'
import { lockName } from '../database/lock-name.js'
import type { Storage, UserRow } from '../database/storage.js'
import type { Accounts } from './accounts.js'
import { hashOfApplicationPassword, hashPrefix } from './application-password-hash.js'
import { TooMuchWorkError, type BackgroundWork } from './background-work.js'
import { equalInConstantTime } from './constant-time.js'
import { attemptKey, nameForLog } from './login-name.js'
import { networkOf } from './network.js'
import { newPasswordFault, type PasswordHasher } from './password-hash.js'
import { changedMessage, resetMessage, type MailedSite, type ResetRequest } from './password-messages.js'
import { randomPassword } from './random-text.js'
import type { AttemptLimiter } from './attempt-limiter.js'
import { sessionsKey } from './sessions.js'
import type { ThreadedPasswordHasher } from './threaded-password-hasher.js'

/** Seconds that a link is valid. WordPress's links are valid for a day. */
export const resetLifetime = 3600

/** Why a new password is refused. */
export type NewPasswordRefusal = 'invalid_key' | 'expired_key' | NonNullable<ReturnType<typeof newPasswordFault>>

export interface PasswordResetDependencies {
  readonly accounts: Accounts
  readonly storage: Storage
  readonly hasher: PasswordHasher & Pick<ThreadedPasswordHasher, 'hashOfRandomText'>
  readonly mailer: Mailer
  readonly site: MailedSite
  /** Has the limits `resets`. */
  readonly rateLimiter: AttemptLimiter
  readonly background: BackgroundWork
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Whether a WordPress has the same tables. Then the rows that WordPress writes are written. Default false. */
  readonly sharesTables?: boolean
}

/**
 * Replaces lost passwords. A user receives a link with a key. The database keeps the hash of the key with the time of the
 * request, in WordPress's format. A key is valid for one hour, and for one new password.
 */
// Rules: docs/wire.md#lost-passwords.
export class PasswordReset {
  readonly #dependencies: PasswordResetDependencies

  constructor(dependencies: PasswordResetDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Sends a link to the user with this login name or email address, if there is one. The user is looked up after this
   * call returns, so that neither its result nor its duration tells whether the user exists.
   * @returns the seconds to wait when there were too many requests; 0 otherwise.
   * @throws TooMuchWorkError when too many messages wait to be sent.
   * @throws HasherBusyError when the process that counts the requests does not answer.
   */
  async request(username: string, request: ResetRequest): Promise<number> {
    const { rateLimiter, background } = this.#dependencies
    const attempt = await rateLimiter.begin(attemptKey(undefined, username), request.address, nameForLog(username))
    if (typeof attempt === 'number') return attempt
    const isStarted = background.start(() => this.#sendLink(username, request))
    if (isStarted) attempt.failed()
    else attempt.abandoned()
    if (!isStarted) throw new TooMuchWorkError()
    return 0
  }

  /** Resolves when no message is being sent. */
  idle(): Promise<void> {
    return this.#dependencies.background.idle()
  }

  async #sendLink(username: string, request: ResetRequest): Promise<void> {
    const { storage, hasher, mailer, site, rateLimiter, clock } = this.#dependencies
    const user = await this.#userOf(username)
    if (user === null || user.user_email === '') return
    // Login name and email address of one user share this counter, which stands for all networks.
    const account = attemptKey(user.ID, username)
    const attempt = await rateLimiter.begin(account, account, user.user_login)
    if (typeof attempt === 'number') return
    attempt.failed()
    const key = randomPassword()
    const user_activation_key = `${unixTime(clock)}:${await hasher.hashOfRandomText(key)}`
    // A new email address ends open links. If one was stored meanwhile, this link, which goes to the old one, must not open.
    const isStored = await storage.write(async (inside) => {
      const { users } = inside
      await inside.lock([lockName('user', user.ID)])
      const current = await users.find({ id: user.ID })
      if (current?.user_email !== user.user_email) return false
      await users.update(user.ID, { user_activation_key })
      return true
    })
    if (isStored) await mailer.send(resetMessage(user, key, request, site))
  }

  async #userOf(username: string): Promise<UserRow | null> {
    const { accounts } = this.#dependencies
    const account = (await accounts.byEmail(phpTrim(username))) ?? (await accounts.byLogin(username))
    return account?.user ?? null
  }

  /** The user whose key this is, or why the key is not valid. */
  async check(login: string, key: string): Promise<UserRow | 'invalid_key' | 'expired_key'> {
    const user = login === '' ? null : await this.#dependencies.storage.users.find({ login })
    return user === null ? 'invalid_key' : this.#checkKey(user, key)
  }

  async #checkKey(user: UserRow, key: string): Promise<UserRow | 'invalid_key' | 'expired_key'> {
    const [, time, hash] = /^(\d{1,12}):(.+)$/s.exec(user.user_activation_key) ?? []
    const plainKey = key.slice(0, 100).replaceAll(/[^A-Za-z0-9]/g, '')
    if (time === undefined || hash === undefined || plainKey === '') return 'invalid_key'
    if (!(await this.#matches(plainKey, hash))) return 'invalid_key'
    return unixTime(this.#dependencies.clock) < Number(time) + resetLifetime ? user : 'expired_key'
  }

  /** A WordPress before 6.8 stores a slow hash of the key. */
  #matches(key: string, hash: string): boolean | Promise<boolean> {
    if (hash.startsWith(hashPrefix)) return equalInConstantTime(hashOfApplicationPassword(key), hash)
    return hash.startsWith('$P$') && this.#dependencies.hasher.verify(key, hash)
  }

  /**
   * Sets a new password, ends all sessions of the user, and tells the user by a message.
   * @param address the network address of the client.
   * @returns null on success.
   * @throws HasherBusyError when too many passwords are being hashed.
   */
  async reset(login: string, key: string, password: string, address: string): Promise<NewPasswordRefusal | null> {
    const { storage, hasher, background, mailer, site, sharesTables = false } = this.#dependencies
    const user = await this.check(login, key)
    if (typeof user === 'string') return user
    const fault = newPasswordFault(password)
    if (fault !== null) return fault
    const requester = { network: networkOf(address), account: attemptKey(user.ID, login), isTrusted: false }
    const user_pass = await hasher.hash(phpTrim(password), requester)
    const refusal = await storage.write(async (inside) => {
      const { users } = inside
      await inside.lock([lockName('user', user.ID)])
      // Of two requests with one key, the second finds it used.
      const current = await users.find({ id: user.ID })
      if (current?.user_activation_key !== user.user_activation_key) return 'invalid_key'
      await users.update(user.ID, { user_pass, user_activation_key: '' })
      // WordPress keeps the rows of sessions, whose cookies the new hash makes invalid, and ends its reminder of a generated password.
      if (sharesTables) await users.meta.write(user.ID, 'default_password_nag', '')
      else await users.meta.remove(user.ID, sessionsKey)
      return null
    })
    if (refusal === null) background.start(() => mailer.send(changedMessage(user, site)))
    return refusal
  }
}
