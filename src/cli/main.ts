#!/usr/bin/env node
import { terminalOutput } from './output.js'
import { runCommand } from './run-command.js'

// A reader that closes the pipe early, such as `head`, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const exitCode = await runCommand(process.argv.slice(2), terminalOutput())
// What an application's modules left open when they were loaded must not keep a command that is done.
process.stdout.write('', () => process.exit(exitCode))
