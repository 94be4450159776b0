import type { SignedInVisitor } from '../auth/authenticator.js'
import { runAs, runAsAnonymous } from '../auth/current-user.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import type { ParsedRequest } from '../http/rest-request.js'
import { secondsToWait } from '../http/seconds-to-wait.js'
import { ajaxAnswer } from './ajax.js'
import { moved, ownHeaders, pageAnswer, redirect } from './answers.js'
import { AuthorizePage } from './authorize-page.js'
import { fileAnswer } from './file-answer.js'
import { framed } from './frame.js'
import { frontPage } from './front-page.js'
import { html } from './html.js'
import { LoginPage } from './login-page.js'
import { PageNonces } from './page-nonces.js'
import type { PageDependencies } from './page-parts.js'
import { pathOfAddress } from '../content/path-of-address.js'
import { PageRequest, pathBelow } from './page-request.js'
import { ProfilePage } from './profile-page.js'
import { namesRecord } from './record-address.js'
import { recordPage } from './record-page.js'
import { PublicPages, type PublicPage } from './public-page.js'
import { SiteLinks } from './site-links.js'
import { stylesheetFile, stylesheetPath } from './stylesheet.js'

type Answerer = (request: PageRequest) => Promise<OutgoingResponse>

const readMethods = new Set(['GET', 'HEAD', 'POST'])

/** A file of the application may be replaced at any time: browsers ask each time whether theirs is still good. */
const askEachTime = 'public, max-age=0, must-revalidate'
/** Every browser asks for an icon on its own; a site without one should not show up as errors in consoles and logs. */
const noIcon: OutgoingResponse = { status: 204, headers: [['Cache-Control', 'public, max-age=86400']], body: '' }
const forAYear = 'public, max-age=31536000, immutable'

/**
 * Everything outside the REST prefix: the service's own pages by their WordPress addresses, files, the front page and
 * permalinks. Never throws.
 */
export class Pages {
  readonly #parts: PageDependencies
  readonly #links: SiteLinks
  readonly #public: PublicPages
  /** By path below the address of the site. */
  readonly #own: ReadonlyMap<string, Answerer>

  constructor(parts: PageDependencies) {
    this.#parts = parts
    this.#links = new SiteLinks(parts.site, new PageNonces(parts.secrets, parts.clock))
    this.#public = new PublicPages(parts, this.#links)
    const login = new LoginPage(parts, this.#links)
    const profile = new ProfilePage(parts, this.#links)
    const authorize = new AuthorizePage(parts, this.#links)
    const toProfile: Answerer = async () => redirect(this.#links.profile)
    this.#own = new Map<string, Answerer>([
      ['/wp-login.php', (request) => login.respond(request)],
      ['/wp-admin', toProfile],
      ['/wp-admin/', toProfile],
      ['/wp-admin/index.php', toProfile],
      ['/wp-admin/profile.php', (request) => profile.respond(request)],
      ['/wp-admin/authorize-application.php', (request) => authorize.respond(request)],
      ['/wp-admin/admin-ajax.php', (request) => ajaxAnswer(request, parts.authenticator(), parts.cors)],
      [stylesheetPath, (request) => fileAnswer(request, stylesheetFile, forAYear)],
    ])
  }

  /** @param requestId under which the log has what went wrong. */
  async respond(incoming: IncomingRequest, parsed: ParsedRequest, requestId: string): Promise<OutgoingResponse> {
    const answer = await this.#answer(incoming, parsed).catch((error: unknown) => {
      const { method, path } = incoming
      this.#parts.log.error({ err: error, requestId, method, path }, 'a page failed')
      const wait = secondsToWait(error)
      return wait === null ? this.#fault(requestId) : this.#unavailable(wait)
    })
    return { ...answer, requestId }
  }

  async #answer(incoming: IncomingRequest, parsed: ParsedRequest): Promise<OutgoingResponse> {
    const { siteurl, home } = this.#parts.site
    const ownPath = pathBelow(incoming.path, pathOfAddress(siteurl)) ?? incoming.path
    const own = this.#own.get(ownPath)
    if (own) {
      const request = new PageRequest(incoming, parsed, ownPath)
      return ownPath === stylesheetPath || readMethods.has(request.method) ? own(request) : this.#wrongMethod()
    }
    const path = pathBelow(incoming.path, pathOfAddress(home)) ?? incoming.path
    const request = new PageRequest(incoming, parsed, path === '/index.php' ? '/' : path)
    const file = await this.#parts.files?.find(request.path)
    if (file) return fileAnswer(request, file, askEachTime)
    return request.path === '/favicon.ico' ? noIcon : this.#publicAnswer(request)
  }

  /** On behalf of the visitor, so that records and templates know whom they are for. */
  async #publicAnswer(request: PageRequest): Promise<OutgoingResponse> {
    const visitor = await this.#parts.authenticator().signedIn(request.credentials)
    const work = () => this.#pageFor(request, visitor)
    return visitor ? runAs(this.#parts.contextOf(visitor.account.caller), work) : runAsAnonymous(work)
  }

  async #pageFor(request: PageRequest, visitor: SignedInVisitor | null): Promise<OutgoingResponse> {
    const found = await recordPage(request, this.#parts, visitor)
    if (found && !readMethods.has(request.method)) return this.#wrongMethod()
    if (found && 'movedTo' in found) return moved(found.movedTo)
    if (found) return this.#public.show(found.page)
    const front = this.#isFront(request) ? await frontPage(request, this.#parts, visitor) : null
    if (front && !readMethods.has(request.method)) return this.#wrongMethod()
    return this.#public.show(front ?? notFound(visitor))
  }

  #isFront({ path, incoming }: PageRequest): boolean {
    return path === '/' && !namesRecord(new URLSearchParams(incoming.query), this.#parts.types)
  }

  #wrongMethod(): OutgoingResponse {
    const main = html`<h1>Method not allowed</h1>
      <p>This page can be read, and its forms sent, but nothing else.</p>`
    const page = framed({ title: html`Method not allowed`, main, visitor: null, narrow: true }, this.#links)
    return pageAnswer(405, page, [...ownHeaders([]), ['Allow', 'GET, HEAD, POST']])
  }

  #fault(requestId: string): OutgoingResponse {
    const main = html`<h1>Something went wrong</h1>
      <p>The page could not be made. The administrator finds the reason in the log under <code>${requestId}</code>.</p>`
    const page = framed({ title: html`Error`, main, visitor: null, narrow: true }, this.#links)
    return pageAnswer(500, page, ownHeaders([]))
  }

  /** @param wait seconds. */
  #unavailable(wait: number): OutgoingResponse {
    const main = html`<h1>Not available at the moment</h1>
      <p>The site has too much to do, or is being looked after. Please try again in a moment.</p>`
    const page = framed({ title: html`Not available`, main, visitor: null, narrow: true }, this.#links)
    return pageAnswer(503, page, [...ownHeaders([]), ['Retry-After', String(wait)]])
  }
}

function notFound(visitor: SignedInVisitor | null): PublicPage {
  return {
    status: 404,
    title: html`Page not found`,
    templates: ['404'],
    context: {},
    main: () =>
      html`<h1>Page not found</h1>
        <p>There is nothing at this address. Perhaps it has moved.</p>`,
    visitor,
  }
}
