import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { inject, SiteOptions } from 'as-rest-route'

/** The payment provider. Its key is made at the first start and kept with the options of the site. */
export class Payments {
  #key = ''

  constructor(private readonly options = inject(SiteOptions)) {}

  async start() {
    const stored = await this.options.get('events_payment_key')
    this.#key = typeof stored === 'string' && stored !== '' ? stored : randomBytes(32).toString('hex')
    if (this.#key !== stored) await this.options.set('events_payment_key', this.#key)
  }

  async [Symbol.asyncDispose]() {
    this.#key = ''
  }

  signatureOf(body: Uint8Array): string {
    return createHmac('sha256', this.#key).update(body).digest('hex')
  }

  isSigned(body: Uint8Array, signature: string): boolean {
    const expected = Buffer.from(this.signatureOf(body))
    const sent = Buffer.from(signature)
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  }
}
