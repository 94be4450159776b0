import type { RestError } from '../http/rest-error.js'
import { anonymous, type Caller, type UsedApplicationPassword } from '../http/caller.js'
import type { Account, Accounts } from './accounts.js'
import type { ApplicationPassword } from './stored-application-passwords.js'
import { allowsOf, type AllowsRequest } from './scopes.js'
import type { ApplicationLogin, ApplicationPasswordLogin } from './application-password-login.js'
import { whyUnavailable } from './availability.js'
import { parseBasic, type BasicCredentials } from './basic.js'
import { checkCookie } from './cookie-check.js'
import { parseCookie, type CookieScheme } from './cookie.js'
import type { LoginCookies } from './login-cookies.js'
import { createNonce, verifyNonce } from './nonce.js'
import type { CredentialRefusal } from './refusals.js'
import type { Secrets } from './secrets.js'
import { verifyCookie, type CookieFailure } from './verify-cookie.js'

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
  identify(request: CredentialSource): Identity | Promise<Identity> {
    const nonce = nonceIn(request)
    const basic = parseBasic(request.headers['authorization'])
    if (basic === null && nonce === undefined) return anonymousIdentity
    if (basic === null && request.headers['cookie'] === undefined) return this.#identityOfNonce(nonce, null, '')
    return this.#identityOfCredentials(request, nonce, basic)
  }

  /** The owner of the login cookie. The nonce is ignored: pages check the nonces of their own forms. */
  async signedIn(
    request: Pick<CredentialSource, 'headers' | 'cookies' | 'method' | 'secure'>,
  ): Promise<SignedInVisitor | null> {
    if (request.headers['cookie'] === undefined) return null
    const { cookies } = request
    const account = await this.#accountOfCookies(cookies, request)
    return account && { account, sessionToken: this.#sessionToken(cookies) }
  }

  /**
   * The owner of the login cookie for `/wp-admin` of this kind of connection. The cookie for the whole site does not count:
   * it may have crossed a network over plain HTTP, and the administration makes application passwords.
   */
  async signedInToAdministration({
    headers,
    cookies,
    method,
    secure,
  }: Pick<CredentialSource, 'headers' | 'cookies' | 'method' | 'secure'>): Promise<SignedInVisitor | null> {
    if (headers['cookie'] === undefined) return null
    const { name, scheme } = this.#dependencies.cookies.authCookie(secure)
    const account = await this.#accountOfCookie(cookies.get(name), scheme, method)
    return account && { account, sessionToken: this.#sessionToken(cookies) }
  }

  /** A nonce of the current tick for REST requests of this user in this session. */
  restNonce(userId: number, sessionToken: string): string {
    const purpose = { action: restNonceAction, userId, sessionToken }
    return createNonce(this.#dependencies.secrets, purpose, this.#now())
  }

  #identityOfCredentials(
    request: CredentialSource,
    nonce: string | null | undefined,
    basic: BasicCredentials | null,
  ): Identity | Promise<Identity> {
    if (request.headers['cookie'] === undefined) return this.#identityWithoutCookie(request, nonce, basic, '')
    const { cookies } = request
    const identityOf = (account: Account | null): Identity | Promise<Identity> => {
      const sessionToken = this.#sessionToken(cookies)
      return account === null
        ? this.#identityWithoutCookie(request, nonce, basic, sessionToken)
        : this.#identityOfNonce(nonce, account, sessionToken)
    }
    const account = this.#accountOfCookies(cookies, request)
    return account instanceof Promise ? account.then(identityOf) : identityOf(account)
  }

  /** The identity of a request without a valid login cookie. */
  #identityWithoutCookie(
    request: CredentialSource,
    nonce: string | null | undefined,
    basic: BasicCredentials | null,
    sessionToken: string,
  ): Identity | Promise<Identity> {
    if (basic === null) return this.#identityOfNonce(nonce, null, sessionToken)
    const identityOf = (login: ApplicationLogin | CredentialRefusal | null): Identity => {
      if (login === null) return this.#identityOfNonce(nonce, null, sessionToken)
      return 'problem' in login ? identityOfRefusal(login) : identityOfLogin(login)
    }
    const login = this.#dependencies.applicationPasswords.authenticate(basic, {
      address: request.address,
      unavailableReason: whyUnavailable(this.#dependencies.environment, request),
    })
    return login instanceof Promise ? login.then(identityOf) : identityOf(login)
  }

  /** The account of the cookie for `/wp-admin` on this kind of connection, or else of the cookie for the whole site. */
  #accountOfCookies(
    cookies: CredentialSource['cookies'],
    { method, secure }: Pick<CredentialSource, 'method' | 'secure'>,
  ): Account | null | Promise<Account | null> {
    const accountOfSiteCookie = () =>
      this.#accountOfCookie(cookies.get(this.#dependencies.cookies.loggedIn), 'logged_in', method)
    const { name, scheme } = this.#dependencies.cookies.authCookie(secure)
    const account = this.#accountOfCookie(cookies.get(name), scheme, method)
    return account instanceof Promise
      ? account.then((resolved) => resolved ?? accountOfSiteCookie())
      : (account ?? accountOfSiteCookie())
  }

  /** @param text the value of the cookie; undefined without one. */
  #accountOfCookie(
    text: string | undefined,
    scheme: CookieScheme,
    method: string,
  ): Account | null | Promise<Account | null> {
    if (text === undefined) return null
    const account = verifyCookie(text, scheme, this.#dependencies, { now: this.#now(), method })
    return account instanceof Promise ? account.then(accountOrNull) : accountOrNull(account)
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
    return Math.floor(this.#dependencies.clock() / 1000)
  }
}

function accountOrNull(account: Account | CookieFailure): Account | null {
  return typeof account === 'string' ? null : account
}

function identityOfRefusal({ problem, retryAfter }: CredentialRefusal): Identity {
  return { ...anonymousIdentity, problem, retryAfter }
}

function identityOfLogin({ account, item }: ApplicationLogin): Identity {
  const { uuid, scopes } = item
  const applicationPassword = { uuid, allows: scopes === undefined ? null : compiledScopes(item, scopes) }
  return { ...anonymousIdentity, caller: account.caller, via: 'application-password', applicationPassword }
}

/**
 * The compiled scopes of application passwords, by the entry of a cached account. A change of the password replaces its
 * entry.
 */
const compiled = new WeakMap<ApplicationPassword, AllowsRequest>()

function compiledScopes(item: ApplicationPassword, scopes: unknown): AllowsRequest {
  let allows = compiled.get(item)
  if (!allows) compiled.set(item, (allows = allowsOf(scopes)))
  return allows
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
  for (const bag of [form, query]) if (Object.hasOwn(bag, '_wpnonce')) return textIn(bag, '_wpnonce')
  return headers['x-wp-nonce']
}

function textIn(bag: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(bag, name) ? bag[name] : null
  return typeof value === 'string' ? value : null
}
