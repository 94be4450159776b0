/** Ends a command with a readable line instead of a trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** @param exitCode 1 for a failure, 2 for a wrong use of the command. */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
