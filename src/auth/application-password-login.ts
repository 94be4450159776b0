import type { Account, Accounts } from './accounts.js'
import {
  matchingApplicationPassword,
  normalizedApplicationPassword,
  type ApplicationPassword,
  type ApplicationPasswords,
} from './application-passwords.js'
import type { BasicCredentials } from './basic.js'
import { isEmailName, countedAs, shownName } from './login-name.js'
import { HasherBusyError, type PasswordHasher } from './password-hash.js'
import {
  applicationPasswordsDisabled,
  tooBusy,
  tooManyAttempts,
  unknownName,
  wrongApplicationPassword,
  type CredentialRefusal,
} from './refusals.js'
import type { Attempt, RateLimiter } from './rate-limiter.js'

/** The result of a login with an application password. */
export interface ApplicationLogin {
  readonly account: Account
  readonly item: ApplicationPassword
}

interface Circumstances {
  readonly address: string
  readonly unavailable: string | null
}

type Outcome = ApplicationLogin | CredentialRefusal | null

/** Checks the credentials of programs. */
// Rules: docs/wire.md#application-passwords.
export class ApplicationPasswordLogin {
  readonly #accounts: Accounts
  readonly #passwords: ApplicationPasswords
  readonly #hasher: PasswordHasher
  readonly #throttle: RateLimiter

  constructor(accounts: Accounts, passwords: ApplicationPasswords, hasher: PasswordHasher, throttle: RateLimiter) {
    this.#accounts = accounts
    this.#passwords = passwords
    this.#hasher = hasher
    this.#throttle = throttle
  }

  /**
   * @param unavailable the reason why application passwords are not accepted in this request; null when they are.
   * @returns null when no user has ever had an application password: credentials are then ignored. Without a promise when
   *   the cached account is valid and its hash is of the current kind.
   */
  authenticate(credentials: BasicCredentials, circumstances: Circumstances): Outcome | Promise<Outcome> {
    const inUse = this.#passwords.inUse()
    if (inUse === true) return this.#authenticate(credentials, circumstances)
    return inUse.then((really) => (really ? this.#authenticate(credentials, circumstances) : null))
  }

  #authenticate(credentials: BasicCredentials, circumstances: Circumstances): Outcome | Promise<Outcome> {
    const account = this.#accounts.byLoginOrEmail(credentials.username)
    return account instanceof Promise
      ? account.then((found) => this.#judged(found, credentials, circumstances))
      : this.#judged(account, credentials, circumstances)
  }

  #judged(
    account: Account | null,
    { username, password }: BasicCredentials,
    { address, unavailable }: Circumstances,
  ): Outcome | Promise<Outcome> {
    const attempt = this.#throttle.begin(countedAs(account?.user.ID, username), address, shownName(username))
    if (typeof attempt === 'number') return tooManyAttempts(attempt)
    if (account === null) return refused(unknownName(isEmailName(username)))
    if (unavailable !== null) {
      attempt.abandoned()
      return refused(applicationPasswordsDisabled(unavailable))
    }
    const given = normalizedApplicationPassword(password)
    const match = matchingApplicationPassword(account.applicationPasswords, given, this.#hasher)
    const settled = (item: ApplicationPassword | null) => this.#settled(account, item, attempt, address)
    // Without waiting: a right password must not count as a failure while other attempts are in flight.
    return match instanceof Promise ? match.then(settled).catch((error) => busy(error, attempt)) : settled(match)
  }

  #settled(
    account: Account,
    item: ApplicationPassword | null,
    attempt: Attempt,
    address: string,
  ): Outcome | Promise<Outcome> {
    if (item === null) return refused(wrongApplicationPassword())
    attempt.succeeded()
    const login = { account, item }
    return this.#passwords.recordUse(account.user.ID, item, address)?.then(() => login) ?? login
  }
}

function busy(error: unknown, attempt: Attempt): CredentialRefusal {
  if (!(error instanceof HasherBusyError)) throw error
  attempt.abandoned()
  return tooBusy()
}

function refused(problem: CredentialRefusal['problem']): CredentialRefusal {
  return { problem, retryAfter: null }
}
