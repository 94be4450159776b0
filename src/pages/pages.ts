import type { Accounts } from '../authentication/accounts.js'
import type { ApplicationPasswords } from '../authentication/application-passwords.js'
import type { Authenticator } from '../authentication/authenticator.js'
import type { Secrets } from '../authentication/secrets.js'
import type { Sessions } from '../authentication/sessions.js'
import type { SignIn } from '../authentication/sign-in.js'
import type { Caller } from '../permission/caller.js'
import type { CallerContext } from '../permission/current-user.js'
import type { RecordStore } from '../records/record-store.js'
import type { RecordTypes } from '../records/record-types.js'
import type { IncomingRequest, OutgoingResponse } from '../request/exchange.js'
import type { ParsedRequest } from '../request/rest-request.js'
import type { Log } from '../service/log.js'
import type { BootOptions } from '../service/settings.js'
import type { Site } from '../site/site.js'
import type { Storage } from '../storage/storage.js'
import type { ViewEngineInterface } from '../views/view-engine.js'
import { html } from './html.js'
import { PageRequest } from './page-request.js'

/** What pages are made from. */
export interface PageParts {
  readonly options: BootOptions
  readonly site: Site
  readonly storage: Storage
  readonly types: RecordTypes
  readonly records: RecordStore
  readonly views: ViewEngineInterface
  readonly authenticator: () => Authenticator
  readonly signIn: () => SignIn
  readonly sessions: Sessions
  readonly applicationPasswords: ApplicationPasswords
  readonly accounts: Accounts
  readonly secrets: Secrets
  readonly contextOf: (caller: Caller) => CallerContext
  readonly clock: () => number
  /** `https://shop.example/wp-json/` */
  readonly root: () => string
  readonly log: Log
}

/** Everything outside the REST prefix. */
export class Pages {
  constructor(readonly parts: PageParts) {}

  async respond(incoming: IncomingRequest, parsed: ParsedRequest): Promise<OutgoingResponse> {
    const request = new PageRequest(incoming, parsed)
    if (request.path === '/wp-login.php') return this.#login(request)
    if (request.path === '/wp-admin/admin-ajax.php') return this.#nonce(request)
    return {
      status: 404,
      headers: [
        ['Content-Type', 'text/html; charset=UTF-8'],
        ['Link', `<${this.parts.root()}>; rel="https://api.w.org/"`],
      ],
      body: html`<!doctype html><title>Not found</title>
        <h1>Not found</h1>`.text,
    }
  }

  async #login(request: PageRequest): Promise<OutgoingResponse> {
    const { address, secure, headers } = request.incoming
    const result = await this.parts
      .signIn()
      .signIn({
        username: request.field('log'),
        password: request.field('pwd'),
        remembered: request.field('rememberme') !== '',
        address,
        secure,
        userAgent: headers['user-agent'] ?? '',
      })
    if ('problems' in result)
      return {
        status: result.status,
        headers: [['Content-Type', 'text/html; charset=UTF-8']],
        body: result.problems.map(({ message }) => message).join(''),
      }
    return {
      status: 302,
      headers: [
        ...result.cookies.map((cookie) => ['Set-Cookie', cookie] as const),
        ['Location', `${this.parts.site.home}/wp-admin/`],
      ],
      body: '',
    }
  }

  async #nonce(request: PageRequest): Promise<OutgoingResponse> {
    const visitor =
      request.query('action') === 'rest-nonce' ? await this.parts.authenticator().signedIn(request.credentials) : null
    if (!visitor) return { status: 400, headers: [['Content-Type', 'text/html; charset=UTF-8']], body: '0' }
    return {
      status: 200,
      headers: [['Content-Type', 'text/html; charset=UTF-8']],
      body: this.parts.authenticator().restNonce(visitor.account.user.ID, visitor.sessionToken),
    }
  }
}
