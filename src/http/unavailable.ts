/** What cannot be done at the moment: answered with a 503, after which a client may try again. */
export abstract class Unavailable extends Error {
  /** @param retryAfter seconds. */
  constructor(
    message: string,
    readonly retryAfter: number,
  ) {
    super(message)
  }
}
