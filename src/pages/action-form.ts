import type { SignedInVisitor } from '../auth/authenticator.js'
import { html, nothing, type Html } from './html.js'
import type { PageNonces } from './page-nonces.js'
import { nonceActionOf, type ProfileAction } from './profile-actions.js'

export interface ActionForm {
  readonly action: ProfileAction
  /** Which one of several. */
  readonly target?: string
  readonly label: string
  /** What the label leaves out for those who cannot see where the button stands. */
  readonly description?: string
}

/** The hidden fields of a form of the profile. */
export function actionFields(
  { action, target = '' }: Pick<ActionForm, 'action' | 'target'>,
  visitor: SignedInVisitor,
  nonces: PageNonces,
): Html {
  return html`<input type="hidden" name="action" value="${action}" />${
      target === '' ? nothing : html`<input type="hidden" name="target" value="${target}" />`
    }${nonces.field(visitor, nonceActionOf(action, target) ?? '')}`
}

/** A form that is one button. */
export function actionButton(form: ActionForm, visitor: SignedInVisitor, nonces: PageNonces): Html {
  const description = form.description ? html` aria-label="${form.description}"` : nothing
  return html`<form method="post">
    ${actionFields(form, visitor, nonces)}<button type="submit" class="danger" ${description}>${form.label}</button>
  </form>`
}
