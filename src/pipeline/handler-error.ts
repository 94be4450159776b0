/**
 * Thrown when code of the application breaks the contract of the pipeline: a body that has no JSON form, a response that is not
 * as declared, a second call of `next()`. The log has the message; the client gets a 500 without details.
 */
export class HandlerError extends Error {
  override readonly name = 'HandlerError'
}
