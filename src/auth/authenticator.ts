import type { MaybePromise } from '../base/maybe-promise.js'
import { unixTime } from './unix-time.js'
import type { RestError } from '../http/rest-error.js'
import { anonymous, type Caller, type UsedApplicationPassword } from '../http/caller.js'
import type { Account, Accounts } from './accounts.js'
import type { ApplicationLogin, ApplicationPasswordLogin } from './application-password-login.js'
import { whyUnavailable } from './availability.js'
import { parseBasic, type BasicCredentials } from './basic.js'
import { checkCookie } from './cookie-check.js'
import { parseCookie } from './cookie.js'
import type { LoginCookie, LoginCookies } from './login-cookies.js'
import { createNonce, verifyNonce } from './nonce.js'
import type { CredentialRefusal } from './refusals.js'
import type { Secrets } from './secrets.js'
import { verifyCookie } from './verify-cookie.js'

/** The parts of a request that can identify its caller. */
export interface CredentialSource {
  /** The HTTP method of the request line, in upper case. */
  readonly method: string
  /** Header values by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Decoded values, the first of each name. Read once, and only with a `cookie` header, so it may be a getter. */
  readonly cookies: ReadonlyMap<string, string>
  /** Parameters of the URL. */
  readonly query: Readonly<Record<string, unknown>>
  /** Parameters of the body when the request line says POST and the body is a form; empty otherwise. */
  readonly form: Readonly<Record<string, unknown>>
  /** The network address of the client. */
  readonly address: string
  /** The service or a trusted proxy received the request over TLS. */
  readonly secure: boolean
  /** The request comes from the same machine and no proxy forwarded it. */
  readonly local: boolean
}

type CookieSource = Pick<CredentialSource, 'headers' | 'cookies' | 'method' | 'secure'>

/** The caller of a request, and what the response must contain about the credentials. */
export interface Identity {
  /** Anonymous when there is a `problem`. */
  readonly caller: Caller
  /** The error when the credentials are refused: 403, 401, 429 or 503. Null otherwise. */
  readonly problem: RestError | null
  /** Seconds, for the header `Retry-After` of a 429 or 503. */
  readonly retryAfter: number | null
  /** A nonce of the current tick for the header `X-WP-Nonce`; null when the request has no valid nonce. */
  readonly nonce: string | null
  /**
   * The request has a nonce, right or wrong, and a valid login cookie, so that its response is for one user.
   * False without a nonce, because the cookie is then not verified.
   */
  readonly loggedInCookie: boolean
  readonly via: 'cookie' | 'application-password' | null
  /** The application password of the request; null without one. */
  readonly applicationPassword: UsedApplicationPassword | null
  /** Third part of the logged-in cookie, not verified; `''` without a cookie. Nonces of this caller are bound to it. */
  readonly sessionToken: string
}

/** The owner of a valid login cookie. */
export interface SignedInVisitor {
  readonly account: Account
  readonly sessionToken: string
}

/** The action of the nonces of REST requests. */
const restNonceAction = 'wp_rest'

/** The identity of a request without credentials. */
const anonymousIdentity: Identity = {
  caller: anonymous,
  problem: null,
  retryAfter: null,
  nonce: null,
  loggedInCookie: false,
  via: null,
  applicationPassword: null,
  sessionToken: '',
}

/** The dependencies of an {@link Authenticator}. */
export interface AuthenticatorDependencies {
  readonly accounts: Accounts
  readonly secrets: Secrets
  readonly cookies: LoginCookies
  readonly applicationPasswords: ApplicationPasswordLogin
  /** `production`, `staging`, `development` or `local`. */
  readonly environment: string
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/** Identifies the caller of a request. */
// Rules: docs/wire.md#the-order-of-credentials.
export class Authenticator {
  readonly #dependencies: AuthenticatorDependencies

  constructor(dependencies: AuthenticatorDependencies) {
    this.#dependencies = dependencies
  }

  /**
   * The identity of the caller. A valid login cookie takes precedence over Basic credentials, and needs its nonce. A
   * request without credentials, or with cookies only, is anonymous. This result is not a promise and needs no query.
   */
  identify(request: CredentialSource): MaybePromise<Identity> {
    const nonce = nonceIn(request)
    const basic = parseBasic(request.headers['authorization'])
    if (basic === null && nonce === undefined) return anonymousIdentity
    if (request.headers['cookie'] !== undefined) return this.#identityOfCookie(request, nonce, basic)
    return basic === null ? this.#identityOfNonce(nonce, null, '') : this.#identityOfBasic(request, nonce, basic, '')
  }

  /** The owner of the login cookie. The nonce is ignored: pages check the nonces of their own forms. */
  signedIn(request: CookieSource): Promise<SignedInVisitor | null> {
    return this.#visitor(request, this.#loginCookies(request.secure))
  }

  /**
   * The owner of the login cookie for `/wp-admin` of this kind of connection. The cookie for the whole site does not count:
   * it may have crossed a network over plain HTTP, and the administration makes application passwords.
   */
  signedInToAdministration(request: CookieSource): Promise<SignedInVisitor | null> {
    return this.#visitor(request, [this.#dependencies.cookies.authCookie(request.secure)])
  }

