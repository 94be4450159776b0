/** A temporary failure. The response has the status 503 and a `Retry-After` header. */
export abstract class UnavailableError extends Error {
  /** @param retryAfter seconds until the client may try again. */
  constructor(
    message: string,
    readonly retryAfter: number,
  ) {
    super(message)
  }
}
