import type { PasswordCheckRequest, RequestContext } from './request-context.js'

/** A record that a handler asks about: the record itself, or its id. */
export type RecordOrId = number | { readonly id: number; readonly isProtected?: boolean }

/** The checks of record passwords that the handler of one request makes. */
export class RecordPasswordChecks {
  readonly #request: PasswordCheckRequest
  readonly #context: Pick<RequestContext, 'recordPassword'>
  #last: Promise<unknown> = Promise.resolve()
  #dependsOnVisitor = false
  #headersAreSent = false

  constructor(request: PasswordCheckRequest, context: Pick<RequestContext, 'recordPassword'>) {
    this.#request = request
    this.#context = context
  }

  /** Whether the response may depend on the password that the visitor has entered, so that no cache may store it. */
  get dependsOnVisitor(): boolean {
    return this.#dependsOnVisitor
  }

  /** Called when the headers of a stream are sent. A later check of a record with a password throws. */
  markHeadersSent(): void {
    this.#headersAreSent = true
  }

  /**
   * Checks one record after the other: records with one password then need one hash, and a list does not take all places in
   * the queue of hashes.
   */
  requires(record: RecordOrId): Promise<boolean> {
    const id = typeof record === 'number' ? record : record?.id
    if (!Number.isSafeInteger(id))
      throw new TypeError('request.requiresPassword takes a record or its id: await request.requiresPassword(record).')
    if (typeof record !== 'number' && record.isProtected === false) return Promise.resolve(false)
    const required = this.#last.then(() => this.#check(id))
    this.#last = required.catch(() => undefined)
    return required
  }

  async #check(id: number): Promise<boolean> {
    const result = await this.#context.recordPassword(this.#request, id)
    if (result === 'none') return false
    if (this.#headersAreSent)
      throw new Error(
        'request.requiresPassword was called while the body was streamed. Call it before the handler returns the stream, ' +
          'so that the headers can say that no cache may store the response.',
      )
    this.#dependsOnVisitor = true
    return result === 'required'
  }
}
