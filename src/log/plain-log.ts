import { boundedLine } from './bounded-line.js'
import { logFields } from './log-fields.js'
import { nonThrowingLog, type Log } from './log.js'
import { loggable } from './loggable.js'
import { standardSink, type Sink } from './sink.js'

/**
 * Writes lines in pino's format to standard error. Used when pino cannot be loaded or cannot write. Never throws.
 * @param write replaces standard error in tests.
 */
export function plainLog(write: (text: string) => unknown = writeError): Log {
  const writer = (level: string) => (fields: object, message: string) =>
    void write(boundedLine(`${lineOf(level, fields, message)}\n`))
  return nonThrowingLog({ info: writer('info'), warn: writer('warn'), error: writer('error') })
}

/** Created by the first line. */
let standardError: Sink | null = null

/** A line that cannot be written is lost: there is no other place for it. */
function writeError(text: string): void {
  standardError ??= standardSink(process.stderr)
  standardError.write(text, () => undefined)
}

function lineOf(level: string, fields: object, msg: string): string {
  const time = new Date().toISOString()
  try {
    return JSON.stringify({ level, time, ...logFields(), ...loggable(fields, fieldsOfError), msg })
  } catch {
    // The fields have a bigint or a getter that throws. The message is written without them.
    return JSON.stringify({ level, time, ...logFields(), msg })
  }
}

/** What pino writes of an error, without its causes. */
const fieldsOfError = (error: Error): object => ({
  type: error.name,
  ...error,
  message: error.message,
  stack: error.stack,
})
