import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { logError } from './log-error.js'
import { plainLog } from './plain-log.js'

/** Maximum number of bytes that wait for a reader. */
const maxWaiting = 1_048_576

/** What lines are written to. */
export interface Sink {
  /**
   * Must not block or throw.
   * @param onFailure called when the line was not written, also later.
   * @returns false when the sink takes no line for now.
   */
  write(line: string, onFailure: (error: unknown) => void): boolean
}

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

/** The sink of standard output or standard error. */
export function standardSink(stream: Writable & { readonly fd?: number; readonly isTTY?: boolean }): Sink {
  const { fd } = stream
  // In a worker thread the stream has no descriptor.
  if (fd === undefined || stream.isTTY === true || isPipe(fd)) return new StreamSink(stream)
  return new FileSink(fd)
}

function isPipe(fd: number): boolean {
  const status = fstatSync(fd)
  return status.isFIFO() || status.isSocket()
}

/** A pipe. Node writes to it without blocking, and keeps in memory what it does not take. */
export class StreamSink implements Sink {
  readonly #stream: Writable

  constructor(stream: Writable) {
    this.#stream = stream
    // An error without a listener would end the process.
    stream.on('error', () => undefined)
  }

  write(line: string, onFailure: (error: unknown) => void): boolean {
    if (this.#stream.writableLength > maxWaiting) return false
    this.#stream.write(line, (error) => {
      if (error) onFailure(error)
    })
    return true
  }
}

/** A file. */
export class FileSink implements Sink {
  readonly #fd: number
  readonly #write: typeof writeSync
  /** Whether a part of a line was written: the disk became full. */
  #isTorn = false

  /** @param write replaces the writing in tests. */
  constructor(fd: number, write = writeSync) {
    this.#fd = fd
    this.#write = write
  }

  write(line: string, onFailure: (error: unknown) => void): boolean {
    const bytes = Buffer.from(this.#isTorn ? `\n${line}` : line)
    let written = 0
    try {
      while (written < bytes.length) written += this.#write(this.#fd, bytes, written)
      this.#isTorn = false
    } catch (error) {
      this.#isTorn ||= written > 0
      onFailure(error)
    }
    return true
  }
}
