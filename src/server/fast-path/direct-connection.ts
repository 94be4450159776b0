import type { Socket } from 'node:net'
import type { OutgoingResponse, OutgoingStream, SendResponse } from '../../http/exchange.js'
import type { TrustedProxies, Peer } from '../../http/trusted-proxies.js'
import { headText } from '../connection/response-text.js'
import { isBlank, type Connection } from '../connection/connection.js'
import type { Connections } from '../connection/connections.js'
import type { IdleTimeouts } from '../connection/idle-timeouts.js'
import { notHttp } from '../connection/raw-refusal.js'
import { maxJoinedLength } from '../connection/send.js'
import { sendStream, type StreamTarget } from '../connection/send-stream.js'
import { isOtherProtocol, LatestHeaders, readSimpleRequest, type SimpleRequest } from './simple-request.js'

export interface DirectOptions {
  readonly connections: Connections
  readonly deadlines: IdleTimeouts
  /** Maximum size of a body, in bytes. */
  readonly bodyLimit: number
  /** Calls `send` exactly once, synchronously or later. Must not throw. */
  readonly respond: (request: SimpleRequest, peer: Peer, socket: Socket, send: SendResponse) => undefined
  readonly trustedProxies: TrustedProxies
  /** Lets `node:http` read the connection from now on. */
  readonly handOver: (socket: Socket) => void
  /** Ends the connection with a response that belongs to no request. */
  readonly refuse: (socket: Socket, outgoing: OutgoingResponse) => void
  /** Maximum time until the first request has arrived, in milliseconds. */
  readonly headers: number
  /** Maximum time between two requests, in milliseconds. */
  readonly idle: number
}

/**
 * A connection that is served without `node:http` as long as its requests are simple. The streams and events of
 * `node:http` take half of the time of a small request. The first request that is not simple is handed over to it, with all
 * that follow.
 */
export class DirectConnection {
  readonly #socket: Socket
  readonly #options: DirectOptions
  readonly #connection: Connection
  readonly #peer: Peer
  readonly #keepAlive: string
  readonly #headers = new LatestHeaders()
  /** Whether a request is being served, or its response is not completely read. */
  #isBusy = false
  /** Bytes that arrived while a request was being served. */
  #waiting: Buffer | null = null
  #hasEnded = false

  constructor(socket: Socket, options: DirectOptions) {
    this.#socket = socket
    this.#options = options
    this.#connection = options.connections.opened(socket)
    this.#peer = options.trustedProxies.peerOf(socket.remoteAddress ?? '')
    this.#keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(options.idle / 1000)}\r\n`
    this.#connection.deadline = options.deadlines.in(options.headers)
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
  }

  readonly #onData = (bytes: Buffer): void => {
    // A request that can no longer be responded to must not be carried out.
    if (!this.#socket.writable) return
    if (this.#isBusy) {
      // Pipelined requests wait for the response to the current one. Reading pauses, which bounds the memory.
      this.#waiting = this.#waiting === null ? bytes : Buffer.concat([this.#waiting, bytes])
      this.#socket.pause()
      return
    }
    const request = readSimpleRequest(bytes, this.#options.bodyLimit, this.#headers)
    if (request === null) {
      this.#receiveOther(bytes)
      return
    }
    this.#options.connections.began(this.#connection)
    this.#isBusy = true
    this.#options.respond(request, this.#peer, this.#socket, (outgoing) =>
      this.#options.connections.largeResponses.send(outgoing.body.length, () => this.#send(outgoing, request)),
    )
  }

  /** Receives bytes that are not a simple request. */
  #receiveOther(bytes: Buffer): void {
    if (isOtherProtocol(bytes)) this.#options.refuse(this.#socket, notHttp)
    else if (!isBlank(bytes)) this.#handOver(bytes)
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (!this.#isBusy) this.#socket.end()
  }

  #handOver(bytes: Buffer): void {
    const socket = this.#socket
    socket.off('data', this.#onData)
    socket.off('end', this.#onEnd)
    this.#options.handOver(socket)
    this.#connection.handedOver()
    this.#connection.deliver(bytes, this.#hasEnded)
    if (this.#hasEnded) socket.emit('end')
  }

  #send(outgoing: OutgoingResponse, { method }: SimpleRequest): void {
    const socket = this.#socket
    if (!socket.writable) {
      outgoing.stream?.cancel()
      return
    }
    const isLast = this.#options.connections.isLastResponse(this.#connection, this.#waiting !== null)
    const ending = isLast ? 'Connection: close\r\n' : this.#keepAlive
    if (outgoing.stream !== undefined) {
      void this.#sendStream(outgoing, outgoing.stream, ending)
      return
    }
    const isBodiless = outgoing.status === 204 || outgoing.status === 304 || method === 'HEAD'
    const body = isBodiless || outgoing.status === 205 ? '' : outgoing.body
    const length = outgoing.isAscii ? body.length : Buffer.byteLength(body)
    const head = headText(outgoing, isBodiless ? null : length, ending)
    const isAscii = typeof body === 'string' && length === body.length
    if (isAscii && length <= maxJoinedLength) socket.write(head + body, 'latin1')
    else {
      socket.cork()
      socket.write(head, 'latin1')
      if (isAscii) socket.write(body, 'latin1')
      else socket.write(body)
      socket.uncork()
    }
    if (socket.writableLength === 0) this.#responseSent()
    else this.#waitForClient()
  }

  async #sendStream(outgoing: OutgoingResponse, stream: OutgoingStream, ending: string): Promise<void> {
    const socket = this.#socket
    const isChunked = stream.size === null
    socket.write(
      headText(outgoing, stream.size, isChunked ? `Transfer-Encoding: chunked\r\n${ending}` : ending),
      'latin1',
    )
    const target = isChunked ? new ChunkedTarget(socket) : socket
    if (!(await sendStream(stream, target, socket, this.#connection))) return
    if (isChunked) socket.write('0\r\n\r\n', 'latin1')
    if (socket.writableLength === 0) this.#responseSent()
    else this.#waitForClient()
  }

  #waitForClient(): void {
    this.#connection.watch()
    // The response is sent when all bytes before it are written. `drain` is only emitted after many bytes.
    this.#socket.write('', () => {
      if (!this.#socket.destroyed) this.#responseSent()
    })
  }

  #responseSent(): void {
    this.#isBusy = false
    this.#options.connections.responseSent(this.#connection)
    const waiting = this.#waiting
    if (waiting === null) {
      if (this.#hasEnded) this.#socket.end()
      return
    }
    this.#waiting = null
    this.#socket.resume()
    this.#onData(waiting)
  }
}

/** Writes each chunk with its length before it: RFC 9112, 7.1. */
class ChunkedTarget implements StreamTarget {
  readonly #socket: Socket

  constructor(socket: Socket) {
    this.#socket = socket
  }

  write(chunk: Uint8Array): boolean {
    const socket = this.#socket
    socket.cork()
    socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1')
    socket.write(chunk)
    const takesMore = socket.write('\r\n', 'latin1')
    socket.uncork()
    return takesMore
  }

  once(event: 'drain' | 'close', listener: () => void): void {
    this.#socket.once(event, listener)
  }

  off(event: 'drain' | 'close', listener: () => void): void {
    this.#socket.off(event, listener)
  }
}
