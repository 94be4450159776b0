import { unixTime } from '../auth/unix-time.js'
import { logError } from '../log/log-error.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { adminAddress } from '../http/site-addresses.js'
import { htmlDocument } from './frame.js'
import { html } from './html.js'
import { pageHeaders, pageResponse, redirect } from './page-responses.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import type { SiteLinks } from './site-links.js'

/** The pages that FORCE_SSL_ADMIN redirects. As in WordPress, admin-ajax.php is not one of them. */
const pagesOverTls: ReadonlySet<string> = new Set([
  '/wp-login.php',
  '/wp-admin',
  '/wp-admin/',
  '/wp-admin/index.php',
  '/wp-admin/profile.php',
  '/wp-admin/authorize-application.php',
])

/** More redirects of one browser within 30 seconds are a loop. A person may open a link twice, or several tabs. */
const maxRedirects = 3

/**
 * Redirects requests for the login and administration pages from plain HTTP to TLS. Behind a proxy that ends TLS and does not
 * tell the service so, or is not in `trusted_proxies`, each redirect would lead to another: a cookie counts them.
 */
export class TlsRedirect {
  #hasReportedLoop = false

  constructor(
    readonly dependencies: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  /** The response to a request over plain HTTP; null when the page is to be shown. */
  responseTo(request: PageRequest): OutgoingResponse | null {
    const { site } = this.dependencies.content
    const { incoming, path, cookies } = request
    if (!site.forcesTls || incoming.secure || !pagesOverTls.has(path)) return null
    const address = `${adminAddress(site)}${path}${incoming.query && `?${incoming.query}`}`
    const names = this.dependencies.authentication.cookies()
    const count = Number(cookies.get(names.tlsRedirect) ?? 0) || 0
    if (count >= maxRedirects) return this.#loop(request, address)
    return redirect(address, [['Set-Cookie', names.setTlsRedirect(count + 1, this.#now())]])
  }

  /** The response, which also removes the cookie of {@link responseTo} when the redirect has led to TLS. */
  withoutCounter(request: PageRequest, response: OutgoingResponse): OutgoingResponse {
    if (!request.incoming.secure || !pagesOverTls.has(request.path)) return response
    const names = this.dependencies.authentication.cookies()
    if (!request.cookies.has(names.tlsRedirect)) return response
    const headers = [...response.headers, ['Set-Cookie', names.clearTlsRedirect(this.#now())] as const]
    return { ...response, headers }
  }

  #loop({ incoming }: PageRequest, address: string): OutgoingResponse {
    if (!this.#hasReportedLoop) {
      const forwardedProto = incoming.headers['x-forwarded-proto'] ?? null
      logError(this.dependencies.log, 'tls-redirect-loop', { address: incoming.address, forwardedProto })
    }
    this.#hasReportedLoop = true
    const main = html`<h1>The service got this request over plain HTTP</h1>
      <p>
        This page is shown over HTTPS only. The browser was redirected to
        <a href="${address}">its address with HTTPS</a> several times, and each request reached the service over plain
        HTTP.
      </p>
      <p>If you run this site, see <code>tls-redirect-loop</code> in the log of the service: it says what to set.</p>`
    const page = htmlDocument({ title: html`Request over plain HTTP`, main, visitor: null, narrow: true }, this.links)
    const names = this.dependencies.authentication.cookies()
    return pageResponse(500, page, [...pageHeaders([]), ['Set-Cookie', names.clearTlsRedirect(this.#now())]])
  }

  #now(): number {
    return unixTime(this.dependencies.clock)
  }
}
