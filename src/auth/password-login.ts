import type { Problem } from '../http/rest-error.js'
import { toBoolean } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { escHtml } from '../sanitizers/escape-html.js'
import { lockName } from '../database/lock-name.js'
import type { Storage, UserRow } from '../database/storage.js'
import type { Account, Accounts } from './accounts.js'
import type { Requester } from './fair-queue.js'
import { cleanName, attemptKey, isEmailName, nameForLog } from './login-name.js'
import { HasherBusyError, dummyHash, type PasswordHasher } from './password-hash.js'
import { tooBusy, tooManyAttempts } from './refusals.js'
import type { Attempt, AttemptLimiter } from './attempt-limiter.js'

/** Why a login with the form is refused. */
export interface LoginRefusal {
  /** At least one. The messages are HTML. */
  readonly problems: readonly Problem[]
  /** The status of the response: 200 shows the form again; 429 and 503 come with `retryAfter`. */
  readonly status: 200 | 429 | 503
  /** Seconds, for the header `Retry-After`; null with the status 200. */
  readonly retryAfter: number | null
}

/** The dependencies of a {@link PasswordLogin}. */
export interface PasswordLoginDependencies {
  readonly storage: Storage
  readonly accounts: Accounts
  readonly hasher: PasswordHasher
  readonly rateLimiter: AttemptLimiter
  /** The start of the address of the login page, without a trailing slash. */
  readonly siteUrl: string
}

/** Checks the user name and password of the login form. */
// Rules: docs/wire.md#the-login-page.
export class PasswordLogin {
  readonly #dependencies: PasswordLoginDependencies
  /** Replacements of hashes that are in progress, by user id. */
  readonly #rehashing = new Map<number, Promise<string | null>>()

  constructor(dependencies: PasswordLoginDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * Finds the user by login name or email address and verifies the password, which is trimmed first. A hash in an older
   * format or with a lower cost is replaced, which ends the user's other logins. An unknown name takes as long as a
   * wrong password.
   */
  async authenticate(username: string, password: string, address: string): Promise<UserRow | LoginRefusal> {
    const name = cleanName(username)
    const secret = phpTrim(password)
    const missing = missingFields(name, secret)
    if (missing.length > 0) return formRefusal(...missing)

    const { accounts, hasher, rateLimiter } = this.#dependencies
    const byLogin = await accounts.byLogin(username)
    const byEmail = await accounts.byEmail(name)
    // The login name of one user may be the email address of another. The password is then checked for both users, and
    // the attempt counts for both.
    const users = new Map(
      [byLogin ?? byEmail, byEmail ?? byLogin].map((account) => [
        attemptKey(account?.user.ID, username),
        account?.user ?? null,
      ]),
    )
    const attempts = new Map<string, Attempt>()
    try {
      for (const key of users.keys()) {
        const attempt = await rateLimiter.begin(key, address, nameForLog(username))
        if (typeof attempt === 'number') return temporaryRefusal(tooManyAttempts(attempt), 429)
        attempts.set(key, attempt)
      }
      for (const [key, attempt] of attempts) {
        const user = users.get(key) ?? null
        const matches = await hasher.verify(secret, user?.user_pass ?? hasher.dummyHash ?? dummyHash, attempt.requester)
        if (user !== null && matches) {
          attempt.succeeded()
          return await this.#withCurrentHash(user, secret, { ...attempt.requester, isTrusted: true })
        }
        attempt.failed()
      }
      return formRefusal(this.#wrongCredentials(name, byLogin, byEmail))
    } catch (error) {
      if (!(error instanceof HasherBusyError)) throw error
      return temporaryRefusal(tooBusy(), 503)
    } finally {
      // Ends the attempts whose password was not checked.
      for (const attempt of attempts.values()) attempt.abandoned()
    }
  }

  /** The user after an outdated hash is replaced. When the hasher is busy, the user keeps the old hash. */
  async #withCurrentHash(user: UserRow, secret: string, requester: Requester): Promise<UserRow> {
    if (!this.#dependencies.hasher.needsRehash(user.user_pass)) return user
    // Two concurrent logins must not both replace the hash: the second hash would make the cookies of the first login
    // invalid.
    const replacement = this.#rehashing.get(user.ID) ?? this.#replaceHash(user, secret, requester)
    this.#rehashing.set(user.ID, replacement)
    try {
      return { ...user, user_pass: (await replacement) ?? user.user_pass }
    } finally {
      this.#rehashing.delete(user.ID)
    }
  }

  /**
   * @returns the stored hash, which this password matches; null when the user's password is now another one or the
   *   hasher is busy.
   */
  async #replaceHash(user: UserRow, secret: string, requester: Requester): Promise<string | null> {
    const { hasher, storage } = this.#dependencies
    try {
      const hash = await hasher.hash(secret, requester)
      const storedHash = await storage.write(async (inside) => {
        const { users } = inside
        await inside.lock([lockName('user', user.ID)])
        // A login in another process may have replaced the hash meanwhile, or the user may have changed the password.
        const current = await users.find({ id: user.ID })
        if (current?.user_pass !== user.user_pass) return current?.user_pass ?? null
        await users.update(user.ID, { user_pass: hash, user_activation_key: '' })
        return hash
      })
      return storedHash === hash || (storedHash !== null && (await hasher.verify(secret, storedHash, requester)))
        ? storedHash
        : null
    } catch (error) {
      if (error instanceof HasherBusyError) return null
      throw error
    }
  }

  /** WordPress's message for a wrong name or password. */
  #wrongCredentials(name: string, byLogin: Account | null, byEmail: Account | null): Problem {
    if (isEmailName(name)) {
      if (byEmail !== null) return this.#wrongPassword('email address', name)
      return problem('invalid_email', 'Unknown email address. Check again or try your username.')
    }
    if (byLogin !== null) return this.#wrongPassword('username', name)
    return problem(
      'invalid_username',
      `<strong>Error:</strong> The username <strong>${escHtml(name)}</strong> is not registered on this site. ` +
        'If you are unsure of your username, try your email address instead.',
    )
  }

  #wrongPassword(kind: 'username' | 'email address', name: string): Problem {
    const link = `${this.#dependencies.siteUrl}/wp-login.php?action=lostpassword`
    return problem(
      'incorrect_password',
      `<strong>Error:</strong> The password you entered for the ${kind} <strong>${escHtml(name)}</strong> is ` +
        `incorrect. <a href="${link}">Lost your password?</a>`,
    )
  }
}

function missingFields(name: string, secret: string): readonly Problem[] {
  return [
    ...(!toBoolean(name) ? [problem('empty_username', '<strong>Error:</strong> The username field is empty.')] : []),
    ...(!toBoolean(secret) ? [problem('empty_password', '<strong>Error:</strong> The password field is empty.')] : []),
  ]
}

function problem(code: string, message: string): Problem {
  return { code, message, data: null }
}

/** The form is shown again with these problems. */
function formRefusal(...problems: readonly Problem[]): LoginRefusal {
  return { problems, status: 200, retryAfter: null }
}

/** The client may try again after a number of seconds. */
function temporaryRefusal(
  { problem, retryAfter }: { readonly problem: Problem; readonly retryAfter: number | null },
  status: 429 | 503,
): LoginRefusal {
  return { problems: [problem], status, retryAfter }
}
