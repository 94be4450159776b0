import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { IncomingRequest, OutgoingResponse } from '../../request/exchange.js'
import { Forwarding } from './forwarding.js'
import { rawRefusal, tooLarge } from './refusal.js'

export interface NodeServerOptions {
  /** Bytes. */
  readonly bodyLimit: number
  readonly trustedProxies: readonly string[]
}

/** Must not throw: what goes wrong inside is its own answer. */
export type Respond = (request: IncomingRequest) => Promise<OutgoingResponse>

const noBody = new Uint8Array(0)
/** Time-outs in milliseconds: a slow client may not hold a connection for ever. */
const limits = { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 }

/** The service on a socket, with nothing but Node's own server. */
export class NodeServer {
  readonly #server: Server
  readonly #forwarding: Forwarding
  #draining = false

  /** @throws RangeError for a trusted proxy that is no address. */
  constructor(
    readonly respond: Respond,
    readonly options: NodeServerOptions,
  ) {
    this.#forwarding = new Forwarding(options.trustedProxies)
    this.#server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
      this.#serve(request, response)
    })
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (socket.writable && error.code !== 'ECONNRESET') socket.end(rawRefusal(error.code))
      else socket.destroy()
    })
  }

  /** @returns the address listened on, with the port the system chose for 0. @throws when the port is taken. */
  listen(port: number, host: string): Promise<AddressInfo> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject)
        resolve(this.#server.address() as AddressInfo)
      })
    })
  }

  /** Takes no new connection, finishes the requests in flight, and ends what is left after `patience` milliseconds. */
  close(patience: number): Promise<void> {
    this.#draining = true
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#server.closeAllConnections(), patience)
      this.#server.close(() => {
        clearTimeout(deadline)
        resolve()
      })
      this.#server.closeIdleConnections()
    })
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const expectsBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
    if (!expectsBody) void this.#answer(request, response, noBody)
    else this.#readBody(request, response)
  }

  #readBody(request: IncomingMessage, response: ServerResponse): void {
    const { bodyLimit } = this.options
    const chunks: Buffer[] = []
    let size = 0
    let refused = Number(request.headers['content-length'] ?? 0) > bodyLimit
    if (refused) this.#refuseBody(request, response)
    request.on('data', (chunk: Buffer) => {
      if (refused) return
      size += chunk.length
      if (size <= bodyLimit) chunks.push(chunk)
      else {
        refused = true
        chunks.length = 0
        this.#refuseBody(request, response)
      }
    })
    request.on('end', () => {
      if (!refused)
        void this.#answer(request, response, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks))
    })
    request.on('error', () => response.destroy())
  }

  /** Says so at once, and goes on reading for a moment: a client that is still writing would else never see the answer. */
  #refuseBody(request: IncomingMessage, response: ServerResponse): void {
    response.shouldKeepAlive = false
    send(response, request.method ?? 'GET', tooLarge(this.options.bodyLimit))
    const end = setTimeout(() => request.socket.destroy(), 2_000)
    end.unref()
    request.on('close', () => clearTimeout(end))
  }

  async #answer(request: IncomingMessage, response: ServerResponse, body: Uint8Array): Promise<void> {
    const answer = await this.respond(this.#incoming(request, body))
    if (response.destroyed) return
    if (this.#draining) response.shouldKeepAlive = false
    send(response, request.method ?? 'GET', answer)
  }

  #incoming(request: IncomingMessage, body: Uint8Array): IncomingRequest {
    const { path, query } = splitTarget(request.url ?? '/')
    const headers = request.headers as Readonly<Record<string, string | undefined>>
    const encrypted = 'encrypted' in request.socket
    const origin = this.#forwarding.originOf(request.socket.remoteAddress ?? '', encrypted, headers)
    return { method: request.method ?? 'GET', path, query, headers, body, ...origin }
  }
}

/** Path and query of a request target; the absolute form that proxies send is accepted. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  const relative = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const mark = relative.indexOf('?')
  const path = mark < 0 ? relative : relative.slice(0, mark)
  return { path: path.startsWith('/') ? path : `/${path}`, query: mark < 0 ? '' : relative.slice(mark + 1) }
}

function send(response: ServerResponse, method: string, { status, headers, body }: OutgoingResponse): void {
  const flat: string[] = []
  for (const [name, value] of headers) flat.push(name, headerText(value))
  const bodiless = status === 204 || status === 304
  if (!bodiless && method !== 'HEAD') flat.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, flat)
  if (bodiless || method === 'HEAD') response.end()
  else response.end(body)
}

/** Node refuses characters above U+00FF in a header: they are sent as the bytes of their UTF-8. Line breaks never pass. */
function headerText(value: string): string {
  const single = value.replace(/[\0\r\n]+/g, ' ')
  return /[^\x00-\xff]/.test(single) ? Buffer.from(single, 'utf8').toString('latin1') : single
}
