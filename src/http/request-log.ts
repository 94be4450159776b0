/**
 * The log for the code of an application: `log.info({ order: 5 }, 'sold')`, or `log.info('sold')`. An error may take the place
 * of the fields, and is the field `err` then: `log.info(error, 'the bank does not answer')`. Without a message, the line has that
 * of the error.
 */
export interface RequestLog {
  info(fields: object, message: string): void
  info(message: string | Error): void
  warn(fields: object, message: string): void
  warn(message: string | Error): void
  error(fields: object, message: string): void
  error(message: string | Error): void
}

/** The log of the service: see `Log`. */
type LogWriter = Record<keyof RequestLog, (fields: object, message: string) => void>

/** @param added fields of every line. They take precedence. */
export function requestLog(log: LogWriter, added: object): RequestLog {
  const writer =
    (level: keyof LogWriter) =>
    (fields: object | string, message?: string): void => {
      if (typeof fields === 'string') log[level]({ ...added }, fields)
      else if (fields instanceof Error) log[level]({ err: fields, ...added }, message ?? fields.message)
      else log[level]({ ...fields, ...added }, message ?? '')
    }
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
}
