/** A handler, callback or validator broke a rule. The client gets a 500 without details. */
export class HandlerError extends Error {
  override readonly name = 'HandlerError'
}
