import { unixTime } from '../auth/unix-time.js'
import type { RecordPasswordResult } from '../auth/record-passwords.js'
import { tooManyText } from '../auth/refusals.js'
import type { StoredRecord } from '../content/record.js'
import type { OutgoingResponse } from '../http/exchange.js'
import { redirect } from './page-responses.js'
import { html, nothing, type Html } from './html.js'
import { loginFrame } from './login-frame.js'
import type { PageDependencies } from './page-dependencies.js'
import type { PageRequest } from './page-request.js'
import { safeRedirect } from './safe-redirect.js'
import type { SiteLinks } from './site-links.js'

/** The form for the password of a record. @param result why the record is not shown. */
export function recordPasswordForm(
  { id, link }: Pick<StoredRecord, 'id' | 'link'>,
  result: Exclude<RecordPasswordResult, 'right'>,
  loginAddress: string,
): Html {
  const input = `pwbox-${id}`
  const problem = problemOf(result)
  const described = problem === null ? nothing : html` aria-describedby="${input}-error" aria-invalid="true"`
  return html`<form class="post-password-form" action="${loginAddress}?action=postpass" method="post">
    <input type="hidden" name="redirect_to" value="${link}" />
    <p>This content is password-protected. To view it, please enter the password below.</p>
    ${problem === null ? nothing : html`<p id="${input}-error" class="notice notice-error" role="alert">${problem}</p>`}
    <div class="field">
      <label for="${input}">Password</label>
      <input
        type="password"
        name="post_password"
        id="${input}"
        autocomplete="off"
        spellcheck="false"
        required${described}
      />
    </div>
    <button type="submit" class="button" name="Submit" value="Enter">Enter</button>
  </form>`
}

function problemOf(result: Exclude<RecordPasswordResult, 'right'>): string | null {
  if (result === 'wrong') return 'Invalid password.'
  if (result === 'missing') return null
  return tooManyText('failed attempts', result)
}

/** `/wp-login.php?action=postpass`: keeps a password in a cookie, and leads back to the record. */
export async function submitRecordPassword(
  request: PageRequest,
  { content, authentication, clock }: PageDependencies,
  links: SiteLinks,
): Promise<OutgoingResponse> {
  const { address, secure, headers } = request.incoming
  const back = request.hasField('redirect_to') ? request.field('redirect_to') : (headers['referer'] ?? '')
  const destination = safeRedirect(back, content.site, secure) ?? links.home
  if (request.method !== 'POST' || !request.hasField('post_password')) return redirect(destination)
  const hash = await authentication.recordPasswords.cookieFor(request.field('post_password'), address)
  if (typeof hash === 'number') {
    const error = html`${tooManyText('passwords', hash)}`
    const main = html`<p><a href="${destination}">Back</a></p>`
    const headers = [['Retry-After', String(hash)]] as const
    return loginFrame({ title: 'Password', main, errors: [error], status: 429, headers }, content.site, links)
  }
  const cookies = authentication.cookies().setRecordPassword(hash, unixTime(clock), secure)
  return redirect(
    destination,
    cookies.map((line) => ['Set-Cookie', line] as const),
  )
}
