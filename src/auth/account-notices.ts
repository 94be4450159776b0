import type { Mailer } from '../mail/mailer.js'
import type { BackgroundWork } from './background-work.js'
import { changedMessage, emailChangedMessage, type MailedSite, type NamedUser } from './password-messages.js'

/**
 * Tells users by email of changes of their accounts. The messages are sent after the request was answered; one that cannot
 * be sent is logged.
 */
export class AccountNotices {
  readonly #mailer: Mailer | null
  readonly #background: BackgroundWork
  readonly #site: MailedSite

  /** @param mailer null when no mail can be sent. */
  constructor(mailer: Mailer | null, background: BackgroundWork, site: MailedSite) {
    this.#mailer = mailer
    this.#background = background
    this.#site = site
  }

  /** @param user as before the change. */
  passwordChanged(user: NamedUser): void {
    const mailer = this.#mailer
    if (mailer !== null && user.user_email !== '')
      this.#background.start(() => mailer.send(changedMessage(user, this.#site)))
  }

  /** @param user as before the change: the message goes to the old address. @param email the new address. */
  emailChanged(user: NamedUser, email: string): void {
    const mailer = this.#mailer
    if (mailer !== null && user.user_email !== '')
      this.#background.start(() => mailer.send(emailChangedMessage(user, email, this.#site)))
  }
}
