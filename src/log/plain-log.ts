import { boundedLine } from './bounded-line.js'
import { logFields } from './log-fields.js'
import { forgiving, type Log } from './log.js'
import { censored, isSecretField } from './secret-fields.js'
import { StreamSink } from './sink.js'

/**
 * Writes lines in pino's format to standard error. Used when pino cannot be loaded or cannot write. Never throws.
 * @param write replaces standard error in tests.
 */
export function plainLog(write: (text: string) => unknown = writeError): Log {
  const writer = (level: string) => (fields: object, message: string) =>
    void write(boundedLine(`${lineOf(level, fields, message)}\n`))
  return forgiving({ info: writer('info'), warn: writer('warn'), error: writer('error') })
}

/** Created by the first line. */
let standardError: StreamSink | null = null

/** A line that cannot be written is lost: there is no other place for it. */
function writeError(text: string): void {
  standardError ??= new StreamSink(process.stderr)
  standardError.write(text, () => undefined)
}

function lineOf(level: string, fields: object, msg: string): string {
  const time = new Date().toISOString()
  try {
    return JSON.stringify({ level, time, ...logFields(), ...fields, msg }, loggableValue)
  } catch {
    // The fields have a circular reference or a getter that throws. The message is written without them.
    return JSON.stringify({ level, time, ...logFields(), msg })
  }
}

/** A replacer for `JSON.stringify`: hides secrets and makes errors visible, which JSON prints as `{}`. */
function loggableValue(name: string, value: unknown): unknown {
  if (isSecretField(name)) return censored
  if (value instanceof Error) return { type: value.name, ...value, message: value.message, stack: value.stack }
  return value
}
