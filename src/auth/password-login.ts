import type { Problem } from '../http/rest-error.js'

import { toBoolean } from '../php/cast.js'
import { phpTrim } from '../php/trim.js'
import { escHtml } from '../sanitizers/escape-html.js'
import type { Storage, UserRow } from '../database/storage.js'
import type { Account, Accounts } from './accounts.js'
import { cleanName, countedAs, isEmailName, shownName } from './login-name.js'
import { HasherBusyError, hashOfNobody, needsRehash, type PasswordHasher } from './password-hash.js'
import { tooBusy, tooManyAttempts } from './refusals.js'
import type { Attempt, RateLimiter } from './rate-limiter.js'

/** The reason why a login is refused, for the login form. */
export interface LoginRefusal {
  /** At least one; messages are HTML. */
  readonly problems: readonly Problem[]
  /** 200 with the form, or 429 or 503 to try again later. */
  readonly status: 200 | 429 | 503
  /** Seconds, for the header `Retry-After`. */
  readonly retryAfter: number | null
}

/** The services of a {@link PasswordLogin}. */
export interface PasswordLoginDependencies {
  readonly storage: Storage
  readonly accounts: Accounts
  readonly hasher: PasswordHasher
  readonly throttle: RateLimiter
  /** The option `siteurl`, without a trailing slash. */
  readonly siteUrl: string
}

/** Checks the credentials of the login form. */
// Rules: docs/wire.md#the-login-page.
export class PasswordLogin {
  readonly #parts: PasswordLoginDependencies
  readonly #rehashing = new Map<number, Promise<string | null>>()

  constructor(parts: PasswordLoginDependencies) {
    this.#parts = parts
  }

  /**
   * Finds the user by login or e-mail address and checks the password, blanks around it left off. The hash of an older
   * kind is replaced, which ends the user's other logins. An unknown name takes as long as a wrong password.
   */
  async authenticate(username: string, password: string, address: string): Promise<UserRow | LoginRefusal> {
    const name = cleanName(username)
    const secret = phpTrim(password)
    const missing = missingFields(name, secret)
    if (missing.length > 0) return shownAgain(...missing)

    const { accounts, throttle } = this.#parts
    const byLogin = await accounts.byLogin(username)
    const byEmail = await accounts.byEmail(name)
    // The login name of one user may be the address of another. The password is then checked for both, and counts for both.
    const ids = new Set([byLogin?.user.ID ?? byEmail?.user.ID, byEmail?.user.ID ?? byLogin?.user.ID])
    const names = Array.from(ids, (id) => countedAs(id, username))
    const attempts = attemptsAt(names, address, shownName(username), throttle)
    if (typeof attempts === 'number') return later(tooManyAttempts(attempts), 429)
    try {
      const user = await this.#firstWithPassword([byLogin, byEmail], secret)
      if (user === null) return shownAgain(this.#wrong(name, byLogin, byEmail))
      attempts.get(countedAs(user.ID, username))?.succeeded()
      return await this.#upToDate(user, secret)
    } catch (error) {
      if (!(error instanceof HasherBusyError)) throw error
      for (const attempt of attempts.values()) attempt.abandoned()
      return later(tooBusy(), 503)
    }
  }

  async #firstWithPassword(accounts: readonly (Account | null)[], secret: string): Promise<UserRow | null> {
    const users = new Map(accounts.flatMap((account) => (account === null ? [] : [[account.user.ID, account.user]])))
    for (const user of users.values()) if (await this.#parts.hasher.verify(secret, user.user_pass)) return user
    if (users.size === 0) await this.#parts.hasher.verify(secret, hashOfNobody)
    return null
  }

  /** The user with a hash of the current kind, or with the old hash when the hasher is busy. */
  async #upToDate(user: UserRow, secret: string): Promise<UserRow> {
    if (!needsRehash(user.user_pass)) return user
    // Two concurrent logins must not both replace the hash: the second one would end the cookies of the first.
    const running = this.#rehashing.get(user.ID) ?? this.#replaceHash(user, secret)
    this.#rehashing.set(user.ID, running)
    try {
      return { ...user, user_pass: (await running) ?? user.user_pass }
    } finally {
      this.#rehashing.delete(user.ID)
    }
  }

  /** @returns the stored hash if it belongs to this password; null when the old hash stays. */
  async #replaceHash(user: UserRow, secret: string): Promise<string | null> {
    const { hasher, storage } = this.#parts
    try {
      const hash = await hasher.hash(secret)
      const stored = await storage.transaction(async ({ users }) => {
        // Another login, also of another process, may have replaced the hash, or the user may have changed the password.
        const current = await users.find({ id: user.ID })
        if (current?.user_pass !== user.user_pass) return current?.user_pass ?? null
        await users.update(user.ID, { user_pass: hash, user_activation_key: '' })
        return hash
      })
      return stored === hash || (stored !== null && (await hasher.verify(secret, stored))) ? stored : null
    } catch (error) {
      if (error instanceof HasherBusyError) return null
      throw error
    }
  }

  #wrong(name: string, byLogin: Account | null, byEmail: Account | null): Problem {
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
    const link = `${this.#parts.siteUrl}/wp-login.php?action=lostpassword`
    return problem(
      'incorrect_password',
      `<strong>Error:</strong> The password you entered for the ${kind} <strong>${escHtml(name)}</strong> is ` +
        `incorrect. <a href="${link}">Lost your password?</a>`,
    )
  }
}

/** An attempt for each account by its name, or the seconds to wait when one of them is refused. */
function attemptsAt(
  names: readonly string[],
  address: string,
  login: string,
  throttle: RateLimiter,
): Map<string, Attempt> | number {
  const attempts = new Map<string, Attempt>()
  for (const name of names) {
    const attempt = throttle.begin(name, address, login)
    if (typeof attempt === 'number') {
      for (const begun of attempts.values()) begun.abandoned()
      return attempt
    }
    attempts.set(name, attempt)
  }
  return attempts
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

function shownAgain(...problems: readonly Problem[]): LoginRefusal {
  return { problems, status: 200, retryAfter: null }
}

function later(
  { problem, retryAfter }: { readonly problem: Problem; readonly retryAfter: number | null },
  status: 429 | 503,
): LoginRefusal {
  return { problems: [problem], status, retryAfter }
}
