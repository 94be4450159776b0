import { tooManyText } from '../auth/refusals.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { phpTrim } from '../php/trim.js'
import { redirect } from './page-responses.js'
import { html, Html, nothing } from './html.js'
import { loginFrame } from './login-frame.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { safeRedirect } from './safe-redirect.js'
import type { SiteLinks } from './site-links.js'

/** The note after a request. It is the same whether the account exists or not. */
export const linkWasSent = html`If there is an account with this name or address, a message with a link is on its way to
its email address. The link is valid for one hour.`

const noResets = html`A lost password cannot be replaced here, because this site sends no email. Please ask the
administrator of this site for a new one.`

const errors: Readonly<Record<string, Html>> = {
  invalidkey: new Html(
    '<strong>Error:</strong> Your password reset link appears to be invalid. Please request a new link below.',
  ),
  expiredkey: new Html(
    '<strong>Error:</strong> Your password reset link has expired. Please request a new link below.',
  ),
}
const emptyName = new Html('<strong>Error:</strong> Please enter a username or email address.')

/** `/wp-login.php?action=lostpassword`: sends a link for a new password. */
export async function lostPasswordPage(
  request: PageRequest,
  { content: { site }, authentication: { passwordReset } }: PageDependencies,
  links: SiteLinks,
): Promise<OutgoingResponse> {
  const title = 'Lost password'
  if (passwordReset === null) return loginFrame({ title, main: nothing, note: noResets }, site, links)
  const main = form(request, links)
  const error = request.query('error')
  if (request.method !== 'POST') {
    const text = Object.hasOwn(errors, error) ? errors[error] : undefined
    return loginFrame({ title, main, errors: text ? [text] : [] }, site, links)
  }
  const name = request.field('user_login')
  if (phpTrim(name) === '') return loginFrame({ title, main, errors: [emptyName] }, site, links)
  const { address, secure } = request.incoming
  const wait = await passwordReset.request(name, { address, secure })
  if (wait > 0) {
    const problem = html`${tooManyText('requests', wait)}`
    return loginFrame(
      { title, main, errors: [problem], status: 429, headers: [['Retry-After', String(wait)]] },
      site,
      links,
    )
  }
  const destination = safeRedirect(request.field('redirect_to'), site, request.incoming.secure)
  return redirect(destination ?? `${links.login}?checkemail=confirm`)
}

function form(request: PageRequest, links: SiteLinks): Html {
  return html`<p>
      Please enter your username or email address. You will receive an email message with instructions on how to reset
      your password.
    </p>
    <form name="lostpasswordform" id="lostpasswordform" action="${links.lostPassword}" method="post">
      <div class="field">
        <label for="user_login">Username or Email Address</label>
        <input
          type="text"
          name="user_login"
          id="user_login"
          value="${request.field('user_login')}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="254"
          required
        />
      </div>
      <input type="hidden" name="redirect_to" value="${request.value('redirect_to')}" />
      <button type="submit" name="wp-submit" id="wp-submit" value="Get New Password">Get New Password</button>
    </form>
    <p><a href="${links.login}">Log in</a></p>`
}
