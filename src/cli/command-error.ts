import { commandErrors, type CommandErrorCode } from './command-errors.js'

/** Ends a command. Its message is printed with its code, without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** 1 for a failure, 2 for an invalid command line. */
  readonly exitCode: 1 | 2

  constructor(
    readonly code: CommandErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.exitCode = commandErrors['Command line'][code].exitCode
  }
}
