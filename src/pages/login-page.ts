import type { SignedInVisitor } from '../auth/authenticator.js'
import type { LoginRefusal } from '../auth/password-login.js'
import type { SignedIn } from '../auth/sign-in.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { ownHeaders, pageAnswer, redirect, type HeaderLine } from './answers.js'
import { framed } from './frame.js'
import { html, Html, nothing, stored } from './html.js'
import type { PageDependencies } from './page-parts.js'
import type { PageRequest } from './page-request.js'
import { ownOrigins, safeRedirect } from './safe-redirect.js'
import { logOutAction, type SiteLinks } from './site-links.js'

const noCookies = new Html(
  '<strong>Error:</strong> Cookies are blocked or not supported by your browser. Enable them and try again.',
)

const noResets = html`A lost password cannot be replaced here. Please ask the administrator of this site for a new one.`

/** `/wp-login.php`: the form, logging in, logging out (docs/wire.md#the-login-page). */
export class LoginPage {
  constructor(
    readonly parts: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  async respond(request: PageRequest): Promise<OutgoingResponse> {
    const action = request.value('action')
    if (action === 'logout') return this.#logOut(request)
    if (action === 'lostpassword') return this.#form(request, { note: noResets })
    if (request.method === 'POST') return this.#logIn(request)
    const visitor = await this.parts.authenticator().signedIn(request.credentials)
    const hasLeft = request.query('loggedout') === 'true' && visitor === null
    return this.#form(request, { visitor, ...(hasLeft ? { note: html`You are now logged out.` } : {}) })
  }

  async #logIn(request: PageRequest): Promise<OutgoingResponse> {
    const { address, secure, headers } = request.incoming
    const result = await this.parts.signIn().signIn({
      username: request.field('log'),
      password: request.field('pwd'),
      remembered: request.field('rememberme') !== '',
      address,
      secure,
      userAgent: headers['user-agent'] ?? '',
    })
    // A browser that does not send back the cookie of the form will not send back those of the login either.
    const isBlocked = request.hasField('testcookie') && !request.cookies.has(this.parts.cookies().test)
    if ('problems' in result) {
      const isShownAgain = isBlocked && result.status === 200
      return this.#refused(request, isShownAgain ? { ...result, problems: [noCookiesProblem] } : result)
    }
    const cookies = result.cookies.map((line) => ['Set-Cookie', line] as const)
    if (isBlocked) return this.#form(request, { errors: [noCookies], headers: cookies })
    const destination = await this.#destination(request, result)
    return redirect(destination, [...this.#testCookie(), ...cookies])
  }

  #refused(request: PageRequest, { problems, status, retryAfter }: LoginRefusal): OutgoingResponse {
    const errors = problems.map(({ message }) => new Html(message))
    const headers: readonly HeaderLine[] = retryAfter === null ? [] : [['Retry-After', String(retryAfter)]]
    return this.#form(request, { errors, status, headers })
  }

  /** Those who may not write have nothing to do in `/wp-admin/`. */
  async #destination(request: PageRequest, { user }: SignedIn): Promise<string> {
    const { links, parts } = this
    const asked = safeRedirect(request.value('redirect_to'), parts.site, request.incoming.secure) ?? links.admin
    const leadsToAdmin = new URL(asked, links.admin).href === links.admin
    if (!leadsToAdmin) return asked
    const account = await parts.accounts.byLogin(user.user_login)
    const holds = (capability: string) => account?.caller.capabilities.has(capability) === true
    if (holds('edit_posts')) return asked
    return holds('read') ? links.profile : links.home
  }

  async #logOut(request: PageRequest): Promise<OutgoingResponse> {
    const { links, parts } = this
    const visitor = await parts.authenticator().signedIn(request.credentials)
    if (visitor !== null && !links.nonces.isGood(visitor, logOutAction, request.value('_wpnonce')))
      return this.#askBeforeLeaving(visitor)
    const cookies = visitor
      ? await parts.signIn().signOut(visitor.account.user.ID, visitor.sessionToken)
      : parts.cookies().signedOut(Math.floor(parts.clock() / 1000))
    const destination = safeRedirect(request.value('redirect_to'), parts.site, request.incoming.secure)
    return redirect(
      destination ?? links.loggedOut,
      cookies.map((line) => ['Set-Cookie', line] as const),
    )
  }

  /** The link that led here was not made for this person: it may be somebody else's idea. */
  #askBeforeLeaving(visitor: SignedInVisitor): OutgoingResponse {
    const { links, parts } = this
    const name = stored(parts.site.name)
    const main = html`<h1>Log out?</h1>
      <p>You are attempting to log out of ${name}.</p>
      <p>Do you really want to <a href="${links.logOut(visitor)}">log out</a>?</p>`
    return pageAnswer(403, framed({ title: html`Log out?`, main, visitor, narrow: true }, links), ownHeaders([]))
  }

  #testCookie(): readonly HeaderLine[] {
    return this.parts
      .cookies()
      .testing()
      .map((line) => ['Set-Cookie', line] as const)
  }

  #form(
    request: PageRequest,
    {
      errors = [],
      note,
      visitor = null,
      status = 200,
      headers = [],
    }: {
      readonly errors?: readonly Html[]
      readonly note?: Html
      readonly visitor?: SignedInVisitor | null
      readonly status?: number
      readonly headers?: readonly HeaderLine[]
    },
  ): OutgoingResponse {
    const { links, parts } = this
    const main = html`<h1>Log in</h1>
      ${errorSummary(errors)} ${note ? html`<div class="notice message" role="status"><p>${note}</p></div>` : nothing}
      ${visitor ? alreadyHere(visitor, links) : nothing} ${loginForm(request, links, errors.length > 0)}
      <p><a href="${links.home}">← Go to ${stored(parts.site.name || 'the site')}</a></p>`
    return pageAnswer(status, framed({ title: html`Log in`, main, visitor, narrow: true }, links), [
      ...ownHeaders(ownOrigins(parts.site)),
      ...this.#testCookie(),
      ...headers,
    ])
  }
}

const noCookiesProblem = { code: 'test_cookie', message: noCookies.text, data: null }

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

function alreadyHere({ account }: SignedInVisitor, links: SiteLinks): Html {
  return html`<div class="notice">
    <p>
      You are logged in as <strong>${stored(account.user.display_name)}</strong>.
      <a href="${links.profile}">Your profile</a>
    </p>
  </div>`
}

function loginForm(request: PageRequest, links: SiteLinks, hasFailed: boolean): Html {
  const described = hasFailed ? html` aria-describedby="login_error"` : nothing
  const destination = request.value('redirect_to') || links.admin
  const isRemembered = request.field('rememberme') === '' ? nothing : html` checked`
  return html`<form name="loginform" id="loginform" action="${links.login}" method="post">
    <div class="field">
      <label for="user_login">Username or Email Address</label>
      <input
        type="text"
        name="log"
        id="user_login"
        value="${request.field('log')}"
        autocomplete="username"
        autocapitalize="none"
        spellcheck="false"
        maxlength="254"
        required
        autofocus${described}
      />
    </div>
    <div class="field">
      <label for="user_pass">Password</label>
      <input type="password" name="pwd" id="user_pass" autocomplete="current-password" required${described} />
    </div>
    <div class="field check">
      <input type="checkbox" name="rememberme" id="rememberme" value="forever" ${isRemembered} />
      <label for="rememberme">Remember Me</label>
    </div>
    <input type="hidden" name="redirect_to" value="${destination}" />
    <input type="hidden" name="testcookie" value="1" />
    <button type="submit" name="wp-submit" id="wp-submit" value="Log In">Log In</button>
  </form>`
}
