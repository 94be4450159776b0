import { subscribe } from 'node:diagnostics_channel'
import { connect, type Socket } from 'node:net'
import type { IncomingRequest } from '../../src/http/exchange.js'
import { TrustedProxies } from '../../src/http/trusted-proxies.js'
import { NodeServer } from '../../src/server/server.js'
import { respondBy } from '../../test/support/responder.js'
import { respond } from './respond.js'

/** What a client saw of its connection, and what the service saw of the client. */
export interface Outcome {
  /** Every byte that came, one character each, with the dates replaced. */
  readonly received: string
  /** `kept open`: a further request was sent after the bytes of the case. The second word tells of the end. */
  readonly fate: `${'kept open, ' | ''}${End}`
  /** The requests that were carried out. */
  readonly requests: readonly string[]
}

type End = 'closed' | 'reset' | 'no end'

/** What a client does after the bytes of a case: one more request if it can, or it closes its side at once. */
export type Ending = 'request' | 'close'

/** Limits of seconds, so that none is reached by a case, nor by a machine that is busy with something else. */
const timeouts = { headers: 600_000, request: 600_000, idle: 600_000, stalled: 600_000, linger: 600_000 }
/** Turns of the event loop without any change, after which a connection has come to rest. */
const quietTurns = 3
/** Milliseconds after the latest segment in which an exchange has to come to rest, or it is a finding. */
const timeLimit = 20_000
export const bodyLimit = 2_000
const furtherRequest = 'GET /further HTTP/1.1\r\nHost: x\r\n\r\n'

/** The sockets of both servers by the port of their clients, and what was seen on them. */
interface ServerSide {
  readonly socket: Socket
  readonly requests: string[]
  /** Requests whose responses are not made yet. */
  pending: number
}

const serverSides = new Map<string, ServerSide>()
const sidesBySocket = new WeakMap<Socket, ServerSide>()

subscribe('net.server.socket', (message) => {
  const { socket } = message as { socket: Socket }
  const side: ServerSide = { socket, requests: [], pending: 0 }
  const key = keyOf(socket.localPort, socket.remoteAddress, socket.remotePort)
  serverSides.set(key, side)
  sidesBySocket.set(socket, side)
  socket.once('close', () => serverSides.delete(key))
})

function keyOf(serverPort: number | undefined, address: string | undefined, clientPort: number | undefined): string {
  return `${serverPort} ${address} ${clientPort}`
}

/** A server on one of the ways from the socket. */
export class Way {
  readonly #server: NodeServer
  #port = 0
  #clients = 0

  constructor(readonly hasFastPath: boolean) {
    const trustedProxies = new TrustedProxies([])
    this.#server = new NodeServer(respondBy(observed), { bodyLimit, hasFastPath, trustedProxies, timeouts })
  }

  async listen(): Promise<this> {
    this.#port = (await this.#server.listen(0, '127.0.0.1')).port
    return this
  }

  async close(): Promise<void> {
    await this.#server.close(0)
  }

  /** Sends segments one by one, each when the one before it has had its effect. */
  exchange(segments: readonly Buffer[], ending: Ending): Promise<Outcome> {
    this.#clients += 1
    // Ports of closed connections stay reserved for a minute. Many addresses have enough of them.
    const localAddress = `127.0.0.${2 + (this.#clients % 200)}`
    const socket = connect({ port: this.#port, host: '127.0.0.1', localAddress, allowHalfOpen: true, noDelay: true })
    return new Promise((resolve) => new Exchange(socket, this.#port, segments, ending, resolve))
  }
}

function observed(request: IncomingRequest): ReturnType<typeof respond> {
  const side = sidesBySocket.get(request.client as Socket)
  if (side === undefined) throw new Error('A request came from a socket that nobody opened.')
  const { method, path, query, headers, body } = request
  side.requests.push(JSON.stringify([method, path, query, headers, Buffer.from(body).toString('latin1')]))
  const outgoing = respond(request)
  if (!(outgoing instanceof Promise)) return outgoing
  side.pending += 1
  return outgoing.finally(() => (side.pending -= 1))
}

/** One client. A single timer of turns drives all of them. */
class Exchange {
  /** When the latest segment was sent. A busy machine takes long for many of them. */
  #sentAt = performance.now()
  readonly #chunks: Buffer[] = []
  #side: ServerSide | undefined
  #next = 0
  #sent = 0
  #hasEnded = false
  #isReset = false
  #isKeptOpen = false
  #state = ''
  #quiet = 0

  constructor(
    readonly socket: Socket,
    readonly port: number,
    readonly segments: readonly Buffer[],
    readonly ending: Ending,
    readonly resolve: (outcome: Outcome) => void,
  ) {
    socket.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    socket.on('end', () => (this.#hasEnded = true))
    socket.on('error', () => (this.#isReset = true))
    running.add(this)
    if (running.size === 1) setImmediate(turn)
  }

  /** @returns whether the exchange is over. */
  turn(): boolean {
    if (performance.now() - this.#sentAt > timeLimit) return this.#finish('no end')
    if (this.#isReset) return this.#finish('reset')
    if (!this.#isAtRest()) return false
    if (this.#hasEnded) return this.#finish('closed')
    const segment = this.segments[this.#next]
    if (segment !== undefined) {
      this.#next += 1
      this.#send(segment)
      if (this.#next === this.segments.length && this.ending === 'close') this.socket.end()
    } else if (!this.#isKeptOpen) {
      this.#isKeptOpen = true
      this.#send(Buffer.from(furtherRequest))
    } else this.socket.end()
    return false
  }

  #send(bytes: Buffer): void {
    this.#sent += bytes.length
    this.#sentAt = performance.now()
    this.#quiet = 0
    this.socket.write(bytes)
  }

  /** Whether both sides have read everything, nothing is being made, and nothing has changed for some turns. */
  #isAtRest(): boolean {
    const { socket } = this
    this.#side ??= serverSides.get(keyOf(this.port, socket.localAddress, socket.localPort))
    const side = this.#side
    if (socket.connecting || side === undefined) return false
    const server = side.socket
    const state = `${server.bytesRead} ${server.bytesWritten} ${socket.bytesRead} ${this.#hasEnded} ${server.destroyed}`
    this.#quiet = state === this.#state ? this.#quiet + 1 : 0
    this.#state = state
    if (this.#hasEnded) return this.#quiet >= quietTurns
    // The end is on its way.
    if (socket.writableEnded || server.writableEnded || server.destroyed) return false
    const isRead = server.bytesRead === this.#sent && server.bytesWritten === socket.bytesRead
    return isRead && side.pending === 0 && this.#quiet >= quietTurns
  }

  #finish(end: End): true {
    const received = Buffer.concat(this.#chunks)
      .toString('latin1')
      .replaceAll(/^Date: .*$/gm, 'Date: now')
    if (this.#side) serverSides.delete(keyOf(this.port, this.socket.localAddress, this.socket.localPort))
    this.socket.destroy()
    this.resolve({ received, fate: this.#isKeptOpen ? `kept open, ${end}` : end, requests: this.#side?.requests ?? [] })
    return true
  }
}

const running = new Set<Exchange>()

function turn(): void {
  for (const exchange of running) if (exchange.turn()) running.delete(exchange)
  if (running.size > 0) setImmediate(turn)
}
