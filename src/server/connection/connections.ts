import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The state of one connection. */
export interface Connection {
  readonly socket: Socket
  /** The number of requests whose responses are not completely sent. Clients may send several at once. */
  pending: number
  /**
   * The number of bytes received when the last response was sent. More bytes mean that a request is arriving. Null on the
   * fast path, which sees requests only when they are complete.
   */
  settledAt: number | null
  /** The response to the request whose body is being received. */
  receiving: ServerResponse | null
  /** Written after the last response, before the connection ends. */
  finalResponse: string | null
  /** Whether its latest request came after the stop had begun. */
  beganDraining: boolean
  /** Whether a response has announced the end of the connection. */
  isEnding: boolean
}

/** How long a client that is still sending has to read its response, in milliseconds. */
export const linger = 1_000

/**
 * How long a connection without a request stays open when the service stops, in milliseconds. A client whose response was
 * just sent may be sending its next request.
 */
const drainDelay = 250

/** The open connections of a server. Ends each of them when it may end. */
export class Connections {
  readonly #open = new Map<Socket, Connection>()
  readonly #stalled: number
  #draining = false
  #drainDelay = drainDelay
  #hasReadAll = false
  #events = 0

  /** @param stalled how long a client may read nothing of a response, in milliseconds. */
  constructor(stalled: number) {
    this.#stalled = stalled
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Increases with each new connection and each new request. */
  get events(): number {
    return this.#events
  }

  opened(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      pending: 0,
      settledAt: null,
      receiving: null,
      finalResponse: null,
      beganDraining: false,
      isEnding: false,
    }
    this.#open.set(socket, connection)
    this.#events += 1
    if (this.#draining) this.#endWhenIdle(connection)
    // For the whole life of the socket: `node:http` removes its listeners from a socket that asked for a tunnel, and an
    // error without a listener ends the process. Node closes the broken socket.
    socket.on('error', () => undefined)
    socket.once('close', () => this.#open.delete(socket))
    return connection
  }

  /** From now on `node:http` reads the connection. It sees requests before they are complete. */
  handedOver(socket: Socket): void {
    const connection = this.#open.get(socket)
    if (connection) connection.settledAt = 0
  }

  /** Undefined for a closed connection. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  began(connection: Connection): void {
    connection.pending += 1
    connection.beganDraining = this.#draining
    this.#events += 1
  }

  /** The body of a request is arriving. */
  receives(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection) connection.receiving = response
  }

  /** The body is complete or no longer needed. The body of the next request may be arriving already. */
  received(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection?.receiving === response) connection.receiving = null
  }

  /** The response to the request whose body is not complete; null when there is none. */
  receiving(socket: Socket): ServerResponse | null {
    const response = this.#open.get(socket)?.receiving ?? null
    // Node sets `complete` a moment before it emits the end.
    return response?.req.complete ? null : response
  }

  /** Closes the connection of a client that does not read its response. To be called after writing. */
  watch(socket: Socket): void {
    if (socket.writableLength > 0) socket.setTimeout(this.#stalled)
  }

  /** Sends a final response after the responses that are due, and ends the connection. */
  endWith(socket: Socket, finalText: string): void {
    const connection = this.#open.get(socket)
    if (connection && connection.pending > 0) connection.finalResponse = finalText
    else lingeringClose(socket, finalText)
  }

  /**
   * From now on each connection ends with its last response. A connection without a request ends after a moment.
   * @param limit of that moment, in milliseconds.
   */
  drain(limit: number): void {
    this.#draining = true
    this.#drainDelay = Math.min(drainDelay, limit)
    for (const connection of this.#open.values()) if (connection.pending === 0) this.#endWhenIdle(connection)
  }

  /** Everything is read that arrived before `drain`. */
  hasReadAll(): void {
    this.#hasReadAll = true
  }

  /**
   * Whether the response that is about to be sent is the last of its connection, and has to say so.
   * @param hasMore whether further requests have arrived, or the socket is paused and may hold some.
   */
  isLastResponse(connection: Connection, hasMore: boolean): boolean {
    // In the turn in which the stop begins, the kernel may hold requests that were sent behind an earlier one.
    if (!this.#draining || hasMore || !(this.#hasReadAll || connection.beganDraining)) return false
    connection.isEnding = true
    return true
  }

  #endWhenIdle(connection: Connection): void {
    // The event loop reads its sockets between the timer and the immediate.
    const end = () => setImmediate(() => isIdle(connection) && connection.socket.destroySoon())
    setTimeout(end, this.#drainDelay)
  }

  /** @returns the number of requests that lose their response: at least one for each connection that is not idle. */
  destroyAll(): number {
    let requests = 0
    for (const [socket, connection] of this.#open) {
      if (!isIdle(connection)) requests += Math.max(1, connection.pending)
      socket.destroy()
    }
    return requests
  }

  /** A response is completely sent, or its client is gone. */
  responseSent(connection: Connection): void {
    const { socket } = connection
    connection.pending -= 1
    if (connection.pending > 0) {
      socket.setTimeout(0)
      this.watch(socket)
      return
    }
    if (connection.settledAt !== null) connection.settledAt = socket.bytesRead
    if (connection.finalResponse !== null) lingeringClose(socket, connection.finalResponse)
    else if (connection.isEnding) socket.destroySoon()
    else if (this.#draining) this.#endWhenIdle(connection)
  }
}

/** Whether no request is served, and none is arriving. */
function isIdle({ socket, pending, settledAt }: Connection): boolean {
  return pending === 0 && (settledAt === null || socket.bytesRead === settledAt)
}

/** A client that is still sending would lose its response if the socket was closed at once. */
function lingeringClose(socket: Socket, finalText: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  socket.end(finalText)
  socket.resume()
  const end = setTimeout(() => socket.destroy(), linger)
  end.unref()
  socket.once('close', () => clearTimeout(end))
}
