/** Where the service writes what happened: a subset of pino's logger, which is the default. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** For those who want no log. */
export const silent: Log = { info() {}, warn() {}, error() {} }
