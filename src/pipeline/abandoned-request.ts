import { UnavailableError } from '../http/unavailable.js'

/**
 * The handler has ended by the signal of its request, because nobody waits for the response any more. That is no failure and not
 * logged. A client that has closed only its sending side gets the 503.
 */
export class AbandonedRequestError extends UnavailableError {
  override readonly name = 'AbandonedRequestError'

  /** @param cause the error of the handler. */
  constructor(cause: unknown) {
    super('The client has left before the response was complete.', 1)
    this.cause = cause
  }
}
