import type { SignedInVisitor } from '../auth/authenticator.js'
import { verifierOf, type Session, type StoredSessions } from '../auth/sessions.js'
import { browserName } from './browser-name.js'
import { html, nothing, type Html } from './html.js'
import { timeElement } from './time-element.js'
import type { PageNonces } from './page-nonces.js'
import { confirmedAction } from './action-form.js'

/**
 * The login sessions of the visitor: the current session first, then the newest.
 * @param staysListed whether a new password leaves sessions in the list, as in WordPress.
 */
export function sessionsSection(
  visitor: SignedInVisitor,
  sessions: StoredSessions,
  nonces: PageNonces,
  staysListed: boolean,
): Html {
  const current = verifierOf(visitor.sessionToken)
  const sorted = [...sessions].sort(([verifierA, a], [verifierB, b]) =>
    verifierA === current ? -1 : verifierB === current ? 1 : (b.login ?? 0) - (a.login ?? 0),
  )
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Sessions</h2>
    <p>
      ${
        staysListed
          ? 'Where you have logged in. After a new password, earlier logins no longer work. They stay in this list until they expire.'
          : 'Where you are logged in.'
      }
    </p>
    <ul class="items">
      ${sorted.map(([verifier, session]) => item(verifier, session, verifier === current, visitor, nonces))}
    </ul>
    <div class="actions">
      ${sessions.size > 1 ? confirmedAction(endOthers, visitor, nonces) : nothing}
      ${confirmedAction(endAll, visitor, nonces)}
    </div>
  </section>`
}

const endOthers = {
  action: 'end-other-sessions',
  label: 'Log out everywhere else',
  consequence: 'All browsers but this one will have to log in again.',
} as const

const endAll = {
  action: 'end-all-sessions',
  label: 'Log out everywhere',
  consequence: 'All browsers, this one too, will have to log in again.',
} as const

function item(
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
    consequence: isCurrent ? 'You will have to log in again.' : 'This browser will have to log in again.',
  } as const
  return html`<li class="item" ${isCurrent ? html`aria-current="true"` : nothing}>
    <h3>${browser}${isCurrent ? html` <strong>(this session)</strong>` : nothing}</h3>
    <dl>
      <dt>Address</dt>
      <dd>${ip === '' ? '—' : ip}</dd>
      <dt>Since</dt>
      <dd>${login === undefined ? '—' : timeElement(login)}</dd>
      <dt>Until</dt>
      <dd>${timeElement(expiration)}</dd>
    </dl>
    ${confirmedAction(end, visitor, nonces)}
  </li>`
}
