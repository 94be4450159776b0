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
  const terminal = stream.isTTY === true ? terminalSink(fd) : null
  if (terminal !== null) {
    // Code of the application may write to a terminal that is gone.
    stream.on('error', () => undefined)
    return terminal
  }
  return stream.isTTY === true || isPipe(fd) ? new StreamSink(stream) : new FileSink(fd)
}

/**
 * Opens a terminal for writing without blocking. Node's own stream for a terminal blocks the process until the terminal has taken all
 * bytes. A terminal takes none while its output is paused (Ctrl-S) or its program reads nothing. The new descriptor is separate from
 * that of the stream, so other programs on the terminal keep blocking writes.
 * @returns null where the system does not open it, such as for another user, and on other systems than Linux.
 */
function terminalSink(fd: number): Sink | null {
  if (process.platform !== 'linux') return null
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

/** Milliseconds until a terminal that takes nothing is tried again: the first, and the maximum. */
const firstPause = 5
const maxPause = 100

/** Milliseconds that the exit of the process waits for its terminals: while none of them takes bytes, and in total. */
const maxStall = 1_000
const maxFlush = 5_000

/** The terminals that lines are written to. */
const terminals: TerminalSink[] = []

/** When the exit of the process began to wait for the terminals, and when a terminal last took bytes. Null before the exit. */
let flush: { readonly begun: number; progressAt: number } | null = null

/** Writes the waiting lines in a loop, because no timer fires while the process exits. */
function flushTerminals(): void {
  const cell = new Int32Array(new SharedArrayBuffer(4))
  flush ??= { begun: performance.now(), progressAt: performance.now() }
  for (;;) {
    const size = waitingBytes()
    for (const terminal of terminals) terminal.offer()
    const left = waitingBytes()
    if (left === 0) return
    const now = performance.now()
    if (left < size) flush.progressAt = now
    if (now - flush.progressAt > maxStall || now - flush.begun > maxFlush) return
    Atomics.wait(cell, 0, 0, 1)
  }
}

const waitingBytes = (): number => terminals.reduce((sum, { size }) => sum + size, 0)

/** A terminal, by a descriptor that does not block. Lines that it does not take at once wait in memory. */
class TerminalSink implements Sink {
  readonly #fd: number
  /** Lines that the terminal has not taken yet. The first one may lack the bytes that were taken. */
  #waiting: Uint8Array[] = []
  #size = 0
  #pause = firstPause
  #timer: NodeJS.Timeout | null = null
  #onFailure: (error: unknown) => void = () => undefined

  constructor(fd: number) {
    this.#fd = fd
    if (terminals.length === 0) process.on('exit', flushTerminals)
    terminals.push(this)
  }

  /** The bytes that wait. */
  get size(): number {
    return this.#size
  }

  write(line: string, onFailure: (error: unknown) => void): boolean {
    if (this.#size > maxWaiting) return false
    const bytes = Buffer.from(line)
    this.#onFailure = onFailure
    this.#waiting.push(bytes)
    this.#size += bytes.length
    // This line comes from an `exit` listener that runs after `flushTerminals`.
    if (flush !== null) flushTerminals()
    else if (this.#timer === null) this.offer()
    return true
  }

  /** Writes as many waiting bytes as the terminal takes. */
  offer(): void {
    this.#timer = null
    try {
      for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
        const written = writeSync(this.#fd, first)
        this.#size -= written
        if (written < first.length) this.#waiting[0] = first.subarray(written)
        else this.#waiting.shift()
        this.#pause = firstPause
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        this.#timer = setTimeout(() => this.offer(), this.#pause).unref()
        this.#pause = Math.min(maxPause, 2 * this.#pause)
        return
      }
      this.#waiting = []
      this.#size = 0
      this.#onFailure(error)
    }
  }
}

/** A file, which is written synchronously. */
export class FileSink implements Sink {
  readonly #fd: number
  readonly #write: typeof writeSync
  /** Whether the file ends with a part of a line, because the disk became full. */
  #endsInPartOfLine = false

  /** @param write replaces the writing in tests. */
  constructor(fd: number, write = writeSync) {
    this.#fd = fd
    this.#write = write
  }

  write(line: string, onFailure: (error: unknown) => void): boolean {
    const bytes = Buffer.from(this.#endsInPartOfLine ? `\n${line}` : line)
    let written = 0
    try {
      while (written < bytes.length) written += this.#write(this.#fd, bytes, written)
      this.#endsInPartOfLine = false
    } catch (error) {
      this.#endsInPartOfLine ||= written > 0
      onFailure(error)
    }
    return true
  }
}
