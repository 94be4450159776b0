import { maxApplicationNameLength } from '../auth/application-passwords.js'
import { type ApplicationPassword } from '../auth/stored-application-passwords.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import { html, nothing, storedText, type Html } from './html.js'
import type { PageNonces } from './page-nonces.js'
import { timeElement } from './time-element.js'
import { actionFields, confirmedAction } from './action-form.js'

export interface PasswordsSection {
  readonly visitor: SignedInVisitor
  readonly passwords: readonly ApplicationPassword[]
  readonly nonces: PageNonces
  /** Why no application password can be created, as a sentence; null when one can. */
  readonly unavailable: string | null
  /** The refused name, which the form shows again; `''` when there is none. */
  readonly refusedName: string
  /** The refused scopes and expiry, which the form shows again. */
  readonly refusedLimits: { readonly scopes: string; readonly expires: string }
  readonly hasError: boolean
  /** Whether a password may have scopes and an expiry. */
  readonly takesLimits: boolean
}

export function passwordsSection(section: PasswordsSection): Html {
  return html`<section aria-labelledby="application-passwords">
    <h2 id="application-passwords">Application passwords</h2>
    <p>An application password lets a program act for you without your own password. Each can be revoked by itself.</p>
    ${section.unavailable === null ? createForm(section) : html`<div class="notice"><p>Application passwords are not available. ${section.unavailable}</p></div>`}
    ${section.passwords.length === 0 ? html`<p class="soft">You have no application passwords.</p>` : list(section)}
  </section>`
}

/** @param password in groups of four. */
export function createdPasswordNotice(name: string, password: string): Html {
  return html`<div class="notice notice-success">
    <h2>Your new application password</h2>
    <p id="new-application-password-label">The password for ${storedText(name)}</p>
    <p><code class="secret" id="new-application-password-value">${password}</code></p>
    <p class="actions">
      <button
        type="button"
        class="plain"
        hidden
        data-copy="new-application-password-value"
        data-status="new-application-password-copied"
        aria-describedby="new-application-password-label"
      >
        Copy
      </button>
      <span id="new-application-password-copied" role="status"></span>
    </p>
    <p>Copy it now: it is not shown again. Spaces do not count.</p>
  </div>`
}

function createForm({ visitor, nonces, refusedName, refusedLimits, hasError, takesLimits }: PasswordsSection): Html {
  const problem = hasError
    ? html` aria-invalid="true" aria-describedby="error name-help"`
    : html` aria-describedby="name-help"`
  return html`<form method="post" autocomplete="off">
    ${actionFields({ action: 'create-application-password' }, visitor, nonces)}
    <div class="field">
      <label for="name">Name of the new application password</label>
      <input
        type="text"
        id="name"
        name="name"
        value="${refusedName}"
        required
        maxlength="${maxApplicationNameLength}"
        autocomplete="off"
        ${problem}
      />
      <p id="name-help">What will use it, such as “Phone app”.</p>
    </div>
    ${takesLimits ? limitFields(refusedLimits) : nothing}
    <button type="submit">Add application password</button>
  </form>`
}

function limitFields({ scopes, expires }: PasswordsSection['refusedLimits']): Html {
  return html`<div class="field">
      <label for="expires">It ends on (optional)</label>
      <input type="date" id="expires" name="expires" value="${expires}" aria-describedby="expires-help" />
      <p id="expires-help">At midnight UTC. Without a date it works until it is revoked.</p>
    </div>
    <div class="field">
      <label for="scopes">It may be used for (optional)</label>
      <textarea id="scopes" name="scopes" rows="3" aria-describedby="scopes-help">${scopes}</textarea>
      <p id="scopes-help">
        One path in each line, such as <code>GET /shop/v1/products*</code>. Without any, it may do all that you may do.
      </p>
    </div>`
}

function list({ visitor, passwords, nonces }: PasswordsSection): Html {
  const revokeAll = {
    action: 'revoke-all-application-passwords',
    label: 'Revoke all application passwords',
    consequence: 'All programs that use one of them will lose their access at once.',
  } as const
  return html`<h3>Your application passwords</h3>
    <ul class="items">
      ${passwords.map((password) => item(password, visitor, nonces))}
    </ul>
    ${passwords.length > 1 ? html`<div class="actions">${confirmedAction(revokeAll, visitor, nonces)}</div>` : nothing}`
}

function item(
  { uuid, name, created, last_used, last_ip, scopes, expires = null }: ApplicationPassword,
  visitor: SignedInVisitor,
  nonces: PageNonces,
): Html {
  const revoke = {
    action: 'revoke-application-password',
    target: uuid,
    label: 'Revoke',
    description: `Revoke ${name}`,
    consequence: 'The program that uses it will lose its access at once.',
  } as const
  return html`<li class="item">
    <h4>${storedText(name)}</h4>
    <dl>
      <dt>Created</dt>
      <dd>${timeElement(created)}</dd>
      <dt>Last used</dt>
      <dd>${last_used === null ? '—' : timeElement(last_used)}</dd>
      <dt>Last address</dt>
      <dd>${last_ip === null || last_ip === '' ? '—' : last_ip}</dd>
      ${
        expires === null
          ? nothing
          : html`<dt>Ends</dt>
              <dd>${timeElement(expires)}</dd>`
      }
      ${
        scopes === undefined
          ? nothing
          : html`<dt>May be used for</dt>
              <dd>${[scopes].flat().map((scope) => html`<code>${storedText(String(scope))}</code> `)}</dd>`
      }
    </dl>
    ${confirmedAction(revoke, visitor, nonces)}
  </li>`
}
