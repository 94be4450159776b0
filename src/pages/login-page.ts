import { unixTime } from '../auth/unix-time.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import type { LoginRefusal } from '../auth/password-login.js'
import type { SignedIn } from '../auth/sign-in.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { toBoolean } from '../php/cast.js'
import { pageHeaders, pageResponse, redirect, type HeaderLine } from './page-responses.js'
import { htmlDocument } from './frame.js'
import { html, Html, nothing, storedText } from './html.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { loginFrame, type LoginFrameContent } from './login-frame.js'
import { linkWasSent, lostPasswordPage } from './lost-password-page.js'
import { submitRecordPassword } from './record-password-form.js'
import { resetPasswordPage } from './reset-password-page.js'
import { safeRedirect } from './safe-redirect.js'
import { logOutAction, type SiteLinks } from './site-links.js'

const noCookies = new Html(
  '<strong>Error:</strong> Cookies are blocked or not supported by your browser. Enable them and try again.',
)

/** `/wp-login.php`: the login form, login and logout. The functions that {@link LoginPage.respond} calls serve its other actions. */
export class LoginPage {
  constructor(
    readonly dependencies: PageDependencies,
    readonly links: SiteLinks,
  ) {}

  async respond(request: PageRequest): Promise<OutgoingResponse> {
    switch (actionOf(request)) {
      case 'checkemail':
        return this.#form(request, await this.#messageSent(request))
      case 'logout':
        return this.#logOut(request)
      case 'postpass':
        return submitRecordPassword(request, this.dependencies, this.links)
      case 'lostpassword':
      case 'retrievepassword':
        return lostPasswordPage(request, this.dependencies, this.links)
      case 'rp':
      case 'resetpass':
        return resetPasswordPage(request, this.dependencies, this.links)
      default:
        return request.method === 'POST' && request.hasForm ? this.#logIn(request) : this.#showForm(request)
    }
  }

