#!/usr/bin/env node
import { terminalOutput } from './output.js'
import { runCommand } from './run-command.js'

// A reader that closes the pipe early, such as `head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const exitCode = await runCommand(process.argv.slice(2), terminalOutput())
// A timer or socket that a module of the application opened must not keep the process running.
process.stdout.write('', () => process.exit(exitCode))
