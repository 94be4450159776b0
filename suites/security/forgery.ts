import type { Member } from './protocol.js'
import { cookieValue, fragmentOf, nonceOf } from './sign.js'
import { basicOf, inParallel, type Headers, type Target } from './target.js'

interface Attempt {
  readonly what: string
  readonly headers: Headers
  readonly query?: string
  /** Who may be identified; null for nobody. */
  readonly mayBe?: Member | null
}

/** Wrong credentials of every kind identify nobody; the right ones beside them do. */
export async function attackCredentials(target: Target): Promise<void> {
  const attacker = new Forger(target)
  const victims = target.site.members.slice(0, 4)
  for (const victim of victims) {
    const others = target.site.members.filter(({ id }) => id !== victim.id)
    await attacker.tryAll([
      ...attacker.controls(victim),
      ...(await attacker.cookies(victim, target.random.pick(others))),
      ...attacker.nonces(victim, target.random.pick(others)),
      ...attacker.applicationPasswords(victim, target.random.pick(others)),
    ])
  }
  await attacker.ended()
  await attacker.aged()
}

class Forger {
  readonly #target: Target

  constructor(target: Target) {
    this.#target = target
  }

  async tryAll(attempts: readonly Attempt[]): Promise<void> {
    await inParallel(attempts, (attempt) => this.#try(attempt))
  }

  async #try({ what, headers, query, mayBe = null }: Attempt): Promise<void> {
    const address = `/wp-json/wp/v2/users/me?context=edit${query === undefined ? '' : `&${query}`}`
    const response = await this.#target.ask('GET', address, { headers, from: this.#target.freshAddress() })
    const id = response.status === 200 ? (response.json() as { readonly id: number }).id : null
    const expected = mayBe?.id ?? null
    const isRefused = [400, 401, 403, 429, 431].includes(response.status)
    // The limit of an account from all networks: the attempt says nothing, so the clock is moved on.
    if (response.status === 429) await this.#target.service.call('advance', 600)
    this.#target.check(
      id === expected && (id !== null || isRefused)
        ? null
        : `${what}: ${response.status} for user ${String(id)}, expected ${String(expected)}`,
    )
  }

  controls(victim: Member): readonly Attempt[] {
    return [
      { what: 'the right cookie and nonce', headers: this.#cookie(victim, victim.loggedIn), mayBe: victim },
      {
        what: 'the right application password',
        headers: { Authorization: basicOf(victim, victim.applicationPassword) },
        mayBe: victim,
      },
    ]
  }

  /** @param value of the cookie for the whole site, not encoded. */
  #cookie(victim: Member, value: string, nonce = victim.nonce): Headers {
    const [name = ''] = victim.cookie.split('=')
    return { Cookie: `${name}=${encodeURIComponent(value)}`, 'X-WP-Nonce': nonce }
  }

  async cookies(victim: Member, other: Member): Promise<readonly Attempt[]> {
    const [login = '', expiration = '', token = '', mac = ''] = victim.loggedIn.split('|')
    const [otherLogin = '', otherExpiration = '', otherToken = '', otherMac = ''] = other.loggedIn.split('|')
    const fragment = fragmentOf(await this.#target.service.call<string>('passwordHash', victim.login))
    const otherFragment = fragmentOf(await this.#target.service.call<string>('passwordHash', other.login))
    const fields = { login, expiration, token }
    const later = String(Number(expiration) + 1_000_000)
    const values: readonly (readonly [what: string, value: string])[] = [
      ['a later expiration', `${login}|${later}|${token}|${mac}`],
      ['an expiration with a blank', `${login}| ${expiration}|${token}|${mac}`],
      ['an expiration as a float', `${login}|${expiration}.0|${token}|${mac}`],
      ["another's login", `${otherLogin}|${expiration}|${token}|${mac}`],
      ["another's token", `${login}|${expiration}|${otherToken}|${mac}`],
      ["another's signature", `${login}|${expiration}|${token}|${otherMac}`],
      ["another's cookie with the own login", `${login}|${otherExpiration}|${otherToken}|${otherMac}`],
      ['no signature', `${login}|${expiration}|${token}|`],
      ['three parts', `${login}|${expiration}|${token}`],
      ['five parts', `${victim.loggedIn}|x`],
      ['an empty cookie', ''],
      ['bars alone', '|||'],
      ['a signature in capitals', `${login}|${expiration}|${token}|${mac.toUpperCase()}`],
      ['a shorter signature', `${login}|${expiration}|${token}|${mac.slice(0, -1)}`],
      ['a longer signature', `${victim.loggedIn}0`],
      ['a NUL behind the signature', `${victim.loggedIn}\0`],
      ['a login in capitals', `${login.toUpperCase()}|${expiration}|${token}|${mac}`],
      ['the user id as login', cookieValue({ ...fields, login: String(victim.id) }, fragment)],
      ['the e-mail address as login', cookieValue({ ...fields, login: victim.email }, fragment)],
      ['a signed cookie that has expired', cookieValue({ ...fields, expiration: '1000000000' }, fragment)],
      ['a signed cookie of a session that never was', cookieValue({ ...fields, token: 'x'.repeat(43) }, fragment)],
      ["a signed cookie of another's session", cookieValue({ ...fields, token: otherToken }, fragment)],
      ['a signed cookie without a session', cookieValue({ ...fields, token: '' }, fragment)],
      ["a cookie signed with another's password", cookieValue(fields, otherFragment)],
      ['a cookie signed without the password', cookieValue(fields, '')],
      ['a cookie signed for /wp-admin', cookieValue(fields, fragment, 'AUTH')],
      ['a cookie signed for TLS', cookieValue(fields, fragment, 'SECURE_AUTH')],
      ['a cookie signed as a nonce is', cookieValue(fields, fragment, 'NONCE')],
      ['a cookie signed with an empty secret', cookieValue(fields, fragment, 'LOGGED_IN', '')],
      [
        "a cookie signed with WordPress's placeholder",
        cookieValue(fields, fragment, 'LOGGED_IN', 'put your unique phrase here'.repeat(2)),
      ],
      ['a signed cookie of nobody', cookieValue({ ...fields, login: 'nobody' }, fragment)],
    ]
    const mutations = Array.from({ length: 150 * this.#target.scale }, () => {
      const changed = this.#changed(victim.loggedIn)
      return [`a changed character: ${changed}`, changed] as const
    })
    const control = cookieValue(fields, fragment)
    this.#target.check(control === victim.loggedIn ? null : 'The signature of the suite is not that of the service.')
    const [name = ''] = victim.cookie.split('=')
    const raw: readonly Attempt[] = [
      {
        what: 'two cookies, a wrong one first',
        headers: { ...this.#cookie(victim, ''), Cookie: `${name}=x; ${victim.cookie}` },
      },
      {
        what: 'a cookie of a name with brackets',
        headers: { Cookie: victim.cookie.replace('=', '[a]='), 'X-WP-Nonce': victim.nonce },
      },
      {
        what: 'the cookie under the name of /wp-admin',
        headers: { Cookie: victim.cookie.replace('logged_in_', ''), 'X-WP-Nonce': victim.nonce },
      },
    ]
    return [
      ...[...values, ...mutations].map(([what, value]) => ({
        what: `cookie: ${what}`,
        headers: this.#cookie(victim, value),
      })),
      ...raw,
    ]
  }

  nonces(victim: Member, other: Member): readonly Attempt[] {
    const now = Date.now() / 1000
    const token = victim.loggedIn.split('|')[2] ?? ''
    const purpose = { action: 'wp_rest', userId: victim.id, token }
    const nonces: readonly (readonly [what: string, nonce: string])[] = [
      ["another's", other.nonce],
      ['an empty one', ''],
      ['zero', '0'],
      ['that of an anonymous caller', nonceOf({ ...purpose, userId: 0, token: '' }, now)],
      ['that of an anonymous caller with the session', nonceOf({ ...purpose, userId: 0 }, now)],
      ['that of the user without the session', nonceOf({ ...purpose, token: '' }, now)],
      ['that of the next tick', nonceOf(purpose, now, 1)],
      ['that of two ticks ago', nonceOf(purpose, now, -2)],
      ['that of another action', nonceOf({ ...purpose, action: 'log-out' }, now)],
      ['that of no action', nonceOf({ ...purpose, action: '-1' }, now)],
      ['one signed with another secret', nonceOf(purpose, now, 0, 'LOGGED_IN')],
      ['one in capitals', victim.nonce.toUpperCase() === victim.nonce ? 'x' : victim.nonce.toUpperCase()],
      ['one with a blank inside', `${victim.nonce.slice(0, 5)} ${victim.nonce.slice(5)}`],
      ['one that is cut', victim.nonce.slice(1)],
      ['the whole hash', `${victim.nonce}00`],
    ]
    const mutations = Array.from({ length: 50 * this.#target.scale }, () => {
      const changed = this.#changed(victim.nonce)
      return [`a changed character: ${changed}`, changed] as const
    })
    this.#target.check(
      [0, -1].some((ticks) => nonceOf(purpose, now, ticks) === victim.nonce)
        ? null
        : 'The nonce of the suite is not that of the service.',
    )
    const cookie = { Cookie: victim.cookie }
    return [
      ...[...nonces, ...mutations].map(([what, nonce]) => ({
        what: `nonce: ${what}`,
        headers: { ...cookie, 'X-WP-Nonce': nonce },
      })),
      { what: 'nonce: as a list', headers: cookie, query: `_wpnonce[]=${victim.nonce}` },
      {
        what: 'nonce: wrong as a parameter, right as a header',
        headers: { ...cookie, 'X-WP-Nonce': victim.nonce },
        query: '_wpnonce=x',
      },
      { what: 'nonce: right, the cookie of another', headers: { Cookie: other.cookie, 'X-WP-Nonce': victim.nonce } },
    ]
  }

  applicationPasswords(victim: Member, other: Member): readonly Attempt[] {
    const password = victim.applicationPassword
    const wrong: readonly (readonly [what: string, password: string])[] = [
      ["another's", other.applicationPassword],
      ['that of the account', victim.password],
      ['an empty one', ''],
      ['spaces alone', '    '],
      ['one in small letters', password.toLowerCase() === password ? 'x' : password.toLowerCase()],
      ['one that is cut', password.slice(1)],
      ['one with a letter more', `${password}a`],
      ['a wildcard', '*'],
      ['a wildcard of SQL', '%'],
      ['serialised true', 'b:1;'],
      ['the beginning of a hash', '$generic$'],
      ['4,097 letters', 'a'.repeat(4_097)],
    ]
    const mutations = Array.from({ length: 50 * this.#target.scale }, () => {
      const changed = this.#changed(password)
      return [`a changed character: ${changed}`, changed] as const
    })
    const header = (text: string) => ({ Authorization: text })
    const right = Buffer.from(`${victim.login}:${password}`).toString('base64')
    return [
      ...[...wrong, ...mutations].map(([what, text]) => ({
        what: `application password: ${what}`,
        headers: header(basicOf(victim, text)),
      })),
      { what: 'Basic: the user id as login', headers: header(basicOf({ login: String(victim.id) }, password)) },
      { what: 'Basic: no colon', headers: header(`Basic ${Buffer.from(victim.login + password).toString('base64')}`) },
      { what: 'Basic: two blanks', headers: header(`Basic  ${right}`), mayBe: victim },
      { what: 'Basic: another scheme', headers: header(`Bearer ${right}`) },
      { what: 'Basic: not encoded', headers: header(`Basic ${victim.login}:${password}`) },
      { what: 'Basic: in the query', headers: {}, query: `Authorization=${encodeURIComponent(`Basic ${right}`)}` },
      { what: 'Basic: under another header', headers: { 'Proxy-Authorization': `Basic ${right}` } },
      { what: 'Basic: in small letters', headers: header(`basic ${right}`), mayBe: victim },
      {
        what: 'Basic: in groups of four',
        headers: header(basicOf(victim, password.replaceAll(/.{4}/g, '$& '))),
        mayBe: victim,
      },
    ]
  }

  /** One character is another one; letters and digits alone count in an application password. */
  #changed(text: string): string {
    const { random } = this.#target
    const at = random.integer(0, text.length - 1)
    const alphabet = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
    let character = random.pick(Array.from(alphabet))
    if (character === text.charAt(at)) character = character === '0' ? '1' : '0'
    return text.slice(0, at) + character + text.slice(at + 1)
  }

  /** Credentials whose session, password or user is gone. */
  async ended(): Promise<void> {
    const { service } = this.#target
    const join = (login: string) => service.call<Member>('join', { login, role: 'author' })

    const loggedOut = await join('logged-out')
    const page = await this.#target.ask('GET', '/wp-login.php?action=logout', { headers: { Cookie: loggedOut.cookie } })
    const link = /href="([^"]*action=logout[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '/'
    const { pathname, search } = new URL(link, this.#target.site.url)
    await this.#target.ask('GET', pathname + search, { headers: { Cookie: loggedOut.cookie } })
    await this.tryAll([
      { what: 'the cookie of a session that was ended', headers: this.#cookie(loggedOut, loggedOut.loggedIn) },
      {
        what: 'the application password after a log-out',
        headers: { Authorization: basicOf(loggedOut, loggedOut.applicationPassword) },
        mayBe: loggedOut,
      },
    ])

    const changed = await join('changed')
    await service.call('updateUser', { id: changed.id, password: 'another password' })
    await this.tryAll([
      { what: 'a cookie from before a new password', headers: this.#cookie(changed, changed.loggedIn) },
    ])

    const revoked = await join('revoked')
    await service.call('revokeAll', revoked.id)
    await this.tryAll([
      {
        what: 'a revoked application password',
        headers: { Authorization: basicOf(revoked, revoked.applicationPassword) },
      },
      { what: 'the cookie after a revocation', headers: this.#cookie(revoked, revoked.loggedIn), mayBe: revoked },
    ])

    const deleted = await join('deleted')
    await service.call('deleteUser', deleted.id)
    await this.tryAll([
      { what: 'the cookie of a deleted user', headers: this.#cookie(deleted, deleted.loggedIn) },
      {
        what: 'the application password of a deleted user',
        headers: { Authorization: basicOf(deleted, deleted.applicationPassword) },
      },
    ])
    // Another user of the same name is another user.
    const again = await join('deleted')
    await this.tryAll([
      {
        what: 'the cookie of a deleted user whose name is taken again',
        headers: this.#cookie(deleted, deleted.loggedIn),
      },
      {
        what: 'the password of a deleted user whose name is taken again',
        headers: { Authorization: basicOf(deleted, deleted.applicationPassword) },
      },
      {
        what: 'the new user of the name',
        headers: { Authorization: basicOf(again, again.applicationPassword) },
        mayBe: again,
      },
    ])
  }

  /** Nonces live 12 to 24 hours, cookies two days. */
  async aged(): Promise<void> {
    const { service } = this.#target
    const user = await service.call<Member>('join', { login: 'aged', role: 'editor' })
    await service.call('advance', 25 * 3600)
    await this.tryAll([
      { what: 'a nonce of yesterday', headers: this.#cookie(user, user.loggedIn) },
      {
        what: 'an application password of yesterday',
        headers: { Authorization: basicOf(user, user.applicationPassword) },
        mayBe: user,
      },
    ])
    const now = (await service.call<number>('advance', 24 * 3600)) / 1000
    const token = user.loggedIn.split('|')[2] ?? ''
    const nonce = nonceOf({ action: 'wp_rest', userId: user.id, token }, now)
    await this.tryAll([
      { what: 'a cookie of two days ago with a new nonce', headers: this.#cookie(user, user.loggedIn, nonce) },
    ])
    // The other attacks use the credentials of now.
    await service.call('advance', -49 * 3600)
  }
}
