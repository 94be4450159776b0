import {
  ApplicationPasswordRejectedError,
  inGroupsOfFour,
  maxApplicationNameLength,
  orRejection,
} from '../auth/application-passwords.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import { whyUnavailable } from '../auth/availability.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { sanitizeTextField } from '../sanitizers/text-field.js'
import { ownHeaders, pageAnswer, redirect } from './answers.js'
import { framed } from './frame.js'
import { html, nothing, stored, type Html } from './html.js'
import { expiredPage, noticePage, unavailablePage } from './notices.js'
import type { PageDependencies } from './page-parts.js'
import type { PageRequest } from './page-request.js'
import { createdPasswordNotice } from './passwords-section.js'
import { ownOrigins } from './safe-redirect.js'
import type { SiteLinks } from './site-links.js'
import {
  authorizeRequestOf,
  formTargetOf,
  problemOf,
  rejectAddress,
  withParameters,
  type AuthorizeRequest,
} from './authorize-request.js'

/** Name of the form, and what its nonce is made for. */
const action = 'authorize_application_password'

/**
 * `/wp-admin/authorize-application.php`: a person gives an application a password of its own.
 * Rules: docs/wire.md#authorising-an-application.
 */
export class AuthorizePage {
  constructor(
    readonly parts: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  async respond(request: PageRequest): Promise<OutgoingResponse> {
    const { links, parts } = this
    const visitor = await parts.authenticator().signedIn(request.credentials)
    if (visitor === null) return redirect(links.loginBefore(this.#addressOf(request)))
    if (request.method === 'POST' && !this.#hasNonce(request, visitor)) return expiredPage(visitor, links)
    const unavailable = whyUnavailable(parts.environment, request.incoming)
    if (unavailable !== null) return unavailablePage(visitor, unavailable, links)
    const asked = authorizeRequestOf(request)
    const problem = problemOf(asked, parts.environment)
    if (problem !== null) {
      const sentence = `The Authorize Application request is not allowed. ${problem}`
      return noticePage(500, 'Cannot authorize application', sentence, visitor, links)
    }
    if (request.method !== 'POST') return this.#form(asked, visitor)
    if (request.hasField('approve')) return this.#approve(asked, visitor)
    return redirect(rejectAddress(asked) ?? links.admin)
  }

  /** Before the login of a person; the form of a POST is lost then. */
  #addressOf({ incoming: { query } }: PageRequest): string {
    return query === '' ? this.links.authorize : `${this.links.authorize}?${query}`
  }

  #hasNonce(request: PageRequest, visitor: SignedInVisitor): boolean {
    return request.field('action') === action && this.links.nonces.isGood(visitor, action, request.field('_wpnonce'))
  }

  async #approve(asked: AuthorizeRequest, visitor: SignedInVisitor): Promise<OutgoingResponse> {
    const { links, parts } = this
    const name = sanitizeTextField(asked.app_name)
    if (name === '') return this.#form(asked, visitor, 'The application needs a name.')
    const { user } = visitor.account
    const appId = asked.app_id.toLowerCase()
    const made = await orRejection(parts.applicationPasswords.create(user.ID, { name, appId }))
    if (made instanceof ApplicationPasswordRejectedError) return this.#form(asked, visitor, made.message)
    const { password } = made
    if (asked.success_url !== '') {
      const given = { site_url: parts.site.siteurl, user_login: user.user_login, password }
      return withoutReferrer(redirect(withParameters(asked.success_url, given)))
    }
    const main = html`<h1>Authorize application</h1>
      ${createdPasswordNotice(name, inGroupsOfFour(password))}
      <p><a href="${links.profile}">Your application passwords</a></p>`
    return this.#page(200, main, asked, visitor)
  }

  #form(asked: AuthorizeRequest, visitor: SignedInVisitor, error?: string): OutgoingResponse {
    const { links, parts } = this
    const app = asked.app_name === '' ? 'An application' : asked.app_name
    const problem = error ? html` aria-invalid="true" aria-describedby="error"` : nothing
    const main = html`<h1>Authorize application</h1>
      ${error ? html`<div id="error" class="notice notice-error" role="alert"><p>${error}</p></div>` : nothing}
      <p>
        <strong><bdi>${app}</bdi></strong> would like to connect to
        <strong>${stored(parts.site.name || parts.site.home)}</strong>. It will be able to do everything that you,
        <strong>${stored(visitor.account.user.display_name)}</strong>, can do here, until you revoke its password in
        your profile.
      </p>
      <p>Only approve this if you started it yourself and trust the application.</p>
      <form action="${links.authorize}" method="post" autocomplete="off">
        <input type="hidden" name="action" value="${action}" />${links.nonces.field(visitor, action)}
        <input type="hidden" name="app_id" value="${asked.app_id}" />
        <input type="hidden" name="success_url" value="${asked.success_url}" />
        <input type="hidden" name="reject_url" value="${asked.reject_url}" />
        <div class="field">
          <label for="app_name">Name of the new application password</label>
          <input
            type="text"
            id="app_name"
            name="app_name"
            value="${asked.app_name}"
            required
            maxlength="${maxApplicationNameLength}"
            autocomplete="off"
            ${problem}
          />
        </div>
        <div class="actions">
          <button type="submit" name="approve" value="1" aria-describedby="approve-help">
            Yes, I approve of this connection
          </button>
          <button type="submit" name="reject" value="1" class="plain" formnovalidate aria-describedby="reject-help">
            No, I do not approve of this connection
          </button>
        </div>
        <p class="soft" id="approve-help">
          ${outcome(asked.success_url, 'If you approve, you')}${asked.success_url === '' ? 'If you approve, the new password is shown to you.' : nothing}
        </p>
        <p class="soft" id="reject-help">${outcome(rejectAddress(asked) ?? links.admin, 'If you do not, you')}</p>
      </form>`
    return this.#page(error ? 400 : 200, main, asked, visitor)
  }

  #page(status: number, main: Html, asked: AuthorizeRequest, visitor: SignedInVisitor): OutgoingResponse {
    const { links, parts } = this
    const targets = [asked.success_url, rejectAddress(asked) ?? ''].flatMap(formTargetOf)
    const page = framed({ title: html`Authorize application`, main, visitor, narrow: true }, links)
    return pageAnswer(status, page, ownHeaders([...ownOrigins(parts.site), ...targets]))
  }
}

/**
 * Where a button leads, without what is in the query. Spelt as browsers send it, in ASCII: letters of other scripts that
 * look like those of a known name, or turn the direction of writing, would deceive.
 */
function outcome(address: string, subject: string): Html {
  if (address === '') return nothing
  return html`${subject} are sent to <strong>${new URL(address).href.replace(/[?#].*$/s, '')}</strong>.`
}

/** The address holds a password: the page it leads to passes it on to nobody. */
function withoutReferrer(answer: OutgoingResponse): OutgoingResponse {
  const headers = answer.headers.map(([name, value]) =>
    name === 'Referrer-Policy' ? ([name, 'no-referrer'] as const) : ([name, value] as const),
  )
  return { ...answer, headers, headerMemo: undefined }
}
