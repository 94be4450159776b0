import type { RestError } from '../http/rest-error.js'
import { anonymous, type Caller } from '../http/caller.js'
import type { Account, Accounts } from './accounts.js'
import type { ApplicationLogin, ApplicationPasswordLogin } from './application-password-login.js'
import { whyUnavailable } from './availability.js'
import { parseBasic, type BasicCredentials } from './basic.js'
import { checkCookie } from './cookie-check.js'
import { parseCookie, type CookieScheme } from './cookie.js'
import type { LoginCookies } from './login-cookies.js'
import { createNonce, verifyNonce } from './nonce.js'
import type { CredentialRefusal } from './refusals.js'
import type { Secrets } from './secrets.js'
import { verifyCookie, type CookieFault } from './verify-cookie.js'

/** The parts of a request that can identify its caller. */
export interface CredentialSource {
  /** The method as sent, without override, in upper case. */
  readonly method: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Decoded, first of each name. Read once, and only when there is a `cookie` header, so it may be a getter. */
  readonly cookies: ReadonlyMap<string, string>
  /** Parameters of the URL. */
  readonly query: Readonly<Record<string, unknown>>
  /** Parameters of the body of a real POST in a form's media type; empty otherwise. */
  readonly form: Readonly<Record<string, unknown>>
  readonly address: string
  readonly secure: boolean
  readonly local: boolean
}

/** The caller of a request, and what the response needs to know about the credentials. */
export interface Identity {
  /** Anonymous when there is a `problem`. */
  readonly caller: Caller
  /** The reason why the request is refused before it is matched: 403, 401, 429 or 503. */
  readonly problem: RestError | null
  /** Seconds, for the header `Retry-After` of a 429 or 503. */
  readonly retryAfter: number | null
  /** A nonce of the current tick, for the header `X-WP-Nonce`; null when the request had no valid one. */
  readonly nonce: string | null
  /**
   * Whether the request had a nonce, valid or not, and a valid login cookie: the response is then private.
   * False without a nonce, because the cookie is then not checked.
   */
  readonly loggedInCookie: boolean
  readonly via: 'cookie' | 'application-password' | null
  /** UUID of the application password used. */
  readonly applicationPassword: string | null
  /** Third part of the logged-in cookie, unverified; `''` without one. Nonces of this caller are bound to it. */
  readonly sessionToken: string
}

/** A visitor with a valid login cookie. */
export interface SignedInVisitor {
  readonly account: Account
  readonly sessionToken: string
}

/** The action that REST nonces are made for. */
const restNonceAction = 'wp_rest'

/** The identity of a request without credentials. */
const visitor: Identity = {
  caller: anonymous,
  problem: null,
  retryAfter: null,
  nonce: null,
  loggedInCookie: false,
  via: null,
  applicationPassword: null,
  sessionToken: '',
}

/** The services of an {@link Authenticator}. */
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

/** Identifies the callers of requests. */
// Rules: docs/wire.md#the-order-of-credentials.
export class Authenticator {
  readonly #parts: AuthenticatorDependencies

  constructor(parts: AuthenticatorDependencies) {
    this.#parts = parts
  }

  /**
   * A login cookie is checked first, then Basic credentials. A cookie counts only together with its nonce. A request with
   * neither, or with cookies alone, is anonymous without a query.
   */
  identify(request: CredentialSource): Identity | Promise<Identity> {
    const nonce = nonceIn(request)
    const basic = parseBasic(request.headers['authorization'])
    if (basic === null && nonce === undefined) return visitor
    if (basic === null && request.headers['cookie'] === undefined) return this.#checked(nonce, null, '')
    return this.#resolved(request, nonce, basic)
  }

