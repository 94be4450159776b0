import { logError } from './log-error.js'
import { plainLog } from './plain-log.js'
import type { Sink } from './sink.js'

/**
 * Writes lines to a file, a pipe or a terminal that may be full, slow or closed. Lines that cannot be written are dropped and
 * counted, and the next line that can be written is preceded by a line with their number.
 */
export class BoundedOutput {
  #dropped = 0
  #hasFailed = false
  readonly #sink: Sink
  readonly #format: (line: string) => string
  readonly #onFirstFailure: (error: unknown) => void

  /**
   * @param format of a line of JSON as it is written.
   * @param onFirstFailure called once, for an error other than a slow reader.
   */
  constructor(sink: Sink, format: (line: string) => string, onFirstFailure: (error: unknown) => void = () => {}) {
    this.#sink = sink
    this.#format = format
    this.#onFirstFailure = onFirstFailure
  }

  /** Never throws. @param line of JSON, with its line break. */
  write(line: string): void {
    if (this.#dropped > 0 && !this.#report()) this.#dropped += 1
    else if (!this.#sink.write(this.#format(line), this.#failed)) this.#dropped += 1
  }

  /** @returns whether the line with the number of dropped lines was taken. */
  #report(): boolean {
    const lines = this.#dropped
    let isTaken = false
    this.#dropped = 0
    const write = (text: string) => {
      isTaken = this.#sink.write(this.#format(text), () => (this.#dropped += lines))
    }
    logError(plainLog(write), 'log-lines-dropped', { lines })
    if (!isTaken) this.#dropped += lines
    // A file that is full fails at once.
    return isTaken && this.#dropped === 0
  }

  readonly #failed = (error: unknown): void => {
    this.#dropped += 1
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#onFirstFailure(error)
  }
}
