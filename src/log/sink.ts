import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** Maximum number of bytes that wait for a reader. */
const maxWaiting = 1_048_576

/** The stream that log lines are written to. */
export interface Sink {
  /**
   * Must not block or throw.
   * @param onFailure called when the line was not written, also later.
   * @returns false when the sink takes no line for now.
   */
  write(line: string, onFailure: (error: unknown) => void): boolean
}

/** The sink of standard output or standard error. */
export function standardSink(stream: Writable & { readonly fd?: number; readonly isTTY?: boolean }): Sink {
  const { fd } = stream
  // In a worker thread the stream has no descriptor.
  if (fd === undefined || stream.isTTY === true || isPipe(fd)) return new StreamSink(stream)
  return new FileSink(fd)
}

/** Whether the descriptor is a pipe or a socket. */
export function isPipe(fd: number): boolean {
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
