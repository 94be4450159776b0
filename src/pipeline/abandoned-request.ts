import { UnavailableError } from '../http/unavailable.js'

/**
 * All clients of a request have left, its signal has aborted, and the handler has ended because of that. This is no failure of the
 * handler and is not logged. The response is a 503, which reaches only a client that has closed its sending side alone.
 */
export class AbandonedRequestError extends UnavailableError {
  override readonly name = 'AbandonedRequestError'

  /** @param cause the error of the handler. */
  constructor(cause: unknown) {
    super('The client has left before the response was complete.', 1)
    this.cause = cause
  }
}
