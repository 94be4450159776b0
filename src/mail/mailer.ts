import type { ownContract } from '../base/complaint.js'

/** An email message of plain text. */
export interface MailMessage {
  /** One address: `mia@shop.example`. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Sends email. A handler class injects it: `constructor(private readonly mailer = inject(Mailer)) {}`. The default sends
 * by SMTP when the option `smtp_url` is set. Without it, messages are written to the log in the environments
 * `development` and `local`, and there is no mailer in the others. The option `provide: [[Mailer, YourMailer]]` replaces
 * it.
 */
export abstract class Mailer {
  declare static readonly [ownContract]: true
  /** Resolves when the message is accepted for delivery. Rejects when it is not. */
  abstract send(message: MailMessage): Promise<void>
}
