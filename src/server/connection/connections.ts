import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ArrivingBody } from './arriving-body.js'
import { Connection, type ConnectionLimits } from './connection.js'
import { LargeResponses } from './large-responses.js'

/**
 * How long a connection without a request stays open when the service stops, in milliseconds. A client whose response was
 * just sent may be sending its next request.
 */
const drainDelay = 250

/** The open connections of a server. Ends each of them when it may end. */
export class Connections {
  readonly largeResponses = new LargeResponses()
  readonly #open = new Map<Socket, Connection>()
  readonly #limits: ConnectionLimits
  #draining = false
  #drainDelay = drainDelay
  #hasReadAll = false
  #events = 0

  constructor(limits: ConnectionLimits) {
    this.#limits = limits
  }

  get draining(): boolean {
    return this.#draining
  }

  /** Increases with each new connection and each new request. */
  get events(): number {
    return this.#events
  }

  opened(socket: Socket): Connection {
    const connection = new Connection(socket, this.#limits)
    this.#open.set(socket, connection)
    this.#events += 1
    if (this.#draining) this.#endWhenIdle(connection)
    // For the whole life of the socket: `node:http` removes its listeners from a socket that asked for a tunnel, and an
    // error without a listener ends the process. Node closes the broken socket.
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#limits.deadlines.forget(connection)
      this.#stopTiming(connection)
    })
    return connection
  }

  /** The connection of a socket; undefined when it is closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket)
  }

  began(connection: Connection): void {
    connection.began()
    connection.beganWhileDraining = this.#draining
    this.#events += 1
  }

  /** The body of a request is arriving. */
  receives(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection === undefined) return
    const { body, deadlines } = this.#limits
    this.#stopTiming(connection)
    connection.receiving = response
    connection.arriving = new ArrivingBody(socket, body, deadlines)
    deadlines.watch(connection.arriving)
  }

  /** The body that is arriving is on a route with a larger body limit. */
  receivesLarge(socket: Socket): void {
    const arriving = this.#open.get(socket)?.arriving
    if (arriving) arriving.isLarge = true
  }

  /** The body is complete or no longer needed. The body of the next request may be arriving already. */
  received(socket: Socket, response: ServerResponse): void {
    const connection = this.#open.get(socket)
    if (connection?.receiving !== response) return
    connection.receiving = null
    this.#stopTiming(connection)
  }

  #stopTiming(connection: Connection): void {
    if (connection.arriving !== null) this.#limits.deadlines.forget(connection.arriving)
    connection.arriving = null
  }

  /** The response to the request whose body is not complete; null when there is none. */
  receiving(socket: Socket): ServerResponse | null {
    const response = this.#open.get(socket)?.receiving ?? null
    // Node sets `complete` before it emits `end`.
    return response?.req.complete ? null : response
  }

  /**
   * From now on each connection ends with its last response. A connection without a request ends after `drainDelay`.
   * @param limit maximum of that delay, in milliseconds.
   */
  drain(limit: number): void {
    this.#draining = true
    this.#drainDelay = Math.min(drainDelay, limit)
    for (const connection of this.#open.values()) if (connection.pending === 0) this.#endWhenIdle(connection)
  }

  /** All bytes that arrived before `drain` have been read. */
  hasReadAll(): void {
    this.#hasReadAll = true
  }

  /**
   * Whether the response that is about to be sent is the last of its connection, and has to say so.
   * @param hasMore whether further requests have arrived, or the socket is paused and may hold some.
   */
  isLastResponse(connection: Connection, hasMore: boolean): boolean {
    // When draining starts, the kernel may hold further pipelined requests that are not read yet.
    if (!this.#draining || hasMore || !(this.#hasReadAll || connection.beganWhileDraining)) return false
    connection.isEnding = true
    return true
  }

  #endWhenIdle(connection: Connection): void {
    // The event loop reads its sockets between the timer and the immediate.
    const end = () => setImmediate(() => isIdle(connection) && connection.endIdle())
    setTimeout(end, this.#drainDelay).unref()
  }

  /** @returns the number of requests that lose their response: at least one for each connection that is not idle. */
  destroyAll(): number {
    let requests = 0
    for (const [socket, connection] of this.#open) {
      if (!connection.isClosed && !isIdle(connection)) requests += Math.max(1, connection.pending)
      socket.destroy()
    }
    return requests
  }

  /** A response is completely sent, or its client is gone. */
  responseSent(connection: Connection): void {
    connection.responseSent()
    if (this.#draining && connection.pending === 0) this.#endWhenIdle(connection)
  }
}

/** Whether no request is served, and none is arriving. */
function isIdle({ socket, pending, bytesReadWhenIdle }: Connection): boolean {
  return pending === 0 && (bytesReadWhenIdle === null || socket.bytesRead === bytesReadWhenIdle)
}
