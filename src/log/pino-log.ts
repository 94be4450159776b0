import { pino, type DestinationStream, type LoggerOptions } from 'pino'
import type { Log } from './log.js'
import { readableLine } from './readable-lines.js'
import { censored, secretFields } from './secret-fields.js'

/** In the fields themselves, and one and two levels below: `req.headers.cookie`. */
const paths = secretFields.flatMap((name) => ['', '*', '*.*'].map((above) => `${above}["${name}"]`))

const options: LoggerOptions = {
  redact: { paths, censor: censored },
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
}

export interface LogTarget {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * Lines on standard output: JSON, or short readable ones in a terminal outside production (`NODE_ENV`).
 * @param target for tests.
 */
export function pinoLog(target?: LogTarget): Log {
  const stream = target ?? process.stdout
  if (stream.isTTY === true && process.env['NODE_ENV'] !== 'production') {
    const colors = !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
    return pino(options, { write: (line: string) => void stream.write(readableLine(line, colors)) })
  }
  return target ? pino(options, target as DestinationStream) : pino(options)
}
