import type { Log } from '../log/log.js'
import { Mailer, type MailMessage } from './mailer.js'

/** Writes messages to the log, for development. They may contain links with secrets. */
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
