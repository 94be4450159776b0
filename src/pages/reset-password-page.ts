import { unixTime } from '../auth/unix-time.js'
import { equalInConstantTime } from '../auth/constant-time.js'
import type { NewPasswordRefusal } from '../auth/password-reset.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { redirect } from './page-responses.js'
import { html, Html, nothing } from './html.js'
import { loginFrame } from './login-frame.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import type { SiteLinks } from './site-links.js'

const title = 'Reset password'

const messages: Readonly<Record<Exclude<NewPasswordRefusal, 'invalid_key' | 'expired_key'> | 'mismatch', Html>> = {
  mismatch: new Html('<strong>Error:</strong> The passwords do not match.'),
  empty_password: new Html('<strong>Error:</strong> The password cannot be a space or all spaces.'),
  password_too_long: new Html('<strong>Error:</strong> The password has at most 4,096 bytes.'),
}

/**
 * `/wp-login.php?action=rp`: the form for a new password. The link in the message has the login name and the key. They
 * are moved into a cookie, so that no address that is shown, stored or sent on contains the key.
 */
export async function resetPasswordPage(
  request: PageRequest,
  dependencies: PageDependencies,
  links: SiteLinks,
): Promise<OutgoingResponse> {
  const { content, authentication, clock } = dependencies
  const { passwordReset } = authentication
  const cookies = authentication.cookies()
  if (passwordReset === null) return redirect(links.lostPassword)
  const { secure, address } = request.incoming
  const [linkedLogin, linkedKey] = [request.query('login'), request.query('key')]
  if (linkedLogin !== '' && linkedKey !== '') {
    const line = cookies.setPasswordReset(linkedLogin.slice(0, 254), linkedKey.slice(0, 100), secure)
    return redirect(`${links.login}?action=rp`, [['Set-Cookie', line]])
  }
  const endOfReset = ['Set-Cookie', cookies.clearPasswordReset(unixTime(clock))] as const
  const refused = (refusal: 'invalid_key' | 'expired_key'): OutgoingResponse =>
    redirect(`${links.lostPassword}&error=${refusal === 'expired_key' ? 'expiredkey' : 'invalidkey'}`, [endOfReset])
  const [, login = '', key = ''] = /^([^:]*):(.*)$/s.exec(request.cookies.get(cookies.passwordReset) ?? '') ?? []
  const user = await passwordReset.check(login, key)
  if (typeof user === 'string') return refused(user)
  const form = (errors: readonly Html[] = []): OutgoingResponse =>
    loginFrame({ title, main: formFor(login, key, links, errors.length > 0), errors }, content.site, links)
  if (request.method !== 'POST' || !request.hasField('pass1')) return form()
  // The cookie alone does not prove that the form was shown: another site can post to this address.
  if (!equalInConstantTime(request.field('rp_key'), key)) return refused('invalid_key')
  if (request.field('pass1') !== request.field('pass2')) return form([messages.mismatch])
  const refusal = await passwordReset.reset(login, key, request.field('pass1'), address)
  if (refusal === 'invalid_key' || refusal === 'expired_key') return refused(refusal)
  if (refusal !== null) return form([messages[refusal]])
  const note = html`Your password has been reset. <a href="${links.login}">Log in</a>`
  return loginFrame({ title, main: nothing, note, headers: [endOfReset] }, content.site, links)
}

function formFor(login: string, key: string, links: SiteLinks, hasFailed: boolean): Html {
  const describedBy = hasFailed ? html` aria-describedby="login_error"` : nothing
  return html`<p>Enter your new password below.</p>
    <form
      name="resetpassform"
      id="resetpassform"
      action="${links.login}?action=resetpass"
      method="post"
      autocomplete="off"
    >
      <input type="text" id="user_login" value="${login}" autocomplete="username" hidden />
      <div class="field">
        <label for="pass1">New password</label>
        <input
          type="password"
          name="pass1"
          id="pass1"
          autocomplete="new-password"
          spellcheck="false"
          required${describedBy}
        />
      </div>
      <div class="field">
        <label for="pass2">Confirm new password</label>
        <input type="password" name="pass2" id="pass2" autocomplete="new-password" spellcheck="false" required />
      </div>
      <input type="hidden" name="rp_key" value="${key}" />
      <button type="submit" name="wp-submit" id="wp-submit" value="Save Password">Save Password</button>
    </form>`
}
