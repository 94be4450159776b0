import { terminalOutput } from './output.js'
import { runCommand } from './run-command.js'

/** Runs a command, and ends the process with its exit code. */
export async function runAndExit(words: readonly string[]): Promise<void> {
  const isService = words[0] === 'serve'
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A service goes on without a reader of its output. For other commands a reader that closes the pipe early, such as
    // `head`, is not an error.
    if (!isService) process.exit(error.code === 'EPIPE' ? 0 : 1)
  })
  process.stderr.on('error', () => undefined)
  const exitCode = await runCommand(words, terminalOutput())
  const exit = () => process.exit(exitCode)
  // The end of a service does not wait for a reader of its output that has stopped reading.
  if (isService) setTimeout(exit, 1_000)
  // A timer or socket that a module of the application opened must not keep the process running.
  process.stdout.write('', exit)
}
