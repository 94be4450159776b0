import type { Account, Accounts } from './accounts.js'
import {
  matchingApplicationPassword,
  normalizedApplicationPassword,
  type ApplicationPassword,
  type ApplicationPasswords,
} from './application-passwords.js'
import type { BasicCredentials } from './basic.js'
import { isEmailName, countedAs } from './login-name.js'
import { HasherBusy, type PasswordHasher } from './password-hash.js'
import {
  applicationPasswordsDisabled,
  tooBusy,
  tooManyAttempts,
  unknownName,
  wrongApplicationPassword,
  type Refusal,
} from './refusals.js'
import type { Throttle } from './throttle.js'

/** Whom an application password let in. */
export interface ApplicationLogin {
  readonly account: Account
  readonly item: ApplicationPassword
}

/** Checks the credentials of programs. Source: WIRE 6.8, 6.9. */
export class ApplicationPasswordLogin {
  readonly #accounts: Accounts
  readonly #passwords: ApplicationPasswords
  readonly #hasher: PasswordHasher
  readonly #throttle: Throttle

  constructor(accounts: Accounts, passwords: ApplicationPasswords, hasher: PasswordHasher, throttle: Throttle) {
    this.#accounts = accounts
    this.#passwords = passwords
    this.#hasher = hasher
    this.#throttle = throttle
  }

  /**
   * @param unavailable why application passwords may not be used in this request; null when they may.
   * @returns null when no user has ever had an application password: then credentials are not looked at.
   */
  async authenticate(
    { username, password }: BasicCredentials,
    { address, unavailable }: { readonly address: string; readonly unavailable: string | null },
  ): Promise<ApplicationLogin | Refusal | null> {
    const inUse = this.#passwords.inUse()
    if (inUse !== true && !(await inUse)) return null
    const account = (await this.#accounts.byLogin(username)) ?? (await this.#accounts.byEmail(username))
    const attempt = this.#throttle.begin(countedAs(account?.user.ID, username), address)
    if (typeof attempt === 'number') return tooManyAttempts(attempt)
    if (account === null) return refused(unknownName(isEmailName(username)))
    if (unavailable !== null) {
      attempt.abandoned()
      return refused(applicationPasswordsDisabled(unavailable))
    }
    try {
      const given = normalizedApplicationPassword(password)
      const match = matchingApplicationPassword(account.applicationPasswords, given, this.#hasher)
      // No needless waiting: what is right must not count as a failure while others of its kind are under way.
      const item = match instanceof Promise ? await match : match
      if (item === null) return refused(wrongApplicationPassword())
      attempt.succeeded()
      const noted = this.#passwords.recordUse(account.user.ID, item, address)
      if (noted !== null) await noted
      return { account, item }
    } catch (error) {
      if (!(error instanceof HasherBusy)) throw error
      attempt.abandoned()
      return tooBusy()
    }
  }
}

function refused(problem: Refusal['problem']): Refusal {
  return { problem, retryAfter: null }
}
