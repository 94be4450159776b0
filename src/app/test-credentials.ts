import type { TestCredentials } from './test-client.js'

type Send = (request: Request) => Promise<Response>

/** The cookies that a browser holds. */
class CookieJar {
  readonly #cookies = new Map<string, string>()

  keep(headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      const name = pair.slice(0, pair.indexOf('='))
      this.#cookies.set(name, pair.slice(name.length + 1))
    }
  }

  get text(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}

/**
 * Runs work one after the other. Passwords are counted before they are checked, so a limit refuses many correct ones of one
 * account that arrive together.
 */
export class LoginQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => null)
    return result
  }
}

/**
 * Logs in at the login page with the first request, as a browser does, and sends the cookies and a nonce with each one.
 * @param site `home` is the URL of the site, without a trailing slash; logins wait for those before them in `queue`.
 */
export class BrowserLogin implements TestCredentials {
  readonly #send: Send
  readonly #home: string
  readonly #queue: LoginQueue
  readonly #form: URLSearchParams
  readonly #cookies = new CookieJar()
  #nonce: Promise<string> | string | null = null

  constructor(
    send: Send,
    { home, queue }: { readonly home: string; readonly queue: LoginQueue },
    login: string,
    password: string,
  ) {
    this.#send = send
    this.#home = home
    this.#queue = queue
    this.#form = new URLSearchParams({ log: login, pwd: password })
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    const nonce = await (this.#nonce ??= this.#queue.run(() => this.#logIn()))
    return { Cookie: this.#cookies.text, 'X-WP-Nonce': nonce }
  }

  received(headers: Headers): void {
    this.#cookies.keep(headers)
    this.#nonce = headers.get('X-WP-Nonce') ?? this.#nonce
  }

  async #logIn(): Promise<string> {
    const login = await this.#send(new Request(`${this.#home}/wp-login.php`, { method: 'POST', body: this.#form }))
    this.#cookies.keep(login.headers)
    if (login.status !== 302)
      throw new Error(`The user '${this.#form.get('log')}' could not log in: the login page answered ${login.status}.`)
    const headers = { Cookie: this.#cookies.text }
    const nonce = await this.#send(new Request(`${this.#home}/wp-admin/admin-ajax.php?action=rest-nonce`, { headers }))
    return nonce.text()
  }
}

/** Makes an application password for a user with the first request, and sends it with each one. */
export class ApplicationPasswordOf implements TestCredentials {
  readonly #login: string
  readonly #create: () => Promise<string>
  #password: Promise<string> | null = null

  constructor(login: string, create: () => Promise<string>) {
    this.#login = login
    this.#create = create
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    const password = await (this.#password ??= this.#create())
    return { Authorization: `Basic ${Buffer.from(`${this.#login}:${password}`).toString('base64')}` }
  }

  received(): void {}
}

/** Enters the password of a record in WordPress's form with the first request, and sends the cookie with each one. */
export class EnteredRecordPassword implements TestCredentials {
  readonly #enter: () => Promise<Response>
  readonly #cookies = new CookieJar()
  #entered: Promise<void> | null = null

  /** @param home the URL of the site, without a trailing slash. */
  constructor(send: Send, home: string, password: string) {
    const body = new URLSearchParams({ post_password: password })
    this.#enter = () => send(new Request(`${home}/wp-login.php?action=postpass`, { method: 'POST', body }))
  }

  async headers(): Promise<Readonly<Record<string, string>>> {
    await (this.#entered ??= this.#enterOnce())
    return { Cookie: this.#cookies.text }
  }

  received(): void {}

  async #enterOnce(): Promise<void> {
    const { status, headers } = await this.#enter()
    if (status !== 302) throw new Error(`The password of a record could not be entered: the form answered ${status}.`)
    this.#cookies.keep(headers)
  }
}
