import { unixTime } from '../auth/unix-time.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import { whyUnavailable } from '../auth/availability.js'
import {
  ApplicationPasswordRejectedError,
  inGroupsOfFour,
  orRejection,
  type NewApplicationPassword,
} from '../auth/application-passwords.js'
import { parseExpiry } from '../auth/expiry-date.js'
import { verifierOf } from '../auth/sessions.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { sanitizeTextField } from '../sanitizers/text-field.js'
import { pageHeaders, pageResponse, redirect, type HeaderLine } from './page-responses.js'
import { pathOfAddress } from '../content/path-of-address.js'
import { htmlDocument } from './frame.js'
import { html, nothing, storedText, type Html } from './html.js'
import { NewPasswordCookie } from './new-password-cookie.js'
import { expiredPage, unavailablePage } from './notices.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { scriptAddress } from './script.js'
import { siteOrigins } from '../http/site-addresses.js'
import type { SiteLinks } from './site-links.js'
import { createdPasswordNotice, passwordsSection } from './passwords-section.js'
import { nonceActionOf, type ProfileAction } from './profile-actions.js'
import { sessionsSection } from './sessions-section.js'

/** Messages after an action, by the query parameter `updated`. */
const messages: Readonly<Record<string, string>> = {
  created:
    'The application password was created. It was shown once. If you have not copied it, revoke it and create another one.',
  revoked: 'The application password was revoked.',
  'revoked-all': 'All application passwords were revoked.',
  'session-ended': 'The session was ended.',
  'others-ended': 'You are now logged out everywhere else.',
}

/** The result of a form, which the page shows. */
interface FormResult {
  readonly status?: number
  readonly error?: string
}

/**
 * `/wp-admin/profile.php`: name, application passwords and sessions of the caller. No user sees those of another user.
 */
export class ProfilePage {
  readonly #newPassword: NewPasswordCookie

  constructor(
    readonly dependencies: PageDependencies,
    readonly links: SiteLinks,
  ) {
    this.#newPassword = new NewPasswordCookie(dependencies)
  }

  async respond(request: PageRequest): Promise<OutgoingResponse> {
    const visitor = await this.dependencies.authentication.authenticator().signedInToAdministration(request.credentials)
    if (visitor === null) return redirect(this.links.loginBefore(this.links.profile))
    return request.method === 'POST' ? this.#submit(request, visitor) : this.#show(request, visitor)
  }