  async #showForm(request: PageRequest): Promise<OutgoingResponse> {
    // A list counts as well, as in WordPress.
    if (toBoolean(request.parsed.query['reauth'])) return this.#form(request, { headers: this.#signedOut() })
    const visitor = await this.dependencies.authentication.authenticator().signedIn(request.credentials)
    const hasLoggedOut = request.query('loggedout') === 'true' && visitor === null
    return this.#form(request, { visitor, ...(hasLoggedOut ? { note: html`You are now logged out.` } : {}) })
  }

  /** The page to which a request for a new password leads. */
  async #messageSent(request: PageRequest): Promise<Pick<LoginFrameContent, 'visitor' | 'note'>> {
    const visitor = await this.dependencies.authentication.authenticator().signedIn(request.credentials)
    return request.query('checkemail') === 'confirm' ? { visitor, note: linkWasSent } : { visitor }
  }

  async #logIn(request: PageRequest): Promise<OutgoingResponse> {
    const { address, secure, headers } = request.incoming
    const result = await this.dependencies.authentication.signIn().signIn({
      username: request.field('log'),
      password: request.field('pwd'),
      remembered: request.field('rememberme') !== '',
      address,
      secure,
      userAgent: headers['user-agent'] ?? '',
    })
    // The form sets a test cookie. A browser that does not send it back blocks cookies, so the login cannot work.
    const blocksCookies =
      request.hasField('testcookie') && !request.cookies.has(this.dependencies.authentication.cookies().test)
    if ('problems' in result) {
      const showsCookieProblem = blocksCookies && result.status === 200
      return this.#refused(request, showsCookieProblem ? { ...result, problems: [noCookiesProblem] } : result)
    }
    const cookies = setCookies(result.cookies)
    if (blocksCookies) return this.#form(request, { errors: [noCookies], headers: cookies })
    const destination = await this.#destination(request, result)
    return redirect(destination, [...this.#testCookie(), ...cookies])
  }

  #refused(request: PageRequest, { problems, status, retryAfter }: LoginRefusal): OutgoingResponse {
    const errors = problems.map(({ message }) => new Html(message))
    const headers: readonly HeaderLine[] = retryAfter === null ? [] : [['Retry-After', String(retryAfter)]]
    return this.#form(request, { errors, status, headers })
  }

  /** The target of the redirect after a login. A user without `edit_posts` is not sent to `/wp-admin/`. */
  async #destination(request: PageRequest, { user }: SignedIn): Promise<string> {
    const { links, dependencies } = this
    const destination =
      safeRedirect(request.value('redirect_to'), dependencies.content.site, request.incoming.secure) ?? links.admin
    const leadsToAdmin = new URL(destination, links.admin).href === links.admin
    if (!leadsToAdmin) return destination
    const account = await dependencies.authentication.accounts.byLogin(user.user_login)
    const hasCapability = (name: string) => account?.caller.capabilities.has(name) === true
    if (hasCapability('edit_posts')) return destination
    return hasCapability('read') ? links.profile : links.home
  }

  async #logOut(request: PageRequest): Promise<OutgoingResponse> {
    const { links, dependencies } = this
    const visitor = await dependencies.authentication.authenticator().signedIn(request.credentials)
    if (visitor !== null && !links.nonces.isValid(visitor, logOutAction, request.value('_wpnonce')))
      return this.#logOutConfirmation(visitor)
    const headers = visitor
      ? setCookies(await dependencies.authentication.signIn().signOut(visitor.account.user.ID, visitor.sessionToken))
      : this.#signedOut()
    const destination = safeRedirect(request.value('redirect_to'), dependencies.content.site, request.incoming.secure)
    return redirect(destination ?? links.loggedOut, headers)
  }

  /** Asks for confirmation: the link has no valid nonce, so another site may have sent the user here. */
  #logOutConfirmation(visitor: SignedInVisitor): OutgoingResponse {
    const { links, dependencies } = this
    const name = storedText(dependencies.content.site.name)
    const main = html`<h1>Log out?</h1>
      <p>You are attempting to log out of ${name}.</p>
      <p>Do you really want to <a href="${links.logOut(visitor)}">log out</a>?</p>`
    return pageResponse(
      403,
      htmlDocument({ title: html`Log out?`, main, visitor, narrow: true }, links),
      pageHeaders([]),
    )
  }

  /** Removes the login cookies from the browser. Where a page of the administration has refused them, a new login sets all of them. */
  #signedOut(): readonly HeaderLine[] {
    const { authentication, clock } = this.dependencies
    return setCookies(authentication.cookies().clearLogin(unixTime(clock)))
  }

  #testCookie(): readonly HeaderLine[] {
    return setCookies(this.dependencies.authentication.cookies().setTest())
  }

  #form(
    request: PageRequest,
    { errors = [], note, visitor = null, status = 200, headers = [] }: Omit<LoginFrameContent, 'title' | 'main'>,
  ): OutgoingResponse {
    const { links, dependencies } = this
    const offersReset = dependencies.authentication.passwordReset !== null
    const main = html`${visitor ? loggedInNotice(visitor, links) : nothing}
    ${loginForm(request, links, errors.length > 0)}
    ${offersReset ? html`<p><a href="${links.lostPassword}">Lost your password?</a></p>` : nothing}`
    const page = { title: 'Log in', main, errors, visitor, status, headers: [...this.#testCookie(), ...headers] }
    return loginFrame(note === undefined ? page : { ...page, note }, dependencies.content.site, links)
  }
}

/** In the query, a note and the key of a reset come before `action`, as in WordPress. */
function actionOf(request: PageRequest): string {
  const { query } = request.parsed
  if (Object.hasOwn(query, 'checkemail')) return 'checkemail'
  return Object.hasOwn(query, 'key') ? 'resetpass' : request.value('action')
}

const setCookies = (lines: readonly string[]): readonly HeaderLine[] => lines.map((line) => ['Set-Cookie', line])

const noCookiesProblem = { code: 'test_cookie', message: noCookies.text, data: null }

function loggedInNotice({ account }: SignedInVisitor, links: SiteLinks): Html {
  return html`<div class="notice">
    <p>
      You are logged in as <strong>${storedText(account.user.display_name)}</strong>.
      <a href="${links.profile}">Your profile</a>
    </p>
  </div>`
}

function loginForm(request: PageRequest, links: SiteLinks, hasFailed: boolean): Html {
  const describedBy = hasFailed ? html` aria-describedby="login_error"` : nothing
  const destination = request.value('redirect_to') || links.admin
  const checked = request.field('rememberme') === '' ? nothing : html` checked`
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
        autofocus${describedBy}
      />
    </div>
    <div class="field">
      <label for="user_pass">Password</label>
      <input type="password" name="pwd" id="user_pass" autocomplete="current-password" required${describedBy} />
    </div>
    <div class="field check">
      <input type="checkbox" name="rememberme" id="rememberme" value="forever" ${checked} />
      <label for="rememberme">Remember Me</label>
    </div>
    <input type="hidden" name="redirect_to" value="${destination}" />
    <input type="hidden" name="testcookie" value="1" />
    <button type="submit" name="wp-submit" id="wp-submit" value="Log In">Log In</button>
  </form>`
}
