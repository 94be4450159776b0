import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ArrivingBody, BodyTime } from './arriving-body.js'
import type { IdleTimeouts, TimedConnection } from './idle-timeouts.js'

/** Timeouts and functions that all connections of a server share. Times are in milliseconds. */
export interface ConnectionLimits {
  readonly deadlines: IdleTimeouts
  /** Maximum time between two requests. */
  readonly idle: number
  /** Maximum time in which the client reads nothing of a response. */
  readonly stalled: number
  /** Maximum time in which the client sends nothing after the last response, until the socket is destroyed. */
  readonly linger: number
  /** Called when the first request has not arrived in time. */
  readonly onTimeout: (socket: Socket) => void
  readonly body: BodyTime
}

/** Maximum number of bytes that are parsed at once. */
const maxParsedAtOnce = 8192

/**
 * The state of one connection, and the limits of its client. Only a head that makes progress, or bytes of a response that
 * the client takes, extend a limit.
 */
export class Connection implements TimedConnection {
  deadline = Number.POSITIVE_INFINITY
  /** The number of requests whose responses are not completely sent. Clients may send several at once. */
  pending = 0
  /**
   * The number of bytes received when the last response was sent. More bytes mean that a request is arriving. Null on the
   * fast path, which sees requests only when they are complete.
   */
  bytesReadWhenIdle: number | null = null
  /** The response to the request whose body is being received. */
  receiving: ServerResponse | null = null
  /** The deadline of that body. */
  arriving: ArrivingBody | null = null
  /** Whether its latest request began after the server had started to drain. */
  beganWhileDraining = false
  /** Whether a response has announced the end of the connection. */
  isEnding = false
  /** Whether the client has exceeded the number of pipelined requests. Further bytes are not parsed. */
  isFlooded = false
  readonly #limits: ConnectionLimits
  #hasBegun = false
  #isClosed = false
  /** Written after the last response, before the connection ends. */
  #finalResponse: string | null = null
  /** Bytes that the client had not taken, or had sent, when the deadline was set. */
  #progress = 0
  /** When a closed connection ends, even if its client goes on sending. */
  #lingerEnd = Number.POSITIVE_INFINITY

  constructor(
    readonly socket: Socket,
    limits: ConnectionLimits,
  ) {
    this.#limits = limits
    limits.deadlines.watch(this)
  }

  /** Whether the connection ends after the bytes that are already written. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  began(): void {
    this.#hasBegun = true
    this.pending += 1
    this.deadline = Number.POSITIVE_INFINITY
  }

  /** Starts the limit for a client that does not read its response. Call it after writing. */
  watch(): void {
    if (this.socket.writableLength > 0) this.#awaitProgress(unsentBytes(this.socket))
  }

  /** Stops that limit: the client has read what was written, and more of the response follows. */
  unwatch(): void {
    this.deadline = Number.POSITIVE_INFINITY
  }

