import { unixTime } from '../auth/unix-time.js'
import type { SignedInVisitor } from '../auth/authenticator.js'
import { createNonce, verifyNonce } from '../auth/nonce.js'
import type { Secrets } from '../auth/secrets.js'
import { html, type Html } from './html.js'

/** Nonces of forms and links. A nonce is valid for one user, one login session and one action. */
export class PageNonces {
  /** @param clock milliseconds since 1970. */
  constructor(
    readonly secrets: Secrets,
    readonly clock: () => number,
  ) {}

  create(visitor: SignedInVisitor, action: string): string {
    return createNonce(this.secrets, purposeOf(visitor, action), this.#now())
  }

  isValid(visitor: SignedInVisitor, action: string, nonce: string): boolean {
    return verifyNonce(this.secrets, nonce, purposeOf(visitor, action), this.#now()) !== false
  }

  /** The hidden field of a form. */
  field(visitor: SignedInVisitor, action: string): Html {
    return html`<input type="hidden" name="_wpnonce" value="${this.create(visitor, action)}" />`
  }

  #now(): number {
    return unixTime(this.clock)
  }
}

function purposeOf({ account, sessionToken }: SignedInVisitor, action: string) {
  return { action, userId: account.user.ID, sessionToken }
}
