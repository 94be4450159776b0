import type { BodyLimitOf } from './fetch.js'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { IncomingRequest, OutgoingResponse, OutgoingStream, Respond } from '../http/exchange.js'
import type { TrustedProxies } from '../http/trusted-proxies.js'
import { FormReader, type FormOptions, type ReceivedForm } from '../http/form-reader.js'
import { refusal, tooLarge, type RefusedRequest } from '../http/refusal.js'
import { Connections } from './connection/connections.js'
import { IdleTimeouts } from './connection/idle-timeouts.js'
import { DirectConnection, type DirectOptions } from './fast-path/direct-connection.js'
import { responseWithoutService, headersOf, splitTarget } from './connection/incoming.js'
import { parserRefusal, rawResponse } from './connection/raw-refusal.js'
import { send, sendLast, writeStreamHead } from './connection/send.js'
import { sendStream } from './connection/send-stream.js'
import { hasBody, isForm, receiveBody, receiveForm, type Reception } from './receive-body.js'
import { defaultTimeouts, type Timeouts } from './timeouts.js'

export interface NodeServerOptions {
  /** Maximum size of a body, in bytes. With `bodyLimitOf`, the smallest limit that it returns. */
  readonly bodyLimit: number
  /** Returns the maximum size of the body of one request, in bytes. Default: `bodyLimit` for all. */
  readonly bodyLimitOf?: BodyLimitOf
  /** The response to requests with a body, which is then not read, unless it has arrived with the head. Default: none. */
  readonly bodyRefusal?: (origin: string | undefined) => OutgoingResponse
  /** Bytes. Where the limit is larger, a body may also take longer: `Timeouts.bytesPerSecond`. Default: `bodyLimit`. */
  readonly usualBodyLimit?: number
  /** Default: forms with files are read as other bodies. */
  readonly forms?: FormOptions
  /** Whether simple requests are read without `node:http`. Default true. */
  readonly hasFastPath?: boolean
  readonly trustedProxies: TrustedProxies
  readonly timeouts?: Partial<Timeouts>
  /** Called for faults outside of requests, such as a connection that could not be accepted. */
  readonly onFault?: (error: unknown) => void
  /** Called for each request that does not reach the service: not HTTP, too large, too slow. Must not throw. */
  readonly onRefused?: (refused: RefusedRequest) => void
}

