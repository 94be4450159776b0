import { logError } from './log-error.js'
import { nonThrowingLog, type Log } from './log.js'
import { plainLog } from './plain-log.js'

type Line = (log: Log) => void

/** Maximum number of lines that wait until pino is imported. */
const maxPending = 1_000

/**
 * The log of a service. pino is imported when the first line is logged: most starts log nothing, and the import takes about
 * 7 % of the time of a start. Lines keep their order. When pino cannot be imported or cannot write a line, the line goes to
 * the plain log. Never throws.
 */
export class DeferredLog implements Log {
  #log: Log | null = null
  #loading: Promise<void> | null = null
  #hasFailed = false
  #dropped = 0
  readonly #pendingLines: Line[] = []
  readonly #open: () => Promise<Log>
  readonly #plain: Log

  /**
   * @param open replaces the import of pino in tests.
   * @param plain replaces standard error in tests.
   */
  constructor(open: () => Promise<Log> = async () => (await import('./pino-log.js')).pinoLog(), plain = plainLog()) {
    this.#open = open
    this.#plain = plain
  }

  info(fields: object, message: string): void {
    this.#write((log) => log.info(fields, message))
  }

  warn(fields: object, message: string): void {
    this.#write((log) => log.warn(fields, message))
  }

  error(fields: object, message: string): void {
    this.#write((log) => log.error(fields, message))
  }

  /** Resolves when the lines logged so far are written. */
  async flushed(): Promise<void> {
    await this.#loading
  }

  #write(line: Line): void {
    if (this.#log) return line(this.#log)
    if (this.#pendingLines.length < maxPending) this.#pendingLines.push(line)
    else this.#dropped += 1
    this.#loading ??= this.#writePending()
  }

  /** Never rejects. */
  async #writePending(): Promise<void> {
    const log = (this.#log = await this.#openLog())
    for (const line of this.#pendingLines.splice(0)) line(log ?? this.#plain)
    if (this.#dropped > 0) logError(log ?? this.#plain, 'log-lines-dropped', { lines: this.#dropped })
    this.#dropped = 0
    // The next line tries to open the log again.
    if (log === null) this.#loading = null
  }

  /** @returns null when the log cannot be opened. */
  async #openLog(): Promise<Log | null> {
    try {
      // pino throws for an error that is frozen or has a getter that throws.
      return nonThrowingLog(await this.#open(), this.#plain)
    } catch (err) {
      // One cause is the limit of open files (EMFILE). Node may cache a failed import until the process ends.
      if (!this.#hasFailed) logError(this.#plain, 'log-not-opened', { err })
      this.#hasFailed = true
      return null
    }
  }
}