  /** A response is completely sent, or its client is gone. */
  responseSent(): void {
    this.pending -= 1
    this.deadline = this.pending > 0 ? Number.POSITIVE_INFINITY : this.#limits.deadlines.in(this.#limits.idle)
    if (this.pending > 0) this.watch()
    else if (this.isEnding || this.#finalResponse !== null) this.close()
    else if (this.bytesReadWhenIdle !== null) this.bytesReadWhenIdle = this.socket.bytesRead
  }

  /** From now on `node:http` reads the connection, as its listeners are called before this one. */
  handedOver(): void {
    const { socket } = this
    this.bytesReadWhenIdle = 0
    // From here to the end of the head, `node:http` watches the time.
    this.deadline = Number.POSITIVE_INFINITY
    // With this listener, `node:http` reads through the stream, and `close` can take the stream from it. The line ends
    // that are allowed before a request are no progress.
    socket.on('data', (bytes: Buffer) => {
      if (this.pending === 0 && !isBlank(bytes)) this.deadline = Number.POSITIVE_INFINITY
    })
    // A chunk of 64 KiB may hold a thousand requests, of which no more than the limit are served.
    const push = socket.push.bind(socket)
    socket.push = (chunk: Buffer | null) => {
      let takesMore = true
      if (chunk === null) takesMore = push(null)
      else for (const piece of this.#pieces(chunk)) takesMore = push(piece)
      return takesMore
    }
    // `node:http` calls this after the last response. Its own method loses a response that the client has not read yet
    // when the client has sent more than was read.
    socket.destroySoon = () => this.close()
  }

  /**
   * Gives `node:http` bytes that were read before it got the connection, and that precede what the socket holds.
   * @param isWhole whether the client has ended its side, so that the socket can keep nothing for later.
   */
  deliver(bytes: Buffer, isWhole: boolean): void {
    const { socket } = this
    if (isWhole) {
      socket.emit('data', bytes)
      return
    }
    let delivered = 0
    for (const piece of this.#pieces(bytes)) {
      // `node:http` pauses a socket whose responses wait for the client.
      if (delivered > 0 && socket.isPaused()) {
        socket.unshift(bytes.subarray(delivered))
        return
      }
      socket.emit('data', piece)
      delivered += piece.length
    }
  }

  /** Ends early when one of the pieces has flooded the connection. */
  *#pieces(bytes: Buffer): Generator<Buffer> {
    for (let start = 0; start < bytes.length && !this.isFlooded; start += maxParsedAtOnce)
      yield bytes.subarray(start, start + maxParsedAtOnce)
  }

  /** Sends a final response after the responses that are due, and ends the connection. */
  endWith(finalText: string): void {
    this.#finalResponse ??= finalText
    if (this.pending === 0) this.close()
  }

  /**
   * Ends the connection after what is written, and discards what the client still sends. A socket that is closed with
   * unread bytes resets the connection, and the client loses what it has not read.
   */
  close(): void {
    const { socket } = this
    if (this.#isClosed || socket.destroyed) return
    this.#isClosed = true
    // A client that was told of the end awaits no further response.
    if (socket.writable) socket.end(this.isEnding ? '' : (this.#finalResponse ?? ''))
    socket.removeAllListeners('data')
    socket.on('data', () => undefined)
    socket.resume()
    this.#awaitProgress(unsentBytes(socket))
    socket.once('finish', () => {
      this.#lingerEnd = this.#limits.deadlines.in(this.#limits.stalled)
      this.#awaitSilence()
    })
  }

  /** Ends a connection on which no response is due. */
  endIdle(): void {
    if (!this.#isClosed) this.socket.end(() => this.socket.destroy())
  }

  expired(): void {
    const { socket } = this
    const unsent = unsentBytes(socket)
    if (unsent > 0) {
      if (unsent === this.#progress) socket.destroy()
      else this.#awaitProgress(unsent)
    } else if (this.#isClosed) {
      if (socket.bytesRead === this.#progress || this.deadline > this.#lingerEnd) socket.destroy()
      else this.#awaitSilence()
    } else {
      this.deadline = Number.POSITIVE_INFINITY
      if (this.#hasBegun) this.endIdle()
      else this.#limits.onTimeout(socket)
    }
  }

  #awaitProgress(unsent: number): void {
    this.#progress = unsent
    this.deadline = this.#limits.deadlines.in(this.#limits.stalled)
  }

  #awaitSilence(): void {
    this.#progress = this.socket.bytesRead
    this.deadline = this.#limits.deadlines.in(this.#limits.linger)
  }
}

/**
 * A number that changes whenever the kernel takes bytes of a response, and is 0 when it has taken all. `writableLength`
 * alone changes only when a write is complete, and a response of megabytes is one write.
 */
function unsentBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null }
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}

/** Whether the bytes are only line ends, which may precede a request. */
export function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x0d && byte !== 0x0a) return false
  return true
}
