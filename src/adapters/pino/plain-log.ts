import { writeSync } from 'node:fs'
import type { Log } from '../../service/log.js'
import { censored, secretFields } from './secret-fields.js'

const secret: ReadonlySet<string> = new Set(secretFields)

/**
 * Lines as pino writes them, on standard error: for when pino cannot be loaded. Never throws.
 * @param write for tests.
 */
export function plainLog(write: (text: string) => unknown = (text) => writeSync(2, text)): Log {
  const writer = (level: string) => (fields: object, message: string) => {
    try {
      write(`${lineOf(level, fields, message)}\n`)
    } catch {
      // Nothing is left to tell it to.
    }
  }
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
}

function lineOf(level: string, fields: object, msg: string): string {
  const time = new Date().toISOString()
  try {
    return JSON.stringify({ level, time, ...fields, msg }, writable)
  } catch {
    // What turns in a circle is worth less than the message.
    return JSON.stringify({ level, time, msg })
  }
}

function writable(name: string, value: unknown): unknown {
  if (secret.has(name)) return censored
  if (value instanceof Error) return { type: value.name, ...value, message: value.message, stack: value.stack }
  return value
}
