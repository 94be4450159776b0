import type { CaseCaller, HttpCase } from './cases.js'
import type { Fixtures, FixtureUser } from './fixtures.js'
import { send } from './send.js'

/** What a case adds to its request so that the server knows who sends it. */
export interface Credentials {
  readonly headers: readonly (readonly [string, string])[]
  readonly query: string
  /** A nonce to send in the body. */
  readonly bodyNonce: string | null
}

interface LoggedIn {
  /** Ready for a `Cookie` header. */
  readonly cookies: string
  /** The login cookie alone, `name=value`. */
  readonly login: string
  readonly nonce: string
}

/** Logs in through the ordinary form, once for each user of a server. */
export class Callers {
  readonly #loggedIn = new Map<string, Promise<LoggedIn>>()
  readonly nonces = new Set<string>()

  constructor(
    readonly origin: string,
    readonly fixtures: Fixtures,
  ) {}

  user(login: string | undefined): FixtureUser {
    const user = this.fixtures.users.find((candidate) => candidate.login === login)
    if (!user) throw new Error(`no user ${login} in the fixtures`)
    return user
  }

  loggedIn(login: string): Promise<LoggedIn> {
    let loggedIn = this.#loggedIn.get(login)
    if (!loggedIn) this.#loggedIn.set(login, (loggedIn = this.#logIn(this.user(login))))
    return loggedIn
  }

  async #logIn(user: FixtureUser): Promise<LoggedIn> {
    const form = new URLSearchParams({ log: user.login, pwd: user.password }).toString()
    const response = await send(this.origin, {
      method: 'POST',
      target: '/wp-login.php',
      headers: [['Content-Type', 'application/x-www-form-urlencoded']],
      body: Buffer.from(form),
    })
    const cookies = response.setCookies.map((cookie) => cookie.split(';')[0] ?? '')
    const login = cookies.find((cookie) => cookie.startsWith('wordpress_logged_in_'))
    if (!login) throw new Error(`login of ${user.login} failed: ${response.status} ${response.text.slice(0, 200)}`)
    const nonce = await send(this.origin, {
      method: 'GET',
      target: '/wp-admin/admin-ajax.php?action=rest-nonce',
      headers: [['Cookie', cookies.join('; ')]],
      body: null,
    })
    this.nonces.add(nonce.text)
    return { cookies: login, login, nonce: nonce.text }
  }

  async credentials(httpCase: HttpCase): Promise<Credentials> {
    const caller = httpCase.as
    if (caller.kind === 'cookie') return this.#cookieCredentials(caller)
    const authorization = this.#authorization(caller)
    return { headers: authorization === null ? [] : [['Authorization', authorization]], query: '', bodyNonce: null }
  }

  #authorization(caller: CaseCaller): string | null {
    const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
    if (caller.kind === 'basic') return basic(caller.pair ?? '')
    if (caller.kind === 'authorization') return caller.value ?? ''
    if (caller.kind === 'anonymous') return null
    const user = this.user(caller.user)
    if (caller.kind === 'account-password') return basic(`${user.login}:${user.password}`)
    const password = caller.revoked
      ? user.revoked_application_passwords[0]
      : user.application_passwords[caller.index ?? 0]?.password
    if (password === undefined) throw new Error(`no such application password of ${user.login}`)
    const name = caller.by === 'email' ? user.email : caller.by === 'upper' ? user.login.toUpperCase() : user.login
    return basic(`${name}:${caller.spaced ? password.replace(/(.{4})(?=.)/g, '$1 ') : password}`)
  }

  async #cookieCredentials(caller: CaseCaller): Promise<Credentials> {
    const { cookies, nonce } = await this.loggedIn(caller.user ?? '')
    const sent = caller.cookie === 'tampered' ? tampered(cookies) : cookies
    const bad = 'ffffffffff'
    const other = caller.of === undefined ? bad : (await this.loggedIn(caller.of)).nonce
    const header = {
      header: nonce,
      'header-bad': bad,
      'header-empty': '',
      'header-of': other,
      'query-good-header-bad': bad,
      'query-bad-header-good': nonce,
    }[caller.nonce ?? '']
    const query = {
      query: nonce,
      'query-bad': bad,
      'query-empty': '',
      'query-good-header-bad': nonce,
      'query-bad-header-good': bad,
    }[caller.nonce ?? '']
    const body = { body: nonce, 'body-bad': bad }[caller.nonce ?? '']
    return {
      headers: [['Cookie', sent], ...(header === undefined ? [] : [['X-WP-Nonce', header] as const])],
      query: query === undefined ? '' : `_wpnonce=${query}`,
      bodyNonce: body ?? null,
    }
  }
}

function tampered(cookie: string): string {
  const last = cookie.at(-1)
  return cookie.slice(0, -1) + (last === '0' ? '1' : '0')
}
