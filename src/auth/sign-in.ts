import type { UserRow } from '../database/storage.js'
import { loginLifetime, type LoginCookies } from './login-cookies.js'
import type { LoginRefusal, PasswordLogin } from './password-login.js'
import type { Sessions } from './sessions.js'

/** The fields of the login form. */
export interface SignInRequest {
  /** Login or e-mail address. */
  readonly username: string
  readonly password: string
  /** Stay signed in for two weeks instead of until the browser closes, and two days at most. */
  readonly remembered: boolean
  readonly address: string
  /** The header `User-Agent`; `''` without one. */
  readonly userAgent: string
  readonly secure: boolean
}

/** A login that has begun. */
export interface SignedIn {
  readonly user: UserRow
  /** Of the new session: what this user's nonces are bound to from now on. */
  readonly sessionToken: string
  /** `Set-Cookie` lines. */
  readonly cookies: readonly string[]
}

/** Starts and ends login sessions. */
export class SignIn {
  readonly #login: PasswordLogin
  readonly #sessions: Sessions
  readonly #cookies: LoginCookies
  readonly #now: () => number

  /** @param clock milliseconds since 1970. */
  constructor(login: PasswordLogin, sessions: Sessions, cookies: LoginCookies, clock: () => number) {
    this.#login = login
    this.#sessions = sessions
    this.#cookies = cookies
    this.#now = () => Math.floor(clock() / 1000)
  }

  /** @returns the login, or a {@link LoginRefusal} (which has `problems`). */
  async signIn(request: SignInRequest): Promise<SignedIn | LoginRefusal> {
    const user = await this.#login.authenticate(request.username, request.password, request.address)
    if ('problems' in user) return user
    const now = this.#now()
    const { remembered, secure } = request
    const expiration = now + (remembered ? loginLifetime.remembered : loginLifetime.session)
    const token = await this.#sessions.create(user.ID, { ...request, expiration })
    const cookies = this.#cookies.signedIn({ user, token, expiration, remembered }, now, secure)
    return { user, sessionToken: token, cookies }
  }

  /** Ends one session. @returns the `Set-Cookie` lines that make the browser forget it. */
  async signOut(userId: number, sessionToken: string): Promise<readonly string[]> {
    await this.#sessions.end(userId, sessionToken)
    return this.#cookies.signedOut(this.#now())
  }
}
