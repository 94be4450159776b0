import type { Socket } from 'node:net'
import type { OutgoingStream } from '../../http/exchange.js'
import type { Connection } from './connection.js'

/** Where the chunks of a body are written: a socket, or a response of `node:http`. */
export interface StreamTarget {
  /** False when no more is to be written before `drain`. */
  write(chunk: Uint8Array): boolean
  once(event: 'drain' | 'close', listener: () => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
}

/**
 * Writes a body chunk by chunk, no faster than the client takes it. When the client leaves, the source is cancelled. When the
 * source fails, the connection is reset: a connection that ends in order would make an incomplete body of HTTP/1.0 look
 * complete.
 * @param connection of the socket. It is ended when the client reads nothing for `ConnectionLimits.stalled`.
 * @returns whether the whole body was written.
 */
export async function sendStream(
  stream: OutgoingStream,
  target: StreamTarget,
  socket: Socket,
  connection: Connection | undefined,
): Promise<boolean> {
  const cancel = (): void => stream.cancel()
  const halfClosedClient = new HalfClosedClient(socket, cancel)
  target.once('close', cancel)
  try {
    for (;;) {
      halfClosedClient.begin()
      const chunk = await stream.next()
      halfClosedClient.end()
      if (chunk === null || socket.destroyed) return !socket.destroyed
      if (target.write(chunk)) continue
      connection?.watch()
      await drained(target, socket)
      connection?.unwatch()
    }
  } catch {
    socket.resetAndDestroy()
    return false
  } finally {
    target.off('close', cancel)
    halfClosedClient.stop()
    // The socket may be destroyed before it has emitted `close`.
    stream.cancel()
  }
}

/** How long the source may take for a chunk once the client has closed its side, in milliseconds. Then it is cancelled. */
const maxSilence = 1_000

/**
 * A client that has closed its side of the connection. Most such clients have left, which the next chunk shows: writing it
 * fails. A source that yields no chunk is therefore cancelled after `maxSilence`.
 */
class HalfClosedClient {
  readonly #socket: Socket
  readonly #cancel: () => void
  #isWaiting = false
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket, cancel: () => void) {
    this.#socket = socket
    this.#cancel = cancel
    socket.once('end', this.#onEnd)
  }

  /** A chunk is awaited from the source. */
  begin(): void {
    this.#isWaiting = true
    if (this.#socket.readableEnded) this.#onEnd()
  }

  end(): void {
    this.#isWaiting = false
    clearTimeout(this.#timer)
  }

  stop(): void {
    this.end()
    this.#socket.off('end', this.#onEnd)
  }

  readonly #onEnd = (): void => {
    if (this.#isWaiting) this.#timer = setTimeout(this.#cancel, maxSilence)
  }
}

/** Resolves when more may be written, or nothing ever will. */
function drained(target: StreamTarget, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      target.off('drain', settle)
      target.off('close', settle)
      resolve()
    }
    target.once('drain', settle)
    target.once('close', settle)
    if (socket.destroyed) settle()
  })
}
