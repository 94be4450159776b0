/** Ends a command with a readable line instead of a trace. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  /** @param exitCode 1 for a failure, 2 for a wrong use of the command. */
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message)
  }
}
