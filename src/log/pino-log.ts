import { pino, type LoggerOptions } from 'pino'
import { boundedLine } from './bounded-line.js'
import { BoundedOutput } from './bounded-output.js'
import { isReadable } from './is-readable.js'
import { logFields } from './log-fields.js'
import { logError } from './log-error.js'
import type { Log } from './log.js'
import { loggable } from './loggable.js'
import { plainLog } from './plain-log.js'
import { readableLine } from './readable-lines.js'
import { standardSink } from './sink.js'

const loggableByPino = (fields: object): Record<string, unknown> => loggable(fields, pino.stdSerializers.err)

const optionsOfPino = (): LoggerOptions => ({
  base: logFields(),
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }), log: loggableByPino },
  // Errors are serialized before.
  serializers: { err: (value: unknown) => value },
})

export interface LogTarget {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/**
 * A log on standard output. Lines are JSON; on a terminal, unless `NODE_ENV` is `production`, they are short and
 * readable. Lines that cannot be written are dropped.
 * @param target replaces standard output in tests.
 */
export function pinoLog(target?: LogTarget): Log {
  const colors = !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
  const format = isReadable(target ?? process.stdout)
    ? (line: string) => readableLine(boundedLine(line), colors)
    : boundedLine
  if (target) return pino(optionsOfPino(), { write: (line: string) => void target.write(format(line)) })
  return pino(optionsOfPino(), standardOutput(format))
}

/** The output of the logs of all services of this process. Null before the first line. */
let output: BoundedOutput | null = null

function standardOutput(format: (line: string) => string): BoundedOutput {
  const onFirstFailure = (err: unknown) => logError(plainLog(), 'log-not-written', { err })
  return (output ??= new BoundedOutput(standardSink(process.stdout), format, onFirstFailure))
}
