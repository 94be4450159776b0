import type { SignedInVisitor } from '../auth/authenticator.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { pageHeaders, pageResponse } from './page-responses.js'
import { htmlDocument } from './frame.js'
import { html } from './html.js'
import type { SiteLinks } from './site-links.js'

/**
 * The response to a form without a valid nonce of this user, session and action: it has expired or another site sent
 * it.
 */
export function expiredPage(visitor: SignedInVisitor, links: SiteLinks): OutgoingResponse {
  return noticePage(403, 'This link has expired', 'Nothing was changed. Please go back and try again.', visitor, links)
}

/** 501, as in WordPress. @param reason a sentence. */
export function unavailablePage(visitor: SignedInVisitor, reason: string, links: SiteLinks): OutgoingResponse {
  return noticePage(501, 'Application passwords are not available', reason, visitor, links)
}

export function noticePage(
  status: number,
  title: string,
  sentence: string,
  visitor: SignedInVisitor | null,
  links: SiteLinks,
): OutgoingResponse {
  const main = html`<h1>${title}</h1>
    <div class="notice notice-error" role="alert"><p>${sentence}</p></div>
    <p><a href="${visitor ? links.profile : links.home}">${visitor ? 'Your profile' : 'To the front page'}</a></p>`
  return pageResponse(
    status,
    htmlDocument({ title: html`${title}`, main, visitor, narrow: true }, links),
    pageHeaders([]),
  )
}
