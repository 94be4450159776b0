import type { SignedInVisitor } from '../auth/authenticator.js'
import { html, nothing, type Html } from './html.js'
import type { PageNonces } from './page-nonces.js'
import { nonceActionOf, type ProfileAction } from './profile-actions.js'

export interface ActionForm {
  readonly action: ProfileAction
  /** The id of the session or application password that the action refers to. */
  readonly target?: string
  readonly label: string
  /** The accessible name of the buttons. A screen reader does not announce the item that they are in. */
  readonly description?: string
  /** A description of the action, for the confirmation. */
  readonly consequence: string
}

/** The hidden fields of a form on the profile page: the action, its target and a nonce for both. */
export function actionFields(
  { action, target = '' }: Pick<ActionForm, 'action' | 'target'>,
  visitor: SignedInVisitor,
  nonces: PageNonces,
): Html {
  return html`<input type="hidden" name="action" value="${action}" />${
      target === '' ? nothing : html`<input type="hidden" name="target" value="${target}" />`
    }${nonces.field(visitor, nonceActionOf(action, target) ?? '')}`
}

/** A button that opens the confirmation of an action, which is a form. It works without scripts. */
export function confirmedAction(form: ActionForm, visitor: SignedInVisitor, nonces: PageNonces): Html {
  const { label, description, consequence } = form
  const name = description ? html` aria-label="${description}"` : nothing
  return html`<details class="confirm">
    <summary class="button danger" ${name}>${label}</summary>
    <form method="post">
      <p>${consequence}</p>
      ${actionFields(form, visitor, nonces)}<button type="submit" class="danger solid" ${name}>${label}</button>
    </form>
  </details>`
}
