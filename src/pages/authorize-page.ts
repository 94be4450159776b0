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
import { pageHeaders, pageResponse, redirect } from './page-responses.js'
import { htmlDocument } from './frame.js'
import { html, nothing, storedText, type Html } from './html.js'
import { expiredPage, noticePage, unavailablePage } from './notices.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { NewPasswordCookie } from './new-password-cookie.js'
import { siteOrigins } from '../http/site-addresses.js'
import type { SiteLinks } from './site-links.js'
import {
  authorizeRequestOf,
  formTargetOf,
  problemOf,
  rejectAddress,
  withParameters,
  type AuthorizeRequest,
} from './authorize-request.js'

/** The value of the form's field `action`, and the action of its nonce. */
const action = 'authorize_application_password'

/**
 * `/wp-admin/authorize-application.php`: a user creates an application password for an application that requests one.
 */
export class AuthorizePage {
  constructor(
    readonly dependencies: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  async respond(request: PageRequest): Promise<OutgoingResponse> {
    const { links, dependencies } = this
    const visitor = await dependencies.authentication.authenticator().signedInToAdministration(request.credentials)
    if (visitor === null) return redirect(links.loginBefore(this.#requestAddress(request)))
    if (request.method === 'POST' && !this.#hasValidNonce(request, visitor)) return expiredPage(visitor, links)
    const unavailable = whyUnavailable(dependencies.environment, request.incoming)
    if (unavailable !== null) return unavailablePage(visitor, unavailable, links)
    const authorization = authorizeRequestOf(request)
    const problem = problemOf(authorization, dependencies.environment)
    if (problem !== null) {
      const sentence = `The Authorize Application request is not allowed. ${problem}`
      return noticePage(500, 'Cannot authorize application', sentence, visitor, links)
    }
    if (request.method !== 'POST') return this.#form(authorization, visitor)
    if (request.hasField('approve')) return this.#approve(authorization, request, visitor)
    return redirect(rejectAddress(authorization) ?? links.admin)
  }

  /** The address of this page, to return to after the login. The fields of a POST are not in it. */
  #requestAddress({ incoming: { query } }: PageRequest): string {
    return query === '' ? this.links.authorize : `${this.links.authorize}?${query}`
  }

  #hasValidNonce(request: PageRequest, visitor: SignedInVisitor): boolean {
    return request.field('action') === action && this.links.nonces.isValid(visitor, action, request.field('_wpnonce'))
  }

  async #approve(
    authorization: AuthorizeRequest,
    request: PageRequest,
    visitor: SignedInVisitor,
  ): Promise<OutgoingResponse> {
    const { links, dependencies } = this
    const name = authorization.app_name
    if (sanitizeTextField(name) === '') return this.#form(authorization, visitor, 'The application needs a name.')
    const { user } = visitor.account
    const appId = authorization.app_id.toLowerCase()
    const created = await orRejection(dependencies.authentication.applicationPasswords.create(user.ID, { name, appId }))
    if (created instanceof ApplicationPasswordRejectedError) return this.#form(authorization, visitor, created.message)
    const { password } = created
    if (authorization.success_url !== '') {
      const parameters = { site_url: dependencies.content.site.siteurl, user_login: user.user_login, password }
      return withoutReferrer(redirect(withParameters(authorization.success_url, parameters)))
    }
    const passwordToShow = { uuid: created.item.uuid, password: inGroupsOfFour(password) }
    // The profile shows the password: a reload of this response would create a second one.
    return redirect(`${links.profile}?updated=created`, [
      new NewPasswordCookie(dependencies).set(passwordToShow, visitor, request),
    ])
  }

  #form(authorization: AuthorizeRequest, visitor: SignedInVisitor, error?: string): OutgoingResponse {
    const { links, dependencies } = this
    const app = authorization.app_name === '' ? 'An application' : authorization.app_name
    const problem = error ? html` aria-invalid="true" aria-describedby="error"` : nothing
    const main = html`<h1>Authorize application</h1>
      ${error ? html`<div id="error" class="notice notice-error" role="alert"><p>${error}</p></div>` : nothing}
      <p>
        <strong><bdi>${app}</bdi></strong> would like to connect to
        <strong>${storedText(dependencies.content.site.name || dependencies.content.site.home)}</strong>. It will be
        able to do everything that you, <strong>${storedText(visitor.account.user.display_name)}</strong>, can do here,
        until you revoke its password in your profile.
      </p>
      <p>Only approve this if you started it yourself and trust the application.</p>
      <form action="${links.authorize}" method="post" autocomplete="off">
        <input type="hidden" name="action" value="${action}" />${links.nonces.field(visitor, action)}
        <input type="hidden" name="app_id" value="${authorization.app_id}" />
        <input type="hidden" name="success_url" value="${authorization.success_url}" />
        <input type="hidden" name="reject_url" value="${authorization.reject_url}" />
        <div class="field">
          <label for="app_name">Name of the new application password</label>
          <input
            type="text"
            id="app_name"
            name="app_name"
            value="${authorization.app_name}"
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
          ${destinationText(authorization.success_url, 'If you approve, you')}${authorization.success_url === '' ? 'If you approve, your profile shows the new password to you.' : nothing}
        </p>
        <p class="soft" id="reject-help">
          ${destinationText(rejectAddress(authorization) ?? links.admin, 'If you do not, you')}
        </p>
      </form>`
    return this.#page(error ? 400 : 200, main, authorization, visitor)
  }

  #page(status: number, main: Html, authorization: AuthorizeRequest, visitor: SignedInVisitor): OutgoingResponse {
    const { links, dependencies } = this
    const targets = [authorization.success_url, rejectAddress(authorization) ?? ''].flatMap(formTargetOf)
    const page = htmlDocument({ title: html`Authorize application`, main, visitor, narrow: true }, links)
    return pageResponse(status, page, pageHeaders([...siteOrigins(dependencies.content.site), ...targets]))
  }
}

/**
 * A sentence that says where a button leads: the address without query and fragment. The host is in ASCII (Punycode),
 * because letters of another script can imitate a known host, and bidirectional characters can reorder the text.
 */
function destinationText(address: string, subject: string): Html {
  if (address === '') return nothing
  return html`${subject} are sent to <strong>${new URL(address).href.replace(/[?#].*$/s, '')}</strong>.`
}

/** The redirect's address contains a password, so the target page must not send it to other sites in `Referer`. */
function withoutReferrer(response: OutgoingResponse): OutgoingResponse {
  const headers = response.headers.map(([name, value]) =>
    name === 'Referrer-Policy' ? ([name, 'no-referrer'] as const) : ([name, value] as const),
  )
  return { ...response, headers }
}
