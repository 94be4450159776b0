/** A handler, callback or validator did something that is not allowed; the client learns nothing but a 500. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError'
}
