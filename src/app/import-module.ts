import { writeSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { diagnosticText } from './startup-error.js'

/** Milliseconds until a module counts as one that never finishes loading. */
const defaultLimit = 60_000

/**
 * Imports a module of the application. If the process ends while the module is loaded, a line on standard error names the module, and
 * the exit code is 1 in place of 0. No line is written after a signal or an uncaught error, which is reported otherwise.
 * @param limit milliseconds. The module itself cannot be ended.
 * @throws what the module throws. @throws Error for a module that is not loaded in time.
 */
export async function importModule(file: string, limit = defaultLimit): Promise<Readonly<Record<string, unknown>>> {
  // Node 20 may call the listeners with 0 although it has already set another `process.exitCode`.
  const onExit = (code: number) => reportEnd(file, Number(process.exitCode ?? code))
  const onFailure = (): void => void process.off('exit', onExit)
  process.once('exit', onExit).once('uncaughtExceptionMonitor', onFailure)
  let timer: NodeJS.Timeout | undefined
  try {
    const tooLate = new Promise<never>((_, reject) => {
      const error = new Error(
        `it has not finished loading after ${limit / 1000} seconds. A top-level await that never ends keeps it.`,
      )
      timer = setTimeout(() => reject(error), limit)
      // The timer alone must not keep the process running. Its end is then reported by `onExit`.
      timer.unref()
    })
    return await Promise.race([import(pathToFileURL(file).href) as Promise<Record<string, unknown>>, tooLate])
  } finally {
    clearTimeout(timer)
    process.off('exit', onExit).off('uncaughtExceptionMonitor', onFailure)
  }
}

/** Exit code of Node for a process that ends although the promise of a top-level await is pending. */
const unsettledAwait = 13

/** The exit code of a process that a signal has ended is this plus the number of the signal. */
const signalBase = 128

function reportEnd(file: string, code: number): void {
  if (code > signalBase) return
  const reason =
    code === unsettledAwait
      ? 'a top-level await in it, or in a module that it imports, never ends.'
      : 'the process ended while it was being loaded. A module must not call process.exit.'
  const text = diagnosticText({
    code: 'module-failed',
    location: { file, line: 1 },
    subject: 'module',
    message: `it cannot be loaded: ${reason}`,
  })
  if (code === 0) process.exitCode = 1
  try {
    // An asynchronous write to a pipe would be lost.
    writeSync(process.stderr.fd, `${text}\n`)
  } catch {
    // Standard error is a closed pipe, or one that is full.
  }
}
