import type { SignedInVisitor } from '../auth/authenticator.js'
import { html, nothing, type Html } from './html.js'
import type { PageNonces } from './page-nonces.js'
import { nonceActionOf, type ProfileAction } from './profile-actions.js'

export interface ActionForm {
  readonly action: ProfileAction
  /** The id of the session or application password that the action refers to. */
  readonly target?: string
  readonly label: string
  /** The accessible name of the button. A screen reader does not announce the row that the button is in. */
  readonly description?: string
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

/** A form that consists of one button. */
export function actionButton(form: ActionForm, visitor: SignedInVisitor, nonces: PageNonces): Html {
  const description = form.description ? html` aria-label="${form.description}"` : nothing
  return html`<form method="post">
    ${actionFields(form, visitor, nonces)}<button type="submit" class="danger" ${description}>${form.label}</button>
  </form>`
}
