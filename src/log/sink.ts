import { constants, fstatSync, openSync, writeSync } from 'node:fs'
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
  if (fd === undefined) return new StreamSink(stream)
  if (stream.isTTY === true) return terminalSink(fd) ?? new StreamSink(stream)
  return isPipe(fd) ? new StreamSink(stream) : new FileSink(fd)
}

/**
 * Node writes to a terminal until it has taken everything: one that was stopped (Ctrl-S), or that nobody reads, would stop the process.
 * Opened once more, without blocking, it is another descriptor: other programs of the terminal keep theirs.
 * @returns null where the system does not open it, such as for another user.
 */
function terminalSink(fd: number): Sink | null {
  const { O_WRONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants
  try {
    return new TerminalSink(openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY))
  } catch {
    return null
  }
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

/** Milliseconds until the rest of a line is offered to a terminal again. */
const terminalInterval = 100

/** A terminal, by a descriptor that does not block. It takes the next line when it has taken the whole of the last one. */
class TerminalSink implements Sink {
  readonly #fd: number
  /** Of the last line. */
  #rest: Uint8Array = new Uint8Array(0)

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string, onFailure: (error: unknown) => void): boolean {
    if (this.#rest.length > 0) return false
    this.#rest = Buffer.from(line)
    this.#offer(onFailure)
    return true
  }

  #offer(onFailure: (error: unknown) => void): void {
    try {
      while (this.#rest.length > 0) this.#rest = this.#rest.subarray(writeSync(this.#fd, this.#rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN')
        setTimeout(() => this.#offer(onFailure), terminalInterval).unref()
      else {
        this.#rest = new Uint8Array(0)
        onFailure(error)
      }
    }
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
