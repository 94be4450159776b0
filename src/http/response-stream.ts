import { isNodeStream } from '../base/node-stream.js'
import { isThenable } from '../base/thenable.js'
import type { OutgoingStream } from './exchange.js'
import { bytesIn, type StreamSource } from './raw-body.js'

export interface ResponseStreamOptions {
  /** In bytes; null when it is not known. A source of another size is a fault. */
  readonly size: number | null
  /** Milliseconds that the source may take for a chunk. */
  readonly idle: number
  /** Called for an error of the source: at most once while it is read, and once when it is cancelled. */
  readonly onFault: (error: unknown) => void
}

/** How a source is read. */
interface ChunkReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>
  /** Ends the source early, also while a read is pending. */
  cancel(reason: Error): unknown
}

/** The body of a response, read chunk by chunk from a stream or an async iterable. Nothing is read before `next` is called. */
export class ResponseStream implements OutgoingStream {
  readonly size: number | null
  readonly #options: ResponseStreamOptions
  readonly #source: StreamSource
  readonly #atEnd: (() => void)[] = []
  #reader: ChunkReader | null = null
  #timer: NodeJS.Timeout | undefined
  #sent = 0
  #isEnded = false
  #cancelled: Error | null = null
  /** Settles the pending call of `next`; null without one. */
  #pending: { resolve(chunk: Uint8Array | null): void; reject(error: unknown): void } | null = null

  /** @throws TypeError for a stream that somebody else has read, or reads. */
  constructor(source: StreamSource, options: ResponseStreamOptions) {
    if (source instanceof ReadableStream && source.locked)
      throw new TypeError('the body is a stream that other code reads or has read. Return it without reading it.')
    this.#source = source
    this.#options = options
    this.size = options.size
  }

  next(): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      if (this.#isEnded) {
        if (this.#cancelled === null) resolve(null)
        else reject(this.#cancelled)
        return
      }
      this.#pending = { resolve, reject }
      // One timer for the whole stream. To move it costs less than to create another one.
      if (this.#timer === undefined) this.#timer = setTimeout(() => this.#expired(), this.#options.idle)
      else this.#timer.refresh()
      this.#read()
    })
  }

  cancel(): void {
    if (this.#isEnded) return
    const pending = this.#pending
    this.#cancelled = new Error('The client of the response has left.')
    this.#end()
    this.#cancelSource(this.#cancelled)
    pending?.reject(this.#cancelled)
  }

  whenEnded(callback: () => void): void {
    if (this.#isEnded) callback()
    else this.#atEnd.push(callback)
  }

  #read(): void {
    try {
      this.#reader ??= readerOf(this.#source)
      this.#reader.read().then(
        ({ done, value }) => this.#received(done === true, value),
        (error: unknown) => this.#failed(error),
      )
    } catch (error) {
      this.#failed(error)
    }
  }

  #received(isDone: boolean, value: unknown): void {
    const pending = this.#pending
    if (pending === null) return
    if (isDone) {
      if (this.size !== null && this.#sent !== this.size) this.#failed(this.#wrongSize())
      else {
        this.#end()
        pending.resolve(null)
      }
      return
    }
    const chunk = typeof value === 'string' ? Buffer.from(value) : bytesIn(value)
    if (chunk === null) {
      this.#abandon(new TypeError(`the stream gave ${nameOf(value)} as a chunk. Chunks are bytes or text.`))
      return
    }
    // An empty chunk would end a chunked body.
    if (chunk.length === 0) {
      this.#read()
      return
    }
    this.#sent += chunk.length
    if (this.size !== null && this.#sent > this.size) {
      this.#abandon(this.#wrongSize())
      return
    }
    this.#pending = null
    pending.resolve(chunk)
  }

  #wrongSize(): Error {
    return new Error(`the stream gave ${this.#sent} bytes or more, but ${this.size} were announced.`)
  }

  #expired(): void {
    // Without a pending read, the client is slow and not the source.
    if (this.#pending !== null)
      this.#abandon(new Error(`the stream gave nothing for ${this.#options.idle / 1000} seconds.`))
  }

  /** Ends a source that can still be read. */
  #abandon(error: Error): void {
    this.#failed(error)
    this.#cancelSource(error)
  }

  #failed(error: unknown): void {
    const pending = this.#pending
    if (pending === null) return
    this.#end()
    this.#options.onFault(error)
    pending.reject(error)
  }

  #end(): void {
    this.#isEnded = true
    this.#pending = null
    clearTimeout(this.#timer)
    for (const callback of this.#atEnd.splice(0)) callback()
  }

  #cancelSource(reason: Error): void {
    const reader = this.#reader
    const onFault = (error: unknown): void => {
      if (error !== reason) this.#options.onFault(error)
    }
    try {
      // A source that was never read is ended as well: it may hold an open file.
      const ended = reader === null ? cancelUnread(this.#source, reason) : reader.cancel(reason)
      if (isThenable(ended)) Promise.resolve(ended).catch(onFault)
    } catch (error) {
      onFault(error)
    }
  }
}

function readerOf(source: StreamSource): ChunkReader {
  if (source instanceof ReadableStream) {
    const reader = source.getReader()
    return { read: () => reader.read(), cancel: (reason) => reader.cancel(reason) }
  }
  const iterator = source[Symbol.asyncIterator]()
  return {
    read: () => Promise.resolve(iterator.next()),
    // A generator that awaits something handles `return` only afterwards. `destroy` of a stream of Node works immediately.
    cancel: () => (isNodeStream(source) ? source.destroy() : iterator.return?.()),
  }
}

function cancelUnread(source: StreamSource, reason: Error): unknown {
  if (source instanceof ReadableStream) return source.cancel(reason)
  if (isNodeStream(source)) return source.destroy()
  return 'return' in source && typeof source.return === 'function' ? (source.return() as unknown) : undefined
}

function nameOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : `a ${typeof value}`
  return `an object (${value.constructor?.name ?? 'without a class'})`
}
