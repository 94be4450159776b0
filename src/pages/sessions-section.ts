import type { SignedInVisitor } from '../auth/authenticator.js'
import { verifierOf, type Session, type StoredSessions } from '../auth/sessions.js'
import { browserName } from './browser-name.js'
import { html, nothing, type Html } from './html.js'
import { moment } from './moment.js'
import type { PageNonces } from './page-nonces.js'
import { actionButton } from './action-form.js'

/** The login sessions of the visitor: the current session first, then the newest. */
export function sessionsSection(visitor: SignedInVisitor, sessions: StoredSessions, nonces: PageNonces): Html {
  const current = verifierOf(visitor.sessionToken)
  const sorted = [...sessions].sort(([verifierA, a], [verifierB, b]) =>
    verifierA === current ? -1 : verifierB === current ? 1 : (b.login ?? 0) - (a.login ?? 0),
  )
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Sessions</h2>
    <p>Where you are logged in.</p>
    <div class="scroll" role="region" aria-labelledby="sessions" tabindex="0">
      <table aria-labelledby="sessions">
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Address</th>
            <th scope="col">Since</th>
            <th scope="col">Until</th>
            <th scope="col">End</th>
          </tr>
        </thead>
        <tbody>
          ${sorted.map(([verifier, session]) => row(verifier, session, verifier === current, visitor, nonces))}
        </tbody>
      </table>
    </div>
    <div class="actions">
      ${sessions.size > 1 ? actionButton({ action: 'end-other-sessions', label: 'Log out everywhere else' }, visitor, nonces) : nothing}
      ${actionButton({ action: 'end-all-sessions', label: 'Log out everywhere' }, visitor, nonces)}
    </div>
  </section>`
}

function row(
  verifier: string,
  { ua = '', ip = '', login, expiration }: Session,
  isCurrent: boolean,
  visitor: SignedInVisitor,
  nonces: PageNonces,
): Html {
  const browser = browserName(ua)
  const end = {
    action: 'end-session',
    target: verifier,
    label: 'End',
    description: `End the session of ${browser}`,
  } as const
  return html`<tr${isCurrent ? html` aria-current="true"` : nothing}><th scope="row">${browser}${isCurrent ? html` <strong>(this session)</strong>` : nothing}</th>
<td>${ip === '' ? '—' : ip}</td><td>${login === undefined ? '—' : moment(login)}</td><td>${moment(expiration)}</td>
<td>${actionButton(end, visitor, nonces)}</td></tr>`
}
