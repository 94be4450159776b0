import { unixTime } from './unix-time.js'
import type { UserRow } from '../database/storage.js'
import { loginLifetime, type LoginCookies } from './login-cookies.js'
import type { LoginRefusal, PasswordLogin } from './password-login.js'
import type { Sessions } from './sessions.js'

/** The input of the login form. */
export interface SignInRequest {
  /** Login name or email address. */
  readonly username: string
  readonly password: string
  /** True for a login of two weeks. Otherwise it ends when the browser closes, and after two days at most. */
  readonly remembered: boolean
  /** The network address of the client. */
  readonly address: string
  /** The header `User-Agent`; `''` without one. */
  readonly userAgent: string
  /** The request came over TLS. */
  readonly secure: boolean
}

/** A successful login. */
export interface SignedIn {
  readonly user: UserRow
  /** The token of the new session. Nonces for later requests of the session are bound to it. */
  readonly sessionToken: string
  /** `Set-Cookie` values. */
  readonly cookies: readonly string[]
}

/** Logs users in and out with the login form. */
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
    this.#now = () => unixTime(clock)
  }

  /** Starts a session. @returns the login, or a {@link LoginRefusal}, which has `problems`. */
  async signIn(request: SignInRequest): Promise<SignedIn | LoginRefusal> {
    const user = await this.#login.authenticate(request.username, request.password, request.address)
    if ('problems' in user) return user
    const now = this.#now()
    const { remembered, secure } = request
    const expiration = now + (remembered ? loginLifetime.remembered : loginLifetime.session)
    const token = await this.#sessions.create(user.ID, { ...request, expiration })
    const cookies = this.#cookies.setLogin({ user, token, expiration, remembered }, now, secure)
    return { user, sessionToken: token, cookies }
  }

  /** Ends one session. @returns the `Set-Cookie` values that delete its cookies. */
  async signOut(userId: number, sessionToken: string): Promise<readonly string[]> {
    await this.#sessions.end(userId, sessionToken)
    return this.#cookies.clearLogin(this.#now())
  }
}
