import { forgiving, type Log } from './log.js'
import { plainLog } from './plain-log.js'

type Line = (log: Log) => void

/**
 * The log of a service: pino, imported with the first line, since a service that starts and answers has nothing to tell
 * and pino is a fifteenth of its start. Lines keep their order. Those that come while pino cannot be imported, and those
 * that it cannot write, are written without it. Never throws.
 */
export class DeferredLog implements Log {
  #log: Log | null = null
  #loading: Promise<void> | null = null
  #hasFailed = false
  readonly #waiting: Line[] = []
  readonly #open: () => Promise<Log>

  readonly #plain: Log

  /** Both for tests. */
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

  /** Resolves when what was told so far is written. */
  async flushed(): Promise<void> {
    await this.#loading
  }

  #write(line: Line): void {
    if (this.#log) return line(this.#log)
    this.#waiting.push(line)
    this.#loading ??= this.#load()
  }

  /** Never rejects. */
  async #load(): Promise<void> {
    const log = (this.#log = await this.#opened())
    for (const line of this.#waiting.splice(0)) line(log ?? this.#plain)
    // The next line tries again.
    if (log === null) this.#loading = null
  }

  async #opened(): Promise<Log | null> {
    try {
      // It throws at errors that it may not mark or read.
      return forgiving(await this.#open(), this.#plain)
    } catch (err) {
      // Such as a process that may not open another file. Node may remember that for as long as it runs.
      if (!this.#hasFailed) this.#plain.warn({ err }, 'the log could not be opened, lines are written here')
      this.#hasFailed = true
      return null
    }
  }
}
