import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { inject, RecordStore, SiteOptions } from 'as-rest-route'

/** The payment provider. Its key is made at the first start and kept with the options of the site. */
export class Payments {
  #key = ''

  constructor(
    private readonly records = inject(RecordStore),
    private readonly options = inject(SiteOptions),
  ) {}

  /** In a transaction: of several processes that start at once, one makes the key, and the others read it. */
  async start() {
    this.#key = await this.records.transaction(async () => {
      const stored = await this.options.get('events_payment_key')
      if (stored !== '') return stored
      const key = randomBytes(32).toString('hex')
      await this.options.set('events_payment_key', key)
      return key
    })
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
