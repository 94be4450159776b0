import { boundedLine } from './bounded-line.js'
import { forgiving, type Log } from './log.js'
import { censored, secretFields } from './secret-fields.js'

const secretNames: ReadonlySet<string> = new Set(secretFields)

/**
 * Writes lines in pino's format to standard error. Used when pino cannot be loaded or cannot write. Never throws.
 * @param write replaces standard error in tests.
 */
export function plainLog(write: (text: string) => unknown = writeError): Log {
  const writer = (level: string) => (fields: object, message: string) =>
    void write(boundedLine(`${lineOf(level, fields, message)}\n`))
  return forgiving({ info: writer('info'), warn: writer('warn'), error: writer('error') })
}

/** Maximum number of bytes that wait for the reader of standard error. */
const maxWaiting = 65_536

function writeError(text: string): void {
  const { stderr } = process
  // Without a listener, a reader that has gone would end the process.
  if (!stderr.listeners('error').includes(ignore)) stderr.on('error', ignore)
  if (stderr.writableLength <= maxWaiting) stderr.write(text)
}

const ignore = (): void => undefined

function lineOf(level: string, fields: object, msg: string): string {
  const time = new Date().toISOString()
  try {
    return JSON.stringify({ level, time, ...fields, msg }, loggableValue)
  } catch {
    // The fields have a circular reference or a getter that throws. The message is written without them.
    return JSON.stringify({ level, time, msg })
  }
}

/** A replacer for `JSON.stringify`: hides secrets and makes errors visible, which JSON prints as `{}`. */
function loggableValue(name: string, value: unknown): unknown {
  if (secretNames.has(name)) return censored
  if (value instanceof Error) return { type: value.name, ...value, message: value.message, stack: value.stack }
  return value
}
