import type { Log } from '../log/log.js'
import { Mailer, type MailMessage } from './mailer.js'

/**
 * Writes messages to the log instead of sending them, for development without the option `smtp_url`. A message may contain
 * a secret, such as the link of a password reset, which is then in the log.
 */
export class LogMailer extends Mailer {
  readonly #log: Log

  constructor(log: Log) {
    super()
    this.#log = log
  }

  async send({ to, subject, text }: MailMessage): Promise<void> {
    this.#log.info({ to, subject, text }, 'a message that is not sent, because smtp_url is not set')
  }
}
