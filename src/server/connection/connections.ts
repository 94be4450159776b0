import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** What goes on on one connection. */
export interface Connection {
  readonly socket: Socket
  /** Requests that have not been answered to the last byte; clients may send several at once. */
  pending: number
  /**
   * Bytes received when the last answer was sent: when there are more, a request is on its way. Null where requests are
   * only seen whole.
   */
  settledAt: number | null
  /** The answer to the request whose body is still being received. */
  receiving: ServerResponse | null
  /** Written after the last answer, before the connection ends. */
  finalResponse: string | null
}

/** Time for a client to read an answer while it is still sending, in milliseconds. */
export const linger = 1_000

/** The open connections of a server, and when each of them ends. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #stalled: number
  #draining = false

  /** @param stalled milliseconds that a client may take nothing of an answer. */
  constructor(stalled: number) {
    this.#stalled = stalled
  }

  get draining(): boolean {
    return this.#draining
  }

  opened(socket: Socket): Connection {
    const connection: Connection = { socket, pending: 0, settledAt: null, receiving: null, finalResponse: null }
    this.#open.set(socket, connection)
    // For its whole life, since `node:http` lets go of a socket that asked for a tunnel: an error that nobody listens to
    // ends the process. What is broken is closed by Node; there is nobody to tell.
    socket.on('error', () => undefined)
    socket.once('close', () => this.#open.delete(socket))
    return connection
  }

  /** `node:http` reads it from now on, and knows of requests before they are whole. */
  handedOver(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection) connection.settledAt = 0
  }

  /** Undefined for one that is closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  began(connection: Connection): void {
    connection.pending += 1
  }

  /** The body of a request is on its way. */
  receives(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection) connection.receiving = response
  }

  /** It is complete, or nobody waits for it any more; that of the next request may be on its way already. */
  received(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection?.receiving === response) connection.receiving = null
  }

  /** The answer to the request whose body has still not come to its end. */
  receiving(socket: Socket): ServerResponse | null {
    const response = this.#open.get(socket)?.receiving ?? null
    // It is complete a moment before those who read it hear of that.
    return response?.req.complete ? null : response
  }

  /** Closes the connection of a client that takes nothing of its answer. To be called after writing. */
  watch(socket: Socket): void {
    if (socket.writableLength > 0) socket.setTimeout(this.#stalled)
  }

  /** Says something after the answers that are due, so that it is not taken for one of them, and ends the connection. */
  endWith(socket: Socket, lastWords: string): void {
    const connection = this.#open.get(socket)
    if (connection && connection.pending > 0) connection.finalResponse = lastWords
    else lingeringClose(socket, lastWords)
  }

  /** From now on a connection ends with its last answer; those without a request end at once. */
  drain(): void {
    this.#draining = true
    for (const [socket, { pending, settledAt }] of this.#open)
      if (pending === 0 && (settledAt === null || socket.bytesRead === settledAt)) socket.destroySoon()
  }

  /** @returns how many requests that costs an answer: at least one on each connection, after `drain`. */
  destroyAll(): number {
    let requests = 0
    for (const [socket, { pending }] of this.#open) {
      requests += Math.max(1, pending)
      socket.destroy()
    }
    return requests
  }

  /** An answer has been taken to its last byte, or nobody takes it any more. */
  settled(connection: Connection): void {
    const { socket } = connection
    connection.pending -= 1
    if (connection.pending > 0) {
      socket.setTimeout(0)
      this.watch(socket)
      return
    }
    if (connection.settledAt !== null) connection.settledAt = socket.bytesRead
    if (connection.finalResponse !== null) lingeringClose(socket, connection.finalResponse)
    else if (this.#draining) socket.destroySoon()
  }
}

/** A socket closed while its client is sending would take the answer with it. */
function lingeringClose(socket: Socket, lastWords: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(lastWords)
  socket.resume()
  const end = setTimeout(() => socket.destroy(), linger)
  end.unref()
  socket.once('close', () => clearTimeout(end))
}
