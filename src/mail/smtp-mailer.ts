import { createRequire } from 'node:module'
import type { Transporter } from 'nodemailer'
import { Mailer, type MailMessage } from './mailer.js'

/** In milliseconds. A server that does not answer must not hold up messages for longer. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

/** Whether the optional package that speaks SMTP is installed. */
export function hasSmtpPackage(): boolean {
  try {
    createRequire(import.meta.url).resolve('nodemailer')
    return true
  } catch {
    return false
  }
}

/** Sends messages by SMTP. The package `nodemailer` is loaded with the first message. */
export class SmtpMailer extends Mailer {
  readonly #url: string
  readonly #from: () => string
  #transporter: Promise<Transporter> | null = null

  /**
   * @param url of the server: `smtp://user:password@mail.example:587`, `smtps://…` for TLS from the first byte.
   * @param from the sender, an address or a name with an address. It is read for each message.
   */
  constructor(url: string, from: () => string) {
    super()
    this.#url = url
    this.#from = from
  }

  async send({ to, subject, text }: MailMessage): Promise<void> {
    const transporter = await (this.#transporter ??= this.#open())
    // An object, because a text may name several recipients.
    await transporter.sendMail({ from: this.#from(), to: { name: '', address: to }, subject: oneLine(subject), text })
  }

  async #open(): Promise<Transporter> {
    try {
      const { createTransport } = await import('nodemailer')
      // Messages must not be able to name files or addresses that the package reads.
      return createTransport({ url: this.#url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
    } catch (error) {
      this.#transporter = null
      throw error
    }
  }
}

/** A line break in a header would begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}
