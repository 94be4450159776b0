import { setTimeout as pause } from 'node:timers/promises'
import type { Readable, Writable } from 'node:stream'

/** Maximum number of bytes of a line that are held until its end. A line of the log has at most 32,768 characters. */
const maxLine = 262_144

/** Milliseconds in which a reader may take the last lines. */
const maxFlush = 1_000

const lineBreak = 0x0a

/**
 * One output of several processes. Each writes to a pipe of its own, and whole lines are passed on: two processes that
 * write more than 4 KiB to one pipe would tear each other's lines. While the reader is slow, the processes are not read,
 * so that they drop lines of the log as they do with a slow reader of their own.
 */
export class MergedOutput {
  readonly #target: Writable
  readonly #sources = new Set<Readable>()
  #isBroken = false

  constructor(target: Writable) {
    this.#target = target
    // The service goes on without a reader of its output.
    target.on('error', () => {
      this.#isBroken = true
      this.#resume()
    })
    target.on('drain', () => this.#resume())
  }

  /** Passes on the lines of a process until it has ended. */
  add(source: Readable): void {
    let held: Buffer[] = []
    let heldBytes = 0
    this.#sources.add(source)
    source.on('data', (chunk: Buffer) => {
      const end = chunk.lastIndexOf(lineBreak) + 1
      const passed = end === 0 && heldBytes + chunk.length > maxLine ? chunk.length : end
      if (passed > 0) {
        this.#write(Buffer.concat([...held, chunk.subarray(0, passed)]))
        held = []
        heldBytes = 0
      }
      if (passed < chunk.length) held.push(chunk.subarray(passed))
      heldBytes += chunk.length - passed
    })
    source.once('close', () => {
      this.#sources.delete(source)
      if (heldBytes > 0) this.#write(Buffer.concat([...held, Buffer.of(lineBreak)]))
    })
    source.on('error', () => undefined)
  }

  /** Resolves when everything is written: after a second at the latest. */
  async flushed(): Promise<void> {
    const signal = AbortSignal.timeout(maxFlush)
    while (!signal.aborted && !this.#isBroken && (this.#sources.size > 0 || this.#target.writableLength > 0))
      await pause(5)
  }

  #write(lines: Buffer): void {
    if (this.#isBroken || this.#target.write(lines)) return
    for (const source of this.#sources) source.pause()
  }

  #resume(): void {
    for (const source of this.#sources) source.resume()
  }
}
