import type { SignedInVisitor } from '../auth/authenticator.js'
import type { Site } from '../content/site.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { pageHeaders, pageResponse, type HeaderLine } from './page-responses.js'
import { htmlDocument } from './frame.js'
import { html, nothing, storedText, type Html } from './html.js'
import { siteOrigins } from '../http/site-addresses.js'
import type { SiteLinks } from './site-links.js'

export interface LoginFrameContent {
  readonly title: string
  readonly main: Html
  /** Above the form, each as HTML. */
  readonly errors?: readonly Html[]
  readonly note?: Html
  readonly visitor?: SignedInVisitor | null
  readonly status?: number
  readonly headers?: readonly HeaderLine[]
}

/** A page of `/wp-login.php`: heading, errors, note, form, and a link to the site. */
export function loginFrame(
  { title, main: form, errors = [], note, visitor = null, status = 200, headers = [] }: LoginFrameContent,
  site: Site,
  links: SiteLinks,
): OutgoingResponse {
  const main = html`<h1>${title}</h1>
    ${errorSummary(errors)} ${note ? html`<div class="notice message" role="status"><p>${note}</p></div>` : nothing}
    ${form}
    <p><a href="${links.home}">← Go to ${storedText(site.name || 'the site')}</a></p>`
  const page = htmlDocument({ title: html`${title}`, main, visitor, narrow: true }, links)
  return pageResponse(status, page, [...pageHeaders(siteOrigins(site)), ...headers])
}

function errorSummary(errors: readonly Html[]): Html {
  if (errors.length === 0) return nothing
  const list =
    errors.length === 1
      ? html`<p>${errors[0]}</p>`
      : html`<ul>
          ${errors.map((error) => html`<li>${error}</li>`)}
        </ul>`
  return html`<div role="alert"><div id="login_error" class="notice notice-error">${list}</div></div>`
}
