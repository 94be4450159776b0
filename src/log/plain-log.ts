import { writeSync } from 'node:fs'
import { forgiving, type Log } from './log.js'
import { censored, secretFields } from './secret-fields.js'

const secret: ReadonlySet<string> = new Set(secretFields)

/**
 * Lines as pino writes them, on standard error: for when pino cannot be loaded or cannot write. Never throws.
 * @param write for tests.
 */
export function plainLog(write: (text: string) => unknown = (text) => writeSync(2, text)): Log {
  const writer = (level: string) => (fields: object, message: string) =>
    void write(`${lineOf(level, fields, message)}\n`)
  return forgiving({ info: writer('info'), warn: writer('warn'), error: writer('error') })
}

function lineOf(level: string, fields: object, msg: string): string {
  const time = new Date().toISOString()
  try {
    return JSON.stringify({ level, time, ...fields, msg }, writable)
  } catch {
    // What turns in a circle, or throws when it is read, is worth less than the message.
    return JSON.stringify({ level, time, msg })
  }
}

function writable(name: string, value: unknown): unknown {
  if (secret.has(name)) return censored
  if (value instanceof Error) return { type: value.name, ...value, message: value.message, stack: value.stack }
  return value
}
