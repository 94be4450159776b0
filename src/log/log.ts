/** The log of the service: a subset of the interface of pino's logger, which is the default. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** A log that discards every line. */
export const silent: Log = { info() {}, warn() {}, error() {} }

/**
 * A log that does not throw: an error while a line is written must not stop the caller's work.
 * @param fallback receives the lines that `log` cannot write.
 */
export function nonThrowingLog(log: Log, fallback: Log = silent): Log {
  const writer = (level: keyof Log) => (fields: object, message: string) => {
    const fallBack = (): void => fallback[level](fields, message)
    try {
      const written = log[level](fields, message) as PromiseLike<unknown> | void
      // A function of an application may be async: its rejection must not end the process.
      if (typeof written?.then === 'function') written.then(undefined, fallBack)
    } catch {
      fallBack()
    }
  }
  return { info: writer('info'), warn: writer('warn'), error: writer('error') }
}
