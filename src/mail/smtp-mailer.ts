import { createRequire } from 'node:module'
import type { Transporter } from 'nodemailer'
import { Mailer, type MailMessage } from './mailer.js'

/** In milliseconds. They bound how long a message waits for an SMTP server that does not answer. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 10_000 }

/** Whether the optional package `nodemailer` is installed, which implements SMTP. */
export function hasSmtpPackage(): boolean {
  try {
    createRequire(import.meta.url).resolve('nodemailer')
    return true
  } catch {
    return false
  }
}

/** Sends email by SMTP. The package `nodemailer` is loaded when the first message is sent. */
export class SmtpMailer extends Mailer {
  readonly #url: string
  readonly #from: () => string
  #transporter: Promise<Transporter> | null = null

  /**
   * @param url URL of the SMTP server: `smtp://user:password@mail.example:587`, or `smtps://…` for TLS from the first
   * byte.
   * @param from returns the sender, an address or a name with an address. Called for each message.
   */
  constructor(url: string, from: () => string) {
    super()
    this.#url = url
    this.#from = from
  }

  async send({ to, subject, text }: MailMessage): Promise<void> {
    const transporter = await (this.#transporter ??= this.#open())
    // nodemailer takes an object as one recipient, and splits a string at commas into several.
    await transporter.sendMail({ from: this.#from(), to: { name: '', address: to }, subject: oneLine(subject), text })
  }

  async #open(): Promise<Transporter> {
    try {
      const { createTransport } = await import('nodemailer')
      // Without these options, nodemailer reads files and URLs that a message names as its content.
      return createTransport({ url: this.#url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
    } catch (error) {
      // The next message tries to load the package again.
      this.#transporter = null
      throw error
    }
  }
}

/** The text with line breaks replaced by spaces. A line break in the subject would begin another header. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ')
}
