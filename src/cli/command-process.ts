import { terminalOutput } from './output.js'
import { runCommand } from './run-command.js'

/** Runs a command, and ends the process with its exit code. */
export async function runAndExit(words: readonly string[]): Promise<void> {
  const isService = words[0] === 'serve'
  const isExport = words[0] === 'db' && words[1] === 'export'
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A service goes on without a reader of its output. For most commands a reader that closes the pipe early, such as
    // `head`, is not an error; a part of an export is useless.
    if (isService) return
    const isClosed = error.code === 'EPIPE'
    if (isClosed && !isExport) process.exit(0)
    process.stderr.write(
      isClosed
        ? 'The output was closed before the export was complete. [export-not-written]\n'
        : `The output cannot be written: ${error.message}.\n`,
    )
    process.exit(1)
  })
  process.stderr.on('error', () => undefined)
  const exitCode = await runCommand(words, terminalOutput())
  const exit = () => process.exit(exitCode)
  // The end of a service does not wait for a reader of its output that has stopped reading.
  if (isService) setTimeout(exit, 1_000)
  // A timer or socket that a module of the application opened must not keep the process running.
  process.stdout.write('', exit)
}