/** Maximum size of target and headers together, in bytes. */
const headerLimit = 16_384
const noBody = new Uint8Array(0)
/** Maximum number of pipelined requests of a connection. Each takes kilobytes of memory, even one of a few bytes. */
const maxPipelined = 100
/** Maximum number of connections that wait to be accepted. */
const backlog = 511
/** Maximum number of turns of the event loop in which a stop accepts connections. A turn accepts one of them. */
const maxDrainTurns = backlog + 3
const timeout = Object.assign(new Error('The request did not arrive in time.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
const noConnect = refusal(501, 'rest_not_implemented', 'This server is no proxy.')
const noExpectation = refusal(417, 'rest_expectation_failed', 'The only expectation that is met is 100-continue.')

/** A request that waits for the response to the one before it. */
interface PipelinedRequest {
  readonly response: ServerResponse
  readonly serve: () => void
}

/** The service on a socket. */
export class NodeServer {
  readonly #server: Server
  readonly #connections: Connections
  /** The requests that wait for the response to the one before them, by connection, in order. */
  readonly #pipelined = new WeakMap<Socket, PipelinedRequest[]>()
  /** Connections whose final response is being sent. */
  readonly #refused = new WeakSet<Socket>()
  /** Shared by the connections of the fast path; null without it. */
  #direct: DirectOptions | null = null

  constructor(
    private respond: Respond,
    private options: NodeServerOptions,
  ) {
    const timeouts = { ...defaultTimeouts, ...options.timeouts }
    const { headers, idle, stalled, linger, bytesPerSecond } = timeouts
    const deadlines = new IdleTimeouts(Math.min(headers, timeouts.body, idle, stalled, linger))
    const onTimeout = (socket: Socket): void => this.#refuseSocket(socket, parserRefusal(timeout))
    const onBodyTimeout = (socket: Socket): void => this.#refuseBytes(timeout, socket)
    const body = { minTimeout: timeouts.body, bytesPerSecond, onTimeout: onBodyTimeout }
    this.#connections = new Connections({ deadlines, idle, stalled, linger, onTimeout, body })
    this.#server = createServer({
      headersTimeout: timeouts.headers,
      // Disabled: it would end every long upload. `ArrivingBody` limits the time of bodies.
      requestTimeout: 0,
      keepAliveTimeout: timeouts.idle,
      connectionsCheckingInterval: timeouts.interval,
      maxHeaderSize: headerLimit,
      // Node's refusal has no body. `responseWithoutService` has one.
      requireHostHeader: false,
    })
    // Node would silently drop headers above this number. Their size is limited already.
    this.#server.maxHeadersCount = 0
    // A client may close its side after its request. Node would then discard the response.
    Object.assign(this.#server, { httpAllowHalfOpen: true })
    // By default, `close` ends connections at once whose next request is not read yet.
    Object.assign(this.#server, { closeIdleConnections() {} })
    this.#takeConnections(timeouts, deadlines)
    const inTurn =
      (serve: (request: IncomingMessage, response: ServerResponse) => void) =>
      (request: IncomingMessage, response: ServerResponse): void =>
        this.#inTurn(request, response, () => serve(request, response))
    this.#server.on(
      'request',
      inTurn((request, response) => this.#serve(request, response, false)),
    )
    this.#server.on(
      'checkContinue',
      inTurn((request, response) => this.#serve(request, response, true)),
    )
    this.#server.on(
      'checkExpectation',
      inTurn((request, response) => this.#sendRefusal(request, response, noExpectation)),
    )
    this.#server.on('connect', (_, socket) => this.#refuseSocket(socket as Socket, noConnect))
    this.#server.on('clientError', (error, socket) => this.#refuseBytes(error, socket as Socket))
  }

  /** @returns the address, with the port that the system chose for 0. @throws when the port is in use. */
  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ port, host, backlog }, () => {
        this.#server.off('error', reject)
        // A connection that cannot be accepted must not end the others.
        this.#server.on('error', (error) => this.options.onFault?.(error))
        resolve(this.#server.address() as AddressInfo)
      })
    })
  }

  /**
   * Lets another service respond from now on, also on connections that are open.
   * @param options `hasFastPath` and `timeouts` must be those of the server.
   */
  serve(respond: Respond, options: NodeServerOptions): void {
    this.respond = respond
    this.options = options
    const { bodyLimit, trustedProxies } = options
    if (this.#direct !== null) Object.assign(this.#direct, { bodyLimit, trustedProxies })
  }

  /**
   * Finishes the requests in flight, and those that have arrived and are not read yet, also on connections that are not
   * accepted yet. Accepts no others. Ends the remaining ones after `gracePeriod` milliseconds.
   * @returns the number of requests that were cut off.
   */
  async close(gracePeriod: number): Promise<number> {
    let abortedRequests = 0
    const deadline = setTimeout(() => (abortedRequests = this.#connections.destroyAll()), gracePeriod)
    this.#connections.drain(gracePeriod)
    await this.#readWhatArrived()
    await new Promise((resolve) => this.#server.close(resolve))
    clearTimeout(deadline)
    return abortedRequests
  }

  /**
   * The event loop accepts a connection in one tick and reads it in the next. Closing the listener resets the connections
   * that are not accepted yet, so it waits for a tick without any.
   */
  async #readWhatArrived(): Promise<void> {
    let events = -1
    for (let turn = 0; turn < maxDrainTurns && (turn < 2 || this.#connections.events !== events); turn += 1) {
      events = this.#connections.events
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#connections.hasReadAll()
  }

  /** The fast path serves connections until they send something that only `node:http` reads. */
  #takeConnections(timeouts: Timeouts, deadlines: IdleTimeouts): void {
    const server = this.#server
    const connections = this.#connections
    // The constructor of the server adds the listener that reads connections, so it is the first. Monitoring may have
    // added others, which stay. A runtime that reads connections in another way has none.
    const [readByNode] = server.listeners('connection') as ((socket: Socket) => void)[]
    if (readByNode === undefined || this.options.hasFastPath === false) {
      server.on('connection', (socket) => {
        connections.opened(socket).handedOver()
      })
      return
    }
    server.off('connection', readByNode)
    const { bodyLimit, trustedProxies } = this.options
    const direct: DirectOptions = (this.#direct = {
      ...timeouts,
      bodyLimit,
      connections,
      deadlines,
      trustedProxies,
      handOver: (socket) => readByNode.call(server, socket),
      refuse: this.#refuseSocket,
      respond: this.#respondDirectly,
    })
    server.on('connection', (socket) => void new DirectConnection(socket, direct))
  }

  readonly #respondDirectly: DirectOptions['respond'] = (
    { method, path, query, headers, body },
    peer,
    client,
    send,
  ) => {
    const { address, secure, local, requestId } = this.options.trustedProxies.originOf(peer, false, headers)
    this.respond({ method, path, query, headers, body, address, secure, local, requestId, client }, send)
  }

  /** Serves one request of a connection at a time. Pipelined requests wait, and reading pauses. */
  #inTurn(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
    const { socket } = request
    // A request that can no longer be responded to must not be carried out.
    if (!socket.writable) return
    const pipelined = this.#pipelined.get(socket)
    if (pipelined !== undefined && pipelined.length + 1 >= maxPipelined) {
      // The requests before this one are served, and the last of them says that the connection ends.
      const last = pipelined.at(-1)
      if (last) last.response.shouldKeepAlive = false
      const connection = this.#connections.of(socket)
      if (connection) connection.isFlooded = true
      return
    }
    // Node drops the bytes that arrived together with such a request, so the bytes after them are no request.
    const isLast = request.headers.upgrade !== undefined
    if (isLast) response.shouldKeepAlive = false
    this.#began(request, response)
    if (hasBody(request)) this.#connections.receives(socket, response)
    // A pipeline that is served in one tick of the event loop delays all other connections by its whole length.
    response.once('close', () =>
      this.#hasWaiting(socket) ? setImmediate(() => this.#next(socket)) : this.#next(socket),
    )
    if (pipelined === undefined) {
      this.#pipelined.set(socket, [])
      // The last response of a connection says so. Requests behind this one are known when the parser has read them.
      if (this.#connections.draining) setImmediate(() => response.headersSent || serve())
      else serve()
    } else pipelined.push({ response, serve })
    if (pipelined !== undefined || (isLast && !hasBody(request))) socket.pause()
  }

  #hasWaiting(socket: Socket): boolean {
    return (this.#pipelined.get(socket)?.length ?? 0) > 0
  }

  /** Serves the next waiting request of a connection. */
  #next(socket: Socket): void {
    const pipelined = this.#pipelined.get(socket)
    // Requests behind a response that ends the connection are not carried out.
    const next = socket.writable ? pipelined?.shift() : undefined
    if (next === undefined) this.#pipelined.delete(socket)
    // Its body may have been refused as malformed while it waited.
    else if (!next.response.headersSent) next.serve()
    if (!socket.writable) return
    // Node resumes reading after each response.
    if (pipelined !== undefined && pipelined.length > 0) socket.pause()
    else socket.resume()
  }

  #serve(request: IncomingMessage, response: ServerResponse, asksToContinue: boolean): void {
    const outgoing = responseWithoutService(request) ?? this.#refusedBody(request)
    if (outgoing !== null) {
      this.#sendRefusal(request, response, outgoing)
      return
    }
    if (asksToContinue) response.writeContinue()
    if (hasBody(request)) this.#receive(request, response)
    else this.#respond(request, response, noBody)
  }

  #refusedBody(request: IncomingMessage): OutgoingResponse | null {
    const length = Number(request.headers['content-length'] ?? 0)
    const isChunked = request.headers['transfer-encoding'] !== undefined
    if (this.options.bodyRefusal && (length > 0 || isChunked)) return this.options.bodyRefusal(request.headers.origin)
    if (length <= this.options.bodyLimit) return null
    const bodyLimit = this.#bodyLimitOf(request)
    return length > bodyLimit ? tooLarge(bodyLimit) : null
  }

  #bodyLimitOf(request: IncomingMessage): number {
    const { bodyLimit, bodyLimitOf } = this.options
    return bodyLimitOf === undefined ? bodyLimit : bodyLimitOf(this.#incoming(request, noBody))
  }

  /** Responds to a request that does not reach the service. The rest of its bytes are read and discarded. */
  #sendRefusal(request: IncomingMessage, response: ServerResponse, outgoing: OutgoingResponse): void {
    const { method = 'GET', url = '/', socket } = request
    this.#reportRefused(socket, outgoing, { method, path: splitTarget(url).path })
    this.#refused.add(socket)
    const connection = this.#connections.of(socket)
    if (connection) connection.isEnding = true
    sendLast(response, method, outgoing)
    connection?.watch()
  }

  /** Responds to bytes that are no request, and ends the connection. */
  readonly #refuseSocket = (socket: Socket, outgoing: OutgoingResponse): void => {
    this.#reportRefused(socket, outgoing)
    this.#connections.of(socket)?.endWith(rawResponse(outgoing))
  }

  #reportRefused(
    { remoteAddress = '' }: Socket,
    { status }: OutgoingResponse,
    request: Partial<RefusedRequest> = {},
  ): void {
    this.options.onRefused?.({ ...request, status, address: remoteAddress })
  }

  #began({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.of(socket)
    if (connection === undefined) return
    this.#connections.began(connection)
    response.once('close', () => this.#connections.responseSent(connection))
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const { forms, usualBodyLimit = this.options.bodyLimit } = this.options
    const bodyLimit = this.#bodyLimitOf(request)
    if (bodyLimit > usualBodyLimit) this.#connections.receivesLarge(request.socket)
    const reception: Reception = {
      request,
      response,
      bodyLimit,
      onEnd: () => this.#connections.received(request.socket, response),
      refuse: (outgoing) => this.#sendRefusal(request, response, outgoing),
      serve: (body, form) => this.#respond(request, response, body, form),
    }
    if (forms && isForm(request))
      receiveForm(new FormReader({ headers: headersOf(request.rawHeaders) }, forms), reception)
    else receiveBody(reception)
  }

  #respond(request: IncomingMessage, response: ServerResponse, body: Uint8Array, form?: ReceivedForm): void {
    const incoming = this.#incoming(request, body)
    this.respond(form === undefined ? incoming : { ...incoming, form }, (outgoing) =>
      this.#connections.largeResponses.send(outgoing.body.length, () => this.#send(request, response, outgoing)),
    )
  }

  #send(request: IncomingMessage, response: ServerResponse, outgoing: OutgoingResponse): void {
    if (response.destroyed) {
      outgoing.stream?.cancel()
      return
    }
    const { socket } = request
    const connection = this.#connections.of(socket)
    const hasMore = socket.isPaused() || (this.#pipelined.get(socket)?.length ?? 0) > 0
    if (connection && this.#connections.isLastResponse(connection, hasMore)) response.shouldKeepAlive = false
    if (connection && !response.shouldKeepAlive) connection.isEnding = true
    if (outgoing.stream !== undefined) {
      void this.#sendStream(response, socket, outgoing, outgoing.stream)
      return
    }
    send(response, request.method ?? 'GET', outgoing)
    connection?.watch()
  }

  async #sendStream(
    response: ServerResponse,
    socket: Socket,
    outgoing: OutgoingResponse,
    stream: OutgoingStream,
  ): Promise<void> {
    writeStreamHead(response, outgoing, stream)
    const connection = this.#connections.of(socket)
    if (!(await sendStream(stream, response, socket, connection))) return
    response.end()
    connection?.watch()
  }

  #incoming(request: IncomingMessage, body: Uint8Array): IncomingRequest {
    const { path, query } = splitTarget(request.url ?? '/')
    const headers = headersOf(request.rawHeaders)
    const encrypted = 'encrypted' in request.socket
    const { trustedProxies } = this.options
    const origin = trustedProxies.originOf(
      trustedProxies.peerOf(request.socket.remoteAddress ?? ''),
      encrypted,
      headers,
    )
    return { method: request.method ?? 'GET', path, query, headers, body, ...origin, client: request.socket }
  }

  /** Responds to bytes that are not HTTP or not complete, after the responses that are due, and ends the connection. */
  #refuseBytes(error: NodeJS.ErrnoException, socket: Socket): void {
    // The client was told that what follows its last request is not read.
    if (error.code === 'HPE_CLOSED_CONNECTION') return
    const outgoing = parserRefusal(error)
    const response = this.#connections.receiving(socket)
    if (error.code === 'ECONNRESET') socket.destroy()
    // The connection is ending. Further bytes or errors must not destroy its final response or cause another one.
    else if (!socket.writable || this.#refused.has(socket)) return
    else if (response === null) this.#refuseSocket(socket, outgoing)
    else {
      this.#connections.received(socket, response)
      this.#sendRefusal(response.req, response, outgoing)
    }
  }
}
