import type { Member, ResetLink } from './protocol.js'
import { pageNonceOf, phpassOf } from './sign.js'
import { basicOf, inParallel, type Headers, type ReceivedResponse, type Target } from './target.js'

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const isDone = ({ status }: ReceivedResponse): boolean => status >= 200 && status < 300

/**
 * Keys for new passwords, cookies with passwords of records, nonces of pages, and application passwords that are limited:
 * wrong ones do nothing, and the right ones beside them do.
 */
export async function attackPageCredentials(target: Target): Promise<void> {
  const attacker = new PageForger(target)
  await attacker.resetKeys()
  await attacker.recordPasswords()
  await attacker.nonces()
  await attacker.limitedPasswords()
}

class PageForger {
  readonly #target: Target
  /** What the names of all cookies of the site end with. */
  readonly #hash: string

  constructor(target: Target) {
    this.#target = target
    this.#hash = /_([\da-f]{32})=/.exec(target.member('author-1').cookie)?.[1] ?? ''
  }

  #join(login: string): Promise<Member> {
    return this.#target.service.call<Member>('join', { login, role: 'author' })
  }

  #check(holds: boolean, fault: string): void {
    this.#target.check(holds ? null : fault)
  }

  #post(path: string, fields: Readonly<Record<string, string>>, headers: Headers = {}): Promise<ReceivedResponse> {
    const body = new URLSearchParams(fields).toString()
    return this.#target.ask('POST', path, { headers: { ...form, ...headers }, body, from: this.#target.freshAddress() })
  }

  /** A text in which one letter or digit is another one. */
  #changed(text: string): string {
    const { random } = this.#target
    const at = random.integer(0, text.length - 1)
    return text.slice(0, at) + (text.charAt(at) === 'a' ? 'b' : 'a') + text.slice(at + 1)
  }

  async #linkOf(login: string): Promise<ResetLink> {
    await this.#post('/wp-login.php?action=lostpassword', { user_login: login })
    return this.#target.service.call<ResetLink>('mailedLink')
  }

  /** @param cookie the login name and the key, as the link hands them to the form. @param key of the form. */
  async #reset(cookie: string | null, key: string | null): Promise<boolean> {
    const fields = { pass1: 'stolen', pass2: 'stolen', ...(key !== null && { rp_key: key }) }
    const headers: Headers =
      cookie === null ? {} : { Cookie: `wp-resetpass-${this.#hash}=${encodeURIComponent(cookie.toWellFormed())}` }
    const response = await this.#post('/wp-login.php?action=resetpass', fields, headers)
    return isDone(response) && response.text.includes('has been reset')
  }

  async resetKeys(): Promise<void> {
    const { service, scale } = this.#target
    const victim = await this.#join('forgetful')
    const other = await this.#join('forgetful-too')
    const former = await this.#linkOf(victim.login)
    const { login, key } = await this.#linkOf(victim.login)
    const ofOther = await this.#linkOf(other.login)
    const stored = await service.call<string>('activationKey', victim.login)
    const storedHash = stored.slice(stored.indexOf(':') + 1)
    const before = await service.call<string>('passwordHash', victim.login)
    const wrong = [
      ['of an earlier message', former.key],
      ["another's", ofOther.key],
      ['an empty one', ''],
      ['one that is cut', key.slice(1)],
      ['one with a letter more', `${key}a`],
      ['the stored text', stored],
      ['the stored hash', storedHash],
      ['a zero', '0'],
      ['a wildcard of SQL', '%'],
      ['a long one', 'a'.repeat(10_000)],
      ['one in the other case', key.replaceAll(/[a-z]/gi, (letter) => swapped(letter))],
      ...Array.from({ length: 30 * scale }, () => ['one with another character', this.#changed(key)]),
    ] as const
    const attempts: readonly (readonly [what: string, cookie: string | null, key: string | null])[] = [
      ...wrong.map(([what = '', text = '']) => [what, `${login}:${text}`, text] as const),
      ...[other.login, '', 'nobody', String(victim.id), '%', `${login}\0`].map(
        (name) => [`of the login ${JSON.stringify(name)}`, `${name}:${key}`, key] as const,
      ),
      ['that the form does not have', `${login}:${key}`, null],
      ['that the form has otherwise', `${login}:${key}`, ofOther.key],
      ['that the browser does not have', null, key],
      ['that the browser has otherwise', `${login}:${ofOther.key}`, key],
    ]
    await inParallel(attempts, async ([what, cookie, text]) =>
      this.#check(!(await this.#reset(cookie, text)), `key for a new password: ${what} is accepted`),
    )
    await service.call('advance', 3600)
    this.#check(
      !(await this.#reset(`${login}:${key}`, key)),
      'key for a new password: one that has expired is accepted',
    )
    await service.call('advance', -3600)
    const after = await service.call<string>('passwordHash', victim.login)
    this.#check(after === before, 'a wrong key has changed a password')
    this.#check(await this.#reset(`${login}:${key}`, key), 'the right key for a new password is refused')
    this.#check(!(await this.#reset(`${login}:${key}`, key)), 'a key for a new password is accepted twice')
    await service.call('updateUser', { id: other.id, email: 'moved@shop.example' })
    this.#check(
      !(await this.#reset(`${other.login}:${ofOther.key}`, ofOther.key)),
      'a key that was sent to a former address is accepted',
    )
  }

  async recordPasswords(): Promise<void> {
    const { service, random, scale, site } = this.#target
    const author = this.#target.member('author-1').id
    const password = 'open sesame'
    const secret = 'Once in full'
    const record = { type: 'product', status: 'publish', author, title: 'Guarded', content: secret, excerpt: secret }
    const id = await service.call<number>('record', { ...record, password })
    const others = { title: 'Other', content: 'Something else', excerpt: 'Something else', password: 'other word' }
    const other = await service.call<number>('record', { ...record, ...others })
    const right = phpassOf(password)
    const bcrypt = await service.call<string>('passwordHash', this.#target.member('author-1').login)
    const values: readonly (readonly [what: string, value: string])[] = [
      ['the password itself', password],
      ['the hash of the password of another record', phpassOf('other word')],
      ['the hash of nothing', phpassOf('')],
      ['the hash of the password with a blank', phpassOf(`${password} `)],
      ['the hash of the id', phpassOf(String(id))],
      ['a hash of fewer rounds', phpassOf(password, 'saltsalt', 7)],
      ['a hash of one round', phpassOf(password, 'saltsalt', 0)],
      ['a hash of another kind', right.replace('$P$', '$H$')],
      ['a hash that is cut', right.slice(0, -1)],
      ['a hash with a letter more', `${right}a`],
      ['the bcrypt hash of a user', bcrypt],
      ['a star', '*'],
      ['the mark of a failure', '*0'],
      ['nothing', ''],
      ['serialised true', 'b:1;'],
      ...Array.from(
        { length: 15 * scale },
        () => ['a changed hash', changedHash(right, random.integer(4, 33))] as const,
      ),
    ]
    const cookie = (value: string, name = `wp-postpass_${this.#hash}`): Headers => ({
      Cookie: `${name}=${encodeURIComponent(value)}`,
    })
    const places = [
      `/?p=${id}`,
      '/',
      '/product/',
      '/?s=once',
      `/wp-json/shop/v1/products/${id}`,
      '/wp-json/shop/v1/products',
    ]
    const seesSecret = async (path: string, headers: Headers): Promise<boolean> => {
      const from = this.#target.freshAddress()
      const first = await this.#target.ask('GET', path, { headers, from })
      const location = first.header('location')
      if (location === null) return first.text.includes(secret)
      const { pathname, search } = new URL(location, site.url)
      return (await this.#target.ask('GET', pathname + search, { headers, from })).text.includes(secret)
    }
    await inParallel(values, async ([what, value]) =>
      this.#check(!(await seesSecret(`/?p=${id}`, cookie(value))), `password of a record: ${what} opens it`),
    )
    for (const path of places) {
      this.#check(!(await seesSecret(path, {})), `${path} shows a record with a password`)
      this.#check(
        !(await seesSecret(path, cookie(phpassOf('other word')))),
        `${path} shows a record with a password to who has entered another one`,
      )
    }
    for (const name of [`wp-postpass_${'0'.repeat(32)}`, 'wp-postpass_', `wordpress_logged_in_${this.#hash}`])
      this.#check(!(await seesSecret(`/?p=${id}`, cookie(right, name))), `the cookie ${name} opens a record`)
    this.#check(await seesSecret(`/?p=${id}`, cookie(right)), 'the right password does not open its record')
    for (const each of [id, other]) await service.call('deleteRecord', each)
  }

  async nonces(): Promise<void> {
    const { service, random, scale } = this.#target
    const victim = await this.#join('clicked')
    const other = await this.#join('clicked-too')
    const now = (await service.call<number>('advance', 0)) / 1000
    const cookie = { Cookie: victim.adminCookies }
    const { uuid } = victim
    const profile = (action: string, fields: Readonly<Record<string, string>> = {}) => ({
      action: 'target' in fields ? `${action}_${fields['target']}` : action,
      send: (nonce: Readonly<Record<string, string>>) =>
        this.#post('/wp-admin/profile.php', { action, ...fields, ...nonce }, cookie),
    })
    const actions = [
      profile('create-application-password', { name: 'stolen' }),
      profile('revoke-application-password', { target: uuid }),
      profile('revoke-all-application-passwords'),
      profile('end-session', { target: 'x' }),
      profile('end-other-sessions'),
      profile('end-all-sessions'),
      {
        action: 'authorize_application_password',
        send: (nonce: Readonly<Record<string, string>>) =>
          this.#post(
            '/wp-admin/authorize-application.php',
            { action: 'authorize_application_password', app_name: 'stolen', approve: '1', ...nonce },
            cookie,
          ),
      },
      {
        action: 'log-out',
        send: (nonce: Readonly<Record<string, string>>) => {
          const query = new URLSearchParams({ action: 'logout', ...nonce }).toString()
          return this.#target.ask('GET', `/wp-login.php?${query}`, { headers: cookie })
        },
      },
    ]
    for (const { action, send } of actions) {
      const right = pageNonceOf(victim, action, now)
      const otherAction = random.pick(actions.filter((each) => each.action !== action)).action
      const nonces: readonly (readonly [what: string, fields: Readonly<Record<string, string>>])[] = [
        ['none', {}],
        ['an empty one', { _wpnonce: '' }],
        ["another's", { _wpnonce: pageNonceOf(other, action, now) }],
        ['one of another session', { _wpnonce: pageNonceOf({ ...victim, loggedIn: other.loggedIn }, action, now) }],
        ['one without a session', { _wpnonce: pageNonceOf({ ...victim, loggedIn: '' }, action, now) }],
        ['that of an anonymous caller', { _wpnonce: pageNonceOf({ id: 0, loggedIn: '' }, action, now) }],
        [`that of ${otherAction}`, { _wpnonce: pageNonceOf(victim, otherAction, now) }],
        ['that of the API', { _wpnonce: victim.nonce }],
        ['that of two ticks ago', { _wpnonce: pageNonceOf(victim, action, now, -2) }],
        ['that of the next tick', { _wpnonce: pageNonceOf(victim, action, now, 1) }],
        ['one that is cut', { _wpnonce: right.slice(1) }],
        ['one with a digit more', { _wpnonce: `${right}0` }],
        ['one as a list', { '_wpnonce[]': right }],
        ...Array.from(
          { length: 5 * scale },
          () => ['one with another digit', { _wpnonce: this.#changed(right) }] as const,
        ),
      ]
      await inParallel(nonces, async ([what, fields]) => {
        const { status } = await send(fields)
        this.#check(status === 403, `nonce of ${action}: ${what} is answered ${status}`)
      })
    }
    const stands = async (): Promise<string> => {
      const me = await this.#target.ask('GET', '/wp-json/wp/v2/users/me', {
        headers: { Cookie: victim.cookie, 'X-WP-Nonce': victim.nonce },
      })
      return `${me.status} with ${await service.call<number>('passwordCount', victim.id)} application passwords`
    }
    const before = await stands()
    this.#check(before === '200 with 1 application passwords', `after wrong nonces the user is ${before}`)
    for (const { action, send } of actions.slice(0, 1).concat(actions.slice(-1))) {
      const { status } = await send({ _wpnonce: pageNonceOf(victim, action, now) })
      this.#check(status === 302, `the right nonce of ${action} is answered ${status}`)
    }
    const after = await stands()
    this.#check(after === '403 with 2 application passwords', `after right nonces the user is ${after}`)
  }

  async limitedPasswords(): Promise<void> {
    const { service } = this.#target
    const admin = this.#target.member('administrator-2')
    const limited = (limits: { readonly scopes?: readonly string[]; readonly seconds?: number }): Promise<string> =>
      service.call<string>('limitedPassword', { id: admin.id, ...limits })
    const password = await limited({ scopes: ['GET /shop/v1/products*', 'POST /shop/v1/items'] })
    const headers = { Authorization: basicOf(admin, password), 'Content-Type': 'application/json' }
    const json = JSON.stringify
    const product = json({ title: 'Stolen', price: 1 })
    const ask = (method: string, path: string, body?: string, more: Headers = {}) =>
      this.#target.ask(method, path, { headers: { ...headers, ...more }, ...(body !== undefined && { body }) })
    const attempts: readonly (readonly [method: string, path: string, body?: string | undefined, headers?: Headers])[] =
      [
        ['POST', '/wp-json/shop/v1/products', product],
        ['GET', '/wp-json/shop/v1/products?_method=POST&title=Stolen&price=1'],
        ['POST', '/wp-json/shop/v1/items?_method=DELETE', '{}'],
        ['POST', '/wp-json/shop/v1/items?rest_route=/shop/v1/products', product],
        ['POST', '/?rest_route=/shop/v1/products', product],
        ['POST', '/index.php/wp-json/shop/v1/products', product],
        ['POST', '/wp-json/SHOP/V1/PRODUCTS', product],
        ['GET', '/wp-json/shop/v1/products', undefined, { 'X-HTTP-Method-Override': 'POST' }],
        ['GET', '/wp-json/shop/v1/products/../orders'],
        ['GET', '/wp-json/shop/v1/products%2f..%2forders'],
        ['GET', '/wp-json/shop/v1/orders'],
        ['GET', '/wp-json/wp/v2/users/me'],
        ['POST', '/wp-json/wp/v2/users/me', json({ email: 'stolen@shop.example' })],
        ['POST', '/wp-json/wp/v2/users/me/application-passwords', json({ name: 'stolen' })],
        ['POST', '/wp-json/batch/v1', json({ requests: [{ path: '/guarded/v1/publications' }] })],
        ['GET', '/wp-json/'],
        ['GET', '/wp-json/shop/v1'],
      ]
    for (const [method, path, body, more] of attempts) {
      const response = await ask(method, path, body, more)
      // Where an override is not heard, the request is one of its own method, which the scopes allow.
      const isAllowed = response.status === 200 && (path.includes('?_method=POST') || more !== undefined)
      this.#check(
        !isDone(response) || isAllowed,
        `an application password for other requests: ${method} ${path} is answered ${response.status} ${response.text.slice(0, 200)}`,
      )
    }
    this.#check((await ask('GET', '/wp-json/shop/v1/products')).status === 200, 'a request of its scopes is refused')
    this.#check(
      (await ask('POST', '/wp-json/shop/v1/items', '{}')).status === 200,
      'a request of its scopes is refused',
    )

    const ending = { Authorization: basicOf(admin, await limited({ seconds: 60 })) }
    const me = async () => (await this.#target.ask('GET', '/wp-json/wp/v2/users/me', { headers: ending })).status
    this.#check((await me()) === 200, 'an application password is refused before its end')
    await service.call('advance', 60)
    this.#check((await me()) === 401, 'an application password is accepted after its end')
    await service.call('advance', -60)
  }
}

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

/** Another character at a place of a hash of phpass. The last one has two bits only. */
function changedHash(hash: string, at: number): string {
  return hash.slice(0, at) + (hash.charAt(at) === '.' ? '/' : '.') + hash.slice(at + 1)
}
