import type { Log } from '../../service/log.js'

type Line = (log: Log) => void

/**
 * The log of a service: pino, imported with the first line, since a service that starts and answers has nothing to tell
 * and pino is a fifteenth of its start. Lines keep their order.
 */
export class DeferredLog implements Log {
  #log: Log | null = null
  #loading: Promise<void> | null = null
  readonly #waiting: Line[] = []
  readonly #open: () => Promise<Log>

  /** @param open for tests. */
  constructor(open: () => Promise<Log> = async () => (await import('./pino-log.js')).pinoLog()) {
    this.#open = open
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

  async #load(): Promise<void> {
    const log = (this.#log = await this.#open())
    for (const line of this.#waiting.splice(0)) line(log)
  }
}
