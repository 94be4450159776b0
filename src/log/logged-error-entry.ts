/** A line at `warn` or `error` in the log of a service. */
export interface LoggedErrorEntry {
  readonly level: 'warn' | 'error'
  readonly message: string
  readonly meaning: string
  readonly remedy: string
}