  async #submit(request: PageRequest, visitor: SignedInVisitor): Promise<OutgoingResponse> {
    const action = request.field('action')
    const target = request.field('target')
    const nonceAction = nonceActionOf(action, target)
    if (nonceAction === null || !this.links.nonces.isValid(visitor, nonceAction, request.field('_wpnonce')))
      return expiredPage(visitor, this.links)
    return this.#perform(action as ProfileAction, target, request, visitor)
  }

  async #perform(
    action: ProfileAction,
    target: string,
    request: PageRequest,
    visitor: SignedInVisitor,
  ): Promise<OutgoingResponse> {
    const { applicationPasswords, sessions } = this.dependencies.authentication
    const id = visitor.account.user.ID
    switch (action) {
      case 'create-application-password':
        return this.#create(request, visitor)
      case 'revoke-application-password':
        await applicationPasswords.revoke(id, target)
        return this.#redirectToProfile('revoked')
      case 'revoke-all-application-passwords':
        await applicationPasswords.revokeAll(id)
        return this.#redirectToProfile('revoked-all')
      case 'end-session':
        await sessions.endByVerifier(id, target)
        return target === verifierOf(visitor.sessionToken)
          ? this.#loggedOut()
          : this.#redirectToProfile('session-ended')
      case 'end-other-sessions':
        await sessions.endOthers(id, visitor.sessionToken)
        return this.#redirectToProfile('others-ended')
      case 'end-all-sessions':
        await sessions.endAll(id)
        return this.#loggedOut()
    }
  }

  async #create(request: PageRequest, visitor: SignedInVisitor): Promise<OutgoingResponse> {
    const unavailable = whyUnavailable(this.dependencies.environment, request.incoming)
    if (unavailable !== null) return unavailablePage(visitor, unavailable, this.links)
    const name = request.field('name')
    if (sanitizeTextField(name) === '')
      return this.#show(request, visitor, refused('An application password needs a name.'))
    const created = await orRejection(
      this.dependencies.authentication.applicationPasswords.create(visitor.account.user.ID, {
        name,
        ...limitsOf(request),
      }),
    )
    if (created instanceof ApplicationPasswordRejectedError)
      return this.#show(request, visitor, refused(created.message))
    const passwordToShow = { uuid: created.item.uuid, password: inGroupsOfFour(created.password) }
    return this.#redirectToProfile('created', [this.#newPassword.set(passwordToShow, visitor, request)])
  }

  /** @param messageName a key of `messages`. */
  #redirectToProfile(messageName: string, headers: readonly HeaderLine[] = []): OutgoingResponse {
    return redirect(`${this.links.profile}?updated=${messageName}`, headers)
  }

  /** The current session has ended, so the response deletes the login cookies. */
  #loggedOut(): OutgoingResponse {
    const cookies = this.dependencies.authentication.cookies().clearLogin(unixTime(this.dependencies.clock))
    return redirect(
      this.links.loggedOut,
      cookies.map((line) => ['Set-Cookie', line] as const),
    )
  }

  async #show(request: PageRequest, visitor: SignedInVisitor, result: FormResult = {}): Promise<OutgoingResponse> {
    const { dependencies, links } = this
    const { site } = dependencies.content
    const { user } = visitor.account
    const { sharesTables } = dependencies.authentication
    const passwords = await dependencies.authentication.applicationPasswords.list(user.ID)
    const sessions = await dependencies.authentication.sessions.list(user.ID)
    const updated = request.method === 'POST' ? '' : request.query('updated')
    const newPassword = request.method === 'GET' ? this.#newPassword.read(request, visitor) : null
    const newItem = passwords.find(({ uuid }) => uuid === newPassword?.uuid)
    const notice = newPassword && newItem ? createdPasswordNotice(newItem.name, newPassword.password) : null
    const main = html`<h1>Profile</h1>
      ${notice ?? nothing}
      ${notice === null && Object.hasOwn(messages, updated) ? html`<div class="notice notice-success" role="status"><p>${messages[updated]}</p></div>` : nothing}
      ${result.error ? html`<div id="error" class="notice notice-error" role="alert"><p>${result.error}</p></div>` : nothing}
      ${aboutSection(visitor, sharesTables ? `${site.siteurl}/wp-admin/profile.php` : null)}
      ${passwordsSection({
        visitor,
        passwords,
        nonces: links.nonces,
        unavailable: whyUnavailable(dependencies.environment, request.incoming),
        refusedName: result.error ? request.field('name') : '',
        refusedLimits: {
          scopes: result.error ? request.field('scopes') : '',
          expires: result.error ? request.field('expires') : '',
        },
        takesLimits: dependencies.authentication.applicationPasswords.takesLimits,
        hasError: result.error !== undefined,
      })}
      ${sessionsSection(visitor, sessions, links.nonces, sharesTables)}`
    const head = notice ? html`<script src="${pathOfAddress(site.siteurl)}${scriptAddress}" defer></script>` : nothing
    const page = htmlDocument({ title: html`Profile`, main, visitor, head }, links)
    return pageResponse(result.status ?? 200, page, [
      ...pageHeaders(siteOrigins(site), { hasScript: notice !== null }),
      ...(newPassword ? [this.#newPassword.remove()] : []),
    ])
  }
}

function refused(error: string): FormResult {
  return { status: 400, error }
}

/** @param inWordPress the address of the profile that PHP shows; null where there is no WordPress. */
function aboutSection({ account: { user, caller } }: SignedInVisitor, inWordPress: string | null): Html {
  return html`<section aria-labelledby="about">
    <h2 id="about">About you</h2>
    <dl>
      <dt>Name</dt>
      <dd>${storedText(user.display_name)}</dd>
      <dt>Username</dt>
      <dd>${user.user_login}</dd>
      <dt>Email address</dt>
      <dd>${user.user_email}</dd>
      <dt>Roles</dt>
      <dd>${caller.roles.length === 0 ? 'none' : caller.roles.join(', ')}</dd>
    </dl>
    ${
      inWordPress === null
        ? nothing
        : html`<p>
            Change your name, email address, password and picture in the
            <a href="${inWordPress}">profile page of WordPress</a>.
          </p>`
    }
  </section>`
}

/** The scopes, one in each line, and the expiry of a new application password. */
function limitsOf(request: PageRequest): Pick<NewApplicationPassword, 'scopes' | 'expires'> {
  const scopes = request
    .field('scopes')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const expires = request.field('expires')
  return { ...(scopes.length > 0 && { scopes }), ...(expires !== '' && { expires: parseExpiry(expires) }) }
}
