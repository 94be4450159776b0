import { logError } from '../log/log-error.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import { runAs, runAsAnonymous } from '../auth/current-user.js'
import { ArchiveLinks } from '../content/archive-links.js'
import type { IncomingRequest, OutgoingResponse } from '../http/exchange.js'
import type { ParsedRequest } from '../http/parsed-request.js'
import { secondsToWait } from '../http/seconds-to-wait.js'
import { ajaxResponse } from './ajax.js'
import { pageHeaders, pageResponse, permanentRedirect, redirect } from './page-responses.js'
import { archivePage } from './archive-page.js'
import { AuthorizePage } from './authorize-page.js'
import { publicFileResponse } from './public-file-response.js'
import { htmlDocument } from './frame.js'
import { html } from './html.js'
import { LoginPage } from './login-page.js'
import { PageNonces } from './page-nonces.js'
import type { PageDependencies } from './page-dependencies.js'
import { pathOfAddress } from '../content/path-of-address.js'
import { PageRequest, pathBelow } from './page-request.js'
import { ProfilePage } from './profile-page.js'
import { oldSlugAddress } from './old-slug-address.js'
import { recordPage } from './record-page.js'
import { PublicPages, type PublicPage } from './public-page.js'
import { scriptFile, scriptPath } from './script.js'
import { SiteLinks } from './site-links.js'
import { StoredUploads } from './stored-uploads.js'
import { stylesheetFile, stylesheetPath } from './stylesheet.js'
import { TlsRedirect } from './tls-redirect.js'

type PageHandler = (request: PageRequest) => Promise<OutgoingResponse>

const allowedMethods = new Set(['GET', 'HEAD', 'POST'])

/** A file of the application may be replaced at any time, so browsers revalidate it for each use. */
const revalidate = 'public, max-age=0, must-revalidate'
const cacheForOneYear = 'public, max-age=31536000, immutable'
/**
 * The response to `/favicon.ico` when the application has no such file. Browsers request it without being told to; a
 * 404 would be reported in consoles and logs.
 */
const noIcon: OutgoingResponse = { status: 204, headers: [['Cache-Control', 'public, max-age=86400']], body: '' }

/**
 * Serves every path outside the REST prefix: the service's own pages at their WordPress addresses, static files, the
 * front page and permalinks.
 */
export class Pages {
  readonly #dependencies: PageDependencies
  readonly #links: SiteLinks
  readonly #publicPages: PublicPages
  readonly #tlsRedirect: TlsRedirect
  readonly #uploads: StoredUploads | null
  /** The service's own pages by path, relative to the address of the site. */
  readonly #builtInPages: ReadonlyMap<string, PageHandler>

  constructor(dependencies: PageDependencies) {
    this.#dependencies = dependencies
    this.#links = new SiteLinks(
      dependencies.content.site,
      new PageNonces(dependencies.authentication.secrets, dependencies.clock),
    )
    this.#publicPages = new PublicPages(dependencies, this.#links)
    this.#tlsRedirect = new TlsRedirect(dependencies, this.#links)
    const { uploads } = dependencies
    this.#uploads = uploads && new StoredUploads(uploads, dependencies)
    const login = new LoginPage(dependencies, this.#links)
    const profile = new ProfilePage(dependencies, this.#links)
    const authorize = new AuthorizePage(dependencies, this.#links)
    const toProfile: PageHandler = async () => redirect(this.#links.profile)
    this.#builtInPages = new Map<string, PageHandler>([
      ['/wp-login.php', (request) => login.respond(request)],
      ['/wp-admin', toProfile],
      ['/wp-admin/', toProfile],
      ['/wp-admin/index.php', toProfile],
      ['/wp-admin/profile.php', (request) => profile.respond(request)],
      ['/wp-admin/authorize-application.php', (request) => authorize.respond(request)],
      [
        '/wp-admin/admin-ajax.php',
        (request) => ajaxResponse(request, dependencies.authentication.authenticator(), dependencies.rest.cors),
      ],
      [stylesheetPath, (request) => publicFileResponse(request, stylesheetFile, cacheForOneYear)],
      [scriptPath, (request) => publicFileResponse(request, scriptFile, cacheForOneYear)],
    ])
  }

  /**
   * Never rejects: an error is logged and becomes a response with status 500 or 503.
   * @param requestId identifies the request in the log.
   */
  async respond(incoming: IncomingRequest, parsed: ParsedRequest, requestId: string): Promise<OutgoingResponse> {
    const response = await this.#responseTo(incoming, parsed).catch((error: unknown) => {
      const { method, path } = incoming
      logError(this.#dependencies.log, 'page-failed', { err: error, requestId, method, path })
      const retryAfter = secondsToWait(error)
      return retryAfter === null ? this.#internalError(requestId) : this.#unavailable(retryAfter)
    })
    return { ...response, requestId }
  }

