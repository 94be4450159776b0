/** Where the service writes what happened: a subset of pino's logger, which is the default. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** For those who want no log. */
export const silent: Log = { info() {}, warn() {}, error() {} }

/**
 * The same log for work that must go on when a line cannot be written.
 * @param instead where such a line goes.
 */
export function forgiving(log: Log, instead: Log = silent): Log {
  const line = (level: keyof Log) => (fields: object, message: string) => {
    try {
      log[level](fields, message)
    } catch {
      instead[level](fields, message)
    }
  }
  return { info: line('info'), warn: line('warn'), error: line('error') }
}