  /** The owner of the login cookie of a request, without a check of the nonce: pages check the nonces of their forms. */
  async signedIn(
    request: Pick<CredentialSource, 'headers' | 'cookies' | 'method' | 'secure'>,
  ): Promise<SignedInVisitor | null> {
    if (request.headers['cookie'] === undefined) return null
    const { cookies } = request
    const account = await this.#accountOfCookies(cookies, request)
    return account && { account, sessionToken: this.#sessionToken(cookies) }
  }

  /** A fresh nonce for REST requests of this user in this session. */
  restNonce(userId: number, sessionToken: string): string {
    const purpose = { action: restNonceAction, userId, sessionToken }
    return createNonce(this.#parts.secrets, purpose, this.#now())
  }

  #resolved(
    request: CredentialSource,
    nonce: string | null | undefined,
    basic: BasicCredentials | null,
  ): Identity | Promise<Identity> {
    if (request.headers['cookie'] === undefined) return this.#ofProgram(request, nonce, basic, '')
    const { cookies } = request
    const decide = (account: Account | null): Identity | Promise<Identity> => {
      const sessionToken = this.#sessionToken(cookies)
      return account === null
        ? this.#ofProgram(request, nonce, basic, sessionToken)
        : this.#checked(nonce, account, sessionToken)
    }
    const account = this.#accountOfCookies(cookies, request)
    return account instanceof Promise ? account.then(decide) : decide(account)
  }

  /** The identity of a request without a valid cookie. */
  #ofProgram(
    request: CredentialSource,
    nonce: string | null | undefined,
    basic: BasicCredentials | null,
    sessionToken: string,
  ): Identity | Promise<Identity> {
    if (basic === null) return this.#checked(nonce, null, sessionToken)
    const decide = (login: ApplicationLogin | CredentialRefusal | null): Identity => {
      if (login === null) return this.#checked(nonce, null, sessionToken)
      return 'problem' in login ? identityOfRefused(login) : identityOfProgram(login)
    }
    const login = this.#parts.applicationPasswords.authenticate(basic, {
      address: request.address,
      unavailable: whyUnavailable(this.#parts.environment, request),
    })
    return login instanceof Promise ? login.then(decide) : decide(login)
  }

  /** The cookie for this kind of connection counts before the one for all connections. */
  #accountOfCookies(
    cookies: CredentialSource['cookies'],
    { method, secure }: Pick<CredentialSource, 'method' | 'secure'>,
  ): Account | null | Promise<Account | null> {
    const moment = { now: this.#now(), method }
    const accountOf = (name: string, scheme: CookieScheme): Account | null | Promise<Account | null> => {
      const text = cookies.get(name)
      const found = text === undefined ? 'malformed' : verifyCookie(text, scheme, this.#parts, moment)
      return found instanceof Promise ? found.then(accountOrNull) : accountOrNull(found)
    }
    const loggedIn = () => accountOf(this.#parts.cookies.loggedIn, 'logged_in')
    const { name, scheme } = this.#parts.cookies.authCookie(secure)
    const account = accountOf(name, scheme)
    return account instanceof Promise ? account.then((found) => found ?? loggedIn()) : (account ?? loggedIn())
  }

  #sessionToken(cookies: CredentialSource['cookies']): string {
    return parseCookie(cookies.get(this.#parts.cookies.loggedIn) ?? '')?.token ?? ''
  }

  #checked(nonce: string | null | undefined, account: Account | null, sessionToken: string): Identity {
    const purpose = { action: restNonceAction, userId: account?.user.ID ?? 0, sessionToken }
    const now = this.#now()
    const age = nonce === undefined || nonce === null ? false : verifyNonce(this.#parts.secrets, nonce, purpose, now)
    const { problem, identified } = checkCookie(nonce === undefined ? 'missing' : age === false ? 'wrong' : 'good')
    if (problem !== null) return { ...visitor, problem, loggedInCookie: account !== null, sessionToken }
    if (!identified) return { ...visitor, sessionToken }
    return {
      ...visitor,
      caller: account?.caller ?? anonymous,
      // A nonce of the current tick equals a new one.
      nonce: age === 1 && typeof nonce === 'string' ? nonce : createNonce(this.#parts.secrets, purpose, now),
      loggedInCookie: account !== null,
      via: account === null ? null : 'cookie',
      sessionToken,
    }
  }

  #now(): number {
    return Math.floor(this.#parts.clock() / 1000)
  }
}

function accountOrNull(found: Account | CookieFault): Account | null {
  return typeof found === 'string' ? null : found
}

function identityOfRefused({ problem, retryAfter }: CredentialRefusal): Identity {
  return { ...visitor, problem, retryAfter }
}

function identityOfProgram({ account, item }: ApplicationLogin): Identity {
  return { ...visitor, caller: account.caller, via: 'application-password', applicationPassword: item.uuid }
}

/**
 * The nonce of a request: the parameter `_wpnonce`, of a form before that of the URL, before the header, empty ones
 * included. A parameter in a JSON body does not count. Undefined without one; null for a parameter that is no text.
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
