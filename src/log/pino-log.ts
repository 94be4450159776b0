import { pino, type DestinationStream, type LoggerOptions } from 'pino'
import type { Log } from './log.js'
import { readableLine } from './readable-lines.js'
import { censored, secretFields } from './secret-fields.js'

/** pino's redaction paths: the top level of the fields and the two levels below, as in `req.headers.cookie`. */
const redactedPaths = secretFields.flatMap((name) => ['', '*', '*.*'].map((parent) => `${parent}["${name}"]`))

const options: LoggerOptions = {
  redact: { paths: redactedPaths, censor: censored },
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
}

export interface LogTarget {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * A log on standard output. Lines are JSON; on a terminal, unless `NODE_ENV` is `production`, they are short and
 * readable.
 * @param target replaces standard output in tests.
 */
export function pinoLog(target?: LogTarget): Log {
  const stream = target ?? process.stdout
  if (stream.isTTY === true && process.env['NODE_ENV'] !== 'production') {
    const colors = !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
    return pino(options, { write: (line: string) => void stream.write(readableLine(line, colors)) })
  }
  return target ? pino(options, target as DestinationStream) : pino(options)
}
