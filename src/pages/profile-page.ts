import type { SignedInVisitor } from '../auth/authenticator.js'
import { whyUnavailable } from '../auth/availability.js'
import { ApplicationPasswordRejectedError, inGroupsOfFour, orRejection } from '../auth/application-passwords.js'
import { verifierOf } from '../auth/sessions.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { sanitizeTextField } from '../sanitizers/text-field.js'
import { ownHeaders, pageAnswer, redirect } from './answers.js'
import { framed } from './frame.js'
import { html, nothing, stored, type Html } from './html.js'
import { expiredPage, unavailablePage } from './notices.js'
import type { PageDependencies } from './page-parts.js'
import type { PageRequest } from './page-request.js'
import { ownOrigins } from './safe-redirect.js'
import type { SiteLinks } from './site-links.js'
import { createdPasswordNotice, passwordsSection } from './passwords-section.js'
import { nonceActionOf, type ProfileAction } from './profile-actions.js'
import { sessionsSection } from './sessions-section.js'

/** What was done, said by the page that follows. */
const messages: Readonly<Record<string, string>> = {
  revoked: 'The application password was revoked.',
  'revoked-all': 'All application passwords were revoked.',
  'session-ended': 'The session was ended.',
  'others-ended': 'You are now logged out everywhere else.',
}

interface Shown {
  readonly status?: number
  readonly error?: string
  /** Comes first, after the heading. */
  readonly notice?: Html
}

/** `/wp-admin/profile.php`: the caller's own name, application passwords and sessions. Nobody sees anybody else's. */
export class ProfilePage {
  constructor(
    readonly parts: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  async respond(request: PageRequest): Promise<OutgoingResponse> {
    const visitor = await this.parts.authenticator().signedIn(request.credentials)
    if (visitor === null) return redirect(this.links.loginBefore(this.links.profile))
    return request.method === 'POST' ? this.#act(request, visitor) : this.#show(request, visitor)
  }

  async #act(request: PageRequest, visitor: SignedInVisitor): Promise<OutgoingResponse> {
    const action = request.field('action')
    const target = request.field('target')
    const nonceAction = nonceActionOf(action, target)
    if (nonceAction === null || !this.links.nonces.isGood(visitor, nonceAction, request.field('_wpnonce')))
      return expiredPage(visitor, this.links)
    return this.#done(action as ProfileAction, target, request, visitor)
  }

  async #done(
    action: ProfileAction,
    target: string,
    request: PageRequest,
    visitor: SignedInVisitor,
  ): Promise<OutgoingResponse> {
    const { applicationPasswords, sessions } = this.parts
    const id = visitor.account.user.ID
    switch (action) {
      case 'create-application-password':
        return this.#create(request, visitor)
      case 'revoke-application-password':
        await applicationPasswords.revoke(id, target)
        return this.#next('revoked')
      case 'revoke-all-application-passwords':
        await applicationPasswords.revokeAll(id)
        return this.#next('revoked-all')
      case 'end-session':
        await sessions.endVerified(id, target)
        return target === verifierOf(visitor.sessionToken) ? this.#left() : this.#next('session-ended')
      case 'end-other-sessions':
        await sessions.endOthers(id, visitor.sessionToken)
        return this.#next('others-ended')
      case 'end-all-sessions':
        await sessions.endAll(id)
        return this.#left()
    }
  }

  async #create(request: PageRequest, visitor: SignedInVisitor): Promise<OutgoingResponse> {
    const unavailable = whyUnavailable(this.parts.environment, request.incoming)
    if (unavailable !== null) return unavailablePage(visitor, unavailable, this.links)
    const name = sanitizeTextField(request.field('name'))
    if (name === '') return this.#show(request, visitor, refused('An application password needs a name.'))
    const made = await orRejection(this.parts.applicationPasswords.create(visitor.account.user.ID, { name }))
    if (made instanceof ApplicationPasswordRejectedError) return this.#show(request, visitor, refused(made.message))
    // Shown by this very answer and by no other: a redirect would have to carry it in an address.
    return this.#show(request, visitor, { notice: createdPasswordNotice(name, inGroupsOfFour(made.password)) })
  }

  #next(message: string): OutgoingResponse {
    return redirect(`${this.links.profile}?updated=${message}`)
  }

  /** The session in use was ended: the browser forgets its cookies. */
  #left(): OutgoingResponse {
    const cookies = this.parts.cookies().signedOut(Math.floor(this.parts.clock() / 1000))
    return redirect(
      this.links.loggedOut,
      cookies.map((line) => ['Set-Cookie', line] as const),
    )
  }

  async #show(request: PageRequest, visitor: SignedInVisitor, shown: Shown = {}): Promise<OutgoingResponse> {
    const { parts, links } = this
    const { user } = visitor.account
    const passwords = await parts.applicationPasswords.list(user.ID)
    const sessions = await parts.sessions.list(user.ID)
    const updated = request.method === 'POST' ? '' : request.query('updated')
    const main = html`<h1>Profile</h1>
      ${shown.notice ?? nothing}
      ${Object.hasOwn(messages, updated) ? html`<div class="notice notice-success" role="status"><p>${messages[updated]}</p></div>` : nothing}
      ${shown.error ? html`<div id="error" class="notice notice-error" role="alert"><p>${shown.error}</p></div>` : nothing}
      ${aboutSection(visitor)}
      ${passwordsSection({
        visitor,
        passwords,
        nonces: links.nonces,
        unavailable: whyUnavailable(parts.environment, request.incoming),
        typed: shown.error ? request.field('name') : '',
        hasError: shown.error !== undefined,
      })}
      ${sessionsSection(visitor, sessions, links.nonces)}`
    const page = framed({ title: html`Profile`, main, visitor }, links)
    return pageAnswer(shown.status ?? 200, page, ownHeaders(ownOrigins(parts.site)))
  }
}

function refused(error: string): Shown {
  return { status: 400, error }
}

function aboutSection({ account: { user, caller } }: SignedInVisitor): Html {
  return html`<section aria-labelledby="about">
    <h2 id="about">About you</h2>
    <dl>
      <dt>Name</dt>
      <dd>${stored(user.display_name)}</dd>
      <dt>Username</dt>
      <dd>${user.user_login}</dd>
      <dt>Email address</dt>
      <dd>${user.user_email}</dd>
      <dt>Roles</dt>
      <dd>${caller.roles.length === 0 ? 'none' : caller.roles.join(', ')}</dd>
    </dl>
  </section>`
}