  async #visitor(request: CookieSource, kinds: readonly LoginCookie[]): Promise<SignedInVisitor | null> {
    if (request.headers['cookie'] === undefined) return null
    const { cookies, method } = request
    const account = await this.#accountOf(cookies, kinds, method)
    return account && { account, sessionToken: this.#sessionToken(cookies) }
  }

  /** A nonce of the current tick for REST requests of this user in this session. */
  restNonce(userId: number, sessionToken: string): string {
    const purpose = { action: restNonceAction, userId, sessionToken }
    return createNonce(this.#dependencies.secrets, purpose, this.#now())
  }

  async #identityOfCookie(
    request: CredentialSource,
    nonce: string | null | undefined,
    basic: BasicCredentials | null,
  ): Promise<Identity> {
    const { cookies, method, secure } = request
    const account = await this.#accountOf(cookies, this.#loginCookies(secure), method)
    const sessionToken = this.#sessionToken(cookies)
    return account === null && basic !== null
      ? this.#identityOfBasic(request, nonce, basic, sessionToken)
      : this.#identityOfNonce(nonce, account, sessionToken)
  }

  /** The identity of a request without a valid login cookie. */
  #identityOfBasic(
    request: CredentialSource,
    nonce: string | null | undefined,
    basic: BasicCredentials,
    sessionToken: string,
  ): Promise<Identity> {
    const { applicationPasswords, environment } = this.#dependencies
    const context = { address: request.address, unavailableReason: whyUnavailable(environment, request) }
    return applicationPasswords.authenticate(basic, context).then((login) => {
      if (login === null) return this.#identityOfNonce(nonce, null, sessionToken)
      return 'problem' in login ? identityOfRefusal(login) : identityOfLogin(login)
    })
  }

  /** The cookie for `/wp-admin` on this kind of connection, and the cookie for the whole site. */
  #loginCookies(secure: boolean): readonly LoginCookie[] {
    const { cookies } = this.#dependencies
    return [cookies.authCookie(secure), { name: cookies.loggedIn, scheme: 'logged_in' }]
  }

  /** The account of the first of these cookies that is valid. */
  async #accountOf(
    cookies: CredentialSource['cookies'],
    kinds: readonly LoginCookie[],
    method: string,
  ): Promise<Account | null> {
    for (const { name, scheme } of kinds) {
      const text = cookies.get(name)
      if (text === undefined) continue
      const account = await verifyCookie(text, scheme, this.#dependencies, { now: this.#now(), method })
      if (typeof account !== 'string') return account
    }
    return null
  }

  #sessionToken(cookies: CredentialSource['cookies']): string {
    return parseCookie(cookies.get(this.#dependencies.cookies.loggedIn) ?? '')?.token ?? ''
  }

  #identityOfNonce(nonce: string | null | undefined, account: Account | null, sessionToken: string): Identity {
    const purpose = { action: restNonceAction, userId: account?.user.ID ?? 0, sessionToken }
    const now = this.#now()
    const age =
      nonce === undefined || nonce === null ? false : verifyNonce(this.#dependencies.secrets, nonce, purpose, now)
    const { problem, identified } = checkCookie(nonce === undefined ? 'missing' : age === false ? 'wrong' : 'good')
    if (problem !== null) return { ...anonymousIdentity, problem, loggedInCookie: account !== null, sessionToken }
    if (!identified) return { ...anonymousIdentity, sessionToken }
    return {
      ...anonymousIdentity,
      caller: account?.caller ?? anonymous,
      // A valid nonce of the current tick equals a new one.
      nonce: age === 1 && typeof nonce === 'string' ? nonce : createNonce(this.#dependencies.secrets, purpose, now),
      loggedInCookie: account !== null,
      via: account === null ? null : 'cookie',
      sessionToken,
    }
  }

  #now(): number {
    return unixTime(this.#dependencies.clock)
  }
}

function identityOfRefusal({ problem, retryAfter }: CredentialRefusal): Identity {
  return { ...anonymousIdentity, problem, retryAfter }
}

function identityOfLogin({ account, item }: ApplicationLogin): Identity {
  const { uuid, allows } = item
  return {
    ...anonymousIdentity,
    caller: account.caller,
    via: 'application-password',
    applicationPassword: { uuid, allows },
  }
}

/**
 * The nonce of a request: the parameter `_wpnonce` of the form, else of the URL, else the header `X-WP-Nonce`. An empty
 * value is also a nonce. Parameters in a JSON body are ignored. Undefined without a nonce; null for a parameter that is
 * not text.
 */
export function nonceIn({
  form,
  query,
  headers,
}: Pick<CredentialSource, 'form' | 'query' | 'headers'>): string | null | undefined {
  for (const source of [form, query]) if (Object.hasOwn(source, '_wpnonce')) return textIn(source, '_wpnonce')
  return headers['x-wp-nonce']
}

function textIn(source: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(source, name) ? source[name] : null
  return typeof value === 'string' ? value : null
}