  async #responseTo(incoming: IncomingRequest, parsed: ParsedRequest): Promise<OutgoingResponse> {
    const { siteurl, home } = this.#dependencies.content.site
    const ownPath = pathBelow(incoming.path, pathOfAddress(siteurl)) ?? incoming.path
    const handler = this.#builtInPages.get(ownPath)
    if (handler) {
      const request = new PageRequest(incoming, parsed, ownPath)
      const toTls = this.#tlsRedirect.responseTo(request)
      if (toTls !== null) return toTls
      const isAllowed = ownPath === stylesheetPath || ownPath === scriptPath || allowedMethods.has(request.method)
      return this.#tlsRedirect.withoutCounter(request, isAllowed ? await handler(request) : this.#methodNotAllowed())
    }
    const path = pathBelow(incoming.path, pathOfAddress(home)) ?? incoming.path
    const request = new PageRequest(incoming, parsed, path === '/index.php' ? '/' : path)
    const stored = await this.#uploads?.respond(request)
    if (stored) return stored
    const file = await this.#dependencies.files?.find(request.path)
    if (file) return publicFileResponse(request, file, revalidate)
    return request.path === '/favicon.ico' ? noIcon : this.#publicResponse(request)
  }

  /** Runs with the visitor as the current user: queries of records and templates depend on the current user. */
  async #publicResponse(request: PageRequest): Promise<OutgoingResponse> {
    const visitor = await this.#dependencies.authentication.authenticator().signedIn(request.credentials)
    const respond = () => this.#pageFor(request, visitor)
    return visitor
      ? runAs(this.#dependencies.authentication.contextOf(visitor.account.caller), respond)
      : runAsAnonymous(respond)
  }

  async #pageFor(request: PageRequest, visitor: SignedInVisitor | null): Promise<OutgoingResponse> {
    const query = new URLSearchParams(request.incoming.query)
    const { storage, types, site } = this.#dependencies.content
    const archives = new ArchiveLinks(storage, types, site)
    const result =
      (await recordPage(request, query, archives, this.#dependencies, visitor, this.#links)) ??
      (await archivePage(request, query, archives, this.#dependencies, visitor)) ??
      (await this.#earlierAddress(request))
    if (result && !allowedMethods.has(request.method)) return this.#methodNotAllowed()
    if (result && 'movedTo' in result) return permanentRedirect(result.movedTo)
    return this.#publicPages.render(result?.page ?? notFound(visitor), this.#addressOf(request), archives.byType())
  }

  #addressOf({ path, incoming: { query } }: PageRequest): string {
    return `${this.#dependencies.content.site.home}${path}${query === '' ? '' : `?${query}`}`
  }

  async #earlierAddress({ path }: PageRequest): Promise<{ readonly movedTo: string } | null> {
    const movedTo = await oldSlugAddress(path, this.#dependencies.content)
    return movedTo === null ? null : { movedTo }
  }

  #methodNotAllowed(): OutgoingResponse {
    const main = html`<h1>Method not allowed</h1>
      <p>This address accepts the methods GET, HEAD and POST only.</p>`
    const page = htmlDocument({ title: html`Method not allowed`, main, visitor: null, narrow: true }, this.#links)
    return pageResponse(405, page, [...pageHeaders([]), ['Allow', 'GET, HEAD, POST']])
  }

  #internalError(requestId: string): OutgoingResponse {
    const main = html`<h1>Something went wrong</h1>
      <p>The page could not be shown. The log of the server has the reason under <code>${requestId}</code>.</p>`
    const page = htmlDocument({ title: html`Error`, main, visitor: null, narrow: true }, this.#links)
    return pageResponse(500, page, pageHeaders([]))
  }

  /** @param retryAfter seconds. */
  #unavailable(retryAfter: number): OutgoingResponse {
    const main = html`<h1>Not available at the moment</h1>
      <p>The site is overloaded or under maintenance. Please try again in a moment.</p>`
    const page = htmlDocument({ title: html`Not available`, main, visitor: null, narrow: true }, this.#links)
    return pageResponse(503, page, [...pageHeaders([]), ['Retry-After', String(retryAfter)]])
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
