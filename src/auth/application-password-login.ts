import type { Account, AccountPassword, Accounts } from './accounts.js'
import { normalizedApplicationPassword, type ApplicationPasswords } from './application-passwords.js'
import { matchingApplicationPassword } from './match-application-password.js'
import type { BasicCredentials } from './basic.js'
import { isEmailName, attemptKey, nameForLog } from './login-name.js'
import { HasherBusyError, type PasswordHasher } from './password-hash.js'
import {
  applicationPasswordsDisabled,
  expiredApplicationPassword,
  tooBusy,
  tooManyAttempts,
  unknownName,
  wrongApplicationPassword,
  type CredentialRefusal,
} from './refusals.js'
import type { Attempt, AttemptLimiter } from './attempt-limiter.js'
import { VerifiedPasswords } from './verified-passwords.js'

/** A login with an application password. */
export interface ApplicationLogin {
  readonly account: Account
  readonly item: AccountPassword
}

/** The properties of a request that a login depends on. */
interface LoginContext {
  /** The network address of the client. */
  readonly address: string
  /** Why application passwords cannot be used in this request; null when they can. */
  readonly unavailableReason: string | null
}

type LoginResult = ApplicationLogin | CredentialRefusal | null

/** Checks Basic credentials, which contain an application password. */
// Rules: docs/wire.md#application-passwords.
export class ApplicationPasswordLogin {
  readonly #accounts: Accounts
  readonly #passwords: ApplicationPasswords
  readonly #hasher: PasswordHasher
  readonly #rateLimiter: AttemptLimiter
  readonly #verified: VerifiedPasswords

  /** @param clock milliseconds, for durations. */
  constructor(
    accounts: Accounts,
    passwords: ApplicationPasswords,
    hasher: PasswordHasher,
    rateLimiter: AttemptLimiter,
    clock?: () => number,
  ) {
    this.#accounts = accounts
    this.#passwords = passwords
    this.#hasher = hasher
    this.#rateLimiter = rateLimiter
    this.#verified = new VerifiedPasswords(clock)
  }

  /**
   * @returns null when no user has ever had an application password. Then the credentials are ignored.
   */
  authenticate(credentials: BasicCredentials, context: LoginContext): Promise<LoginResult> {
    const check = (): Promise<LoginResult> =>
      this.#accounts.byLoginOrEmail(credentials.username).then((account) => this.#check(account, credentials, context))
    const inUse = this.#passwords.inUse()
    return inUse === true ? check() : inUse.then((isInUse) => (isInUse ? check() : null))
  }

  #check(
    account: Account | null,
    credentials: BasicCredentials,
    context: LoginContext,
  ): LoginResult | Promise<LoginResult> {
    const { username } = credentials
    const key = attemptKey(account?.user.ID, username)
    const attempt = this.#rateLimiter.begin(key, context.address, nameForLog(username))
    return attempt instanceof Promise
      ? attempt.then(
          (settled) => this.#verify(account, credentials, context, settled),
          (error) => busy(error),
        )
      : this.#verify(account, credentials, context, attempt)
  }

  #verify(
    account: Account | null,
    { username, password }: BasicCredentials,
    { address, unavailableReason }: LoginContext,
    attempt: Attempt | number,
  ): LoginResult | Promise<LoginResult> {
    if (typeof attempt === 'number') return tooManyAttempts(attempt)
    if (account === null) {
      attempt.failed()
      return refused(unknownName(isEmailName(username)))
    }
    if (unavailableReason !== null) {
      attempt.abandoned()
      return refused(applicationPasswordsDisabled(unavailableReason))
    }
    const normalized = normalizedApplicationPassword(password)
    const { applicationPasswords } = account
    const { requester } = attempt
    const match = matchingApplicationPassword(applicationPasswords, normalized, this.#hasher, this.#verified, requester)
    const finish = (item: AccountPassword | null) => this.#finish(account, item, attempt, address)
    // An attempt counts as a failure until it is finished. Finishing without a promise keeps concurrent requests of one
    // program from exhausting the limit.
    return match instanceof Promise ? match.then(finish, (error) => busy(error, attempt)) : finish(match)
  }

  #finish(
    account: Account,
    item: AccountPassword | null,
    attempt: Attempt,
    address: string,
  ): LoginResult | Promise<LoginResult> {
    if (item === null) {
      attempt.failed()
      return refused(wrongApplicationPassword())
    }
    attempt.succeeded()
    if (this.#passwords.hasExpired(item)) return refused(expiredApplicationPassword())
    const login = { account, item }
    return this.#passwords.recordUse(account.user.ID, item, address)?.then(() => login) ?? login
  }
}

/** The refusal when the hasher is busy. @throws any other error. */
function busy(error: unknown, attempt?: Attempt): CredentialRefusal {
  attempt?.abandoned()
  if (!(error instanceof HasherBusyError)) throw error
  return tooBusy()
}

function refused(problem: CredentialRefusal['problem']): CredentialRefusal {
  return { problem, retryAfter: null }
}
