import { maxApplicationNameLength, type ApplicationPassword } from '../auth/application-passwords.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import { html, nothing, storedText, type Html } from './html.js'
import type { PageNonces } from './page-nonces.js'
import { moment } from './moment.js'
import { actionButton, actionFields } from './action-form.js'

export interface PasswordsSection {
  readonly visitor: SignedInVisitor
  readonly passwords: readonly ApplicationPassword[]
  readonly nonces: PageNonces
  /** Why no application password can be created, as a sentence; null when one can. */
  readonly unavailable: string | null
  /** The refused name, which the form shows again; `''` when there is none. */
  readonly refusedName: string
  readonly hasError: boolean
}

export function passwordsSection(section: PasswordsSection): Html {
  return html`<section aria-labelledby="application-passwords">
    <h2 id="application-passwords">Application passwords</h2>
    <p>An application password lets a program act for you without your own password. Each can be revoked by itself.</p>
    ${section.unavailable === null ? createForm(section) : html`<div class="notice"><p>Application passwords are not available. ${section.unavailable}</p></div>`}
    ${section.passwords.length === 0 ? html`<p class="soft">You have no application passwords.</p>` : table(section)}
  </section>`
}

/** @param password in groups of four. */
export function createdPasswordNotice(name: string, password: string): Html {
  return html`<div class="notice notice-success" role="status">
    <h2>Your new application password</h2>
    <div class="field">
      <label for="new-application-password-value">The password for ${storedText(name)}</label>
      <input
        type="text"
        id="new-application-password-value"
        value="${password}"
        readonly
        autocomplete="off"
        spellcheck="false"
        autofocus
      />
      <p>Copy it now: it is not shown again. Spaces do not count.</p>
    </div>
  </div>`
}

function createForm({ visitor, nonces, refusedName, hasError }: PasswordsSection): Html {
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
    <button type="submit">Add application password</button>
  </form>`
}

function table({ visitor, passwords, nonces }: PasswordsSection): Html {
  const revokeAll = { action: 'revoke-all-application-passwords', label: 'Revoke all application passwords' } as const
  return html`<h3 id="your-passwords">Your application passwords</h3>
    <div class="scroll" role="region" aria-labelledby="your-passwords" tabindex="0">
      <table aria-labelledby="your-passwords">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Created</th>
            <th scope="col">Last used</th>
            <th scope="col">Last address</th>
            <th scope="col">Revoke</th>
          </tr>
        </thead>
        <tbody>
          ${passwords.map((item) => row(item, visitor, nonces))}
        </tbody>
      </table>
    </div>
    <div class="actions">${passwords.length > 1 ? actionButton(revokeAll, visitor, nonces) : nothing}</div>`
}

function row(
  { uuid, name, created, last_used, last_ip }: ApplicationPassword,
  visitor: SignedInVisitor,
  nonces: PageNonces,
): Html {
  const revoke = {
    action: 'revoke-application-password',
    target: uuid,
    label: 'Revoke',
    description: `Revoke ${name}`,
  } as const
  return html`<tr>
    <th scope="row">${storedText(name)}</th>
    <td>${moment(created)}</td>
    <td>${last_used === null ? '—' : moment(last_used)}</td>
    <td>${last_ip === null || last_ip === '' ? '—' : last_ip}</td>
    <td>${actionButton(revoke, visitor, nonces)}</td>
  </tr>`
}
