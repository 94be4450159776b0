/** Ends a command. Its message is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** @param exitCode 1 for a failure, 2 for an invalid command line. */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
