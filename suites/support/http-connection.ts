import { connect, type Socket } from 'node:net'

/** A response as it stood on the wire. */
export interface WireResponse {
  readonly status: number
  /** In the order of the wire, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** The first value of a header; null without one. @param name in lower case. */
export function headerOf({ headers }: WireResponse, name: string): string | null {
  return headers.find(([other]) => other === name)?.[1] ?? null
}

/** Bytes that are no HTTP/1.1 response, a connection that ended too early, or a deadline that passed. */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError'
}

interface Waiting {
  readonly isHead: boolean
  readonly resolve: (response: WireResponse) => void
  readonly reject: (error: ExchangeError) => void
  readonly timer: NodeJS.Timeout
}

/**
 * A keep-alive connection that sends any bytes and reads responses strictly: every line ends with CRLF, the length of a body
 * is said once, and no bytes arrive that belong to no response.
 */
export class HttpConnection {
  readonly #socket: Socket
  readonly #waiting: Waiting[] = []
  #received: Buffer = Buffer.alloc(0)
  #isOver = false
  /** What arrived without a request that it could answer. */
  #unsolicited = false
  /** Fulfilled when the connection is made, or cannot be made. */
  readonly opened: Promise<void>

  /** @param port on 127.0.0.1. */
  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.opened = new Promise((resolve) => this.#socket.once('connect', resolve).once('close', () => resolve()))
    this.#socket.on('error', (error) => this.#end(error.message))
    this.#socket.on('close', () => this.#end('The connection ended.'))
  }

  /** Whether the connection can carry another request. */
  get isOpen(): boolean {
    return !this.#isOver
  }

  get hasUnsolicitedBytes(): boolean {
    return this.#unsolicited
  }

  /**
   * Sends a request and reads its response. Requests that are sent before earlier ones are answered form a pipeline.
   * @param deadline in milliseconds.
   * @throws ExchangeError
   */
  exchange(bytes: Buffer, isHead: boolean, deadline: number): Promise<WireResponse> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) {
        reject(new ExchangeError('The connection had ended.'))
        return
      }
      const timer = setTimeout(() => this.#end(`No complete response within ${deadline} ms.`), deadline)
      this.#waiting.push({ isHead, resolve, reject, timer })
      this.#socket.write(bytes)
    })
  }

  close(): void {
    this.#end('The connection was closed.')
  }

  #end(reason: string): void {
    this.#isOver = true
    this.#socket.destroy()
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      reject(new ExchangeError(reason))
    }
  }

  #read(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      let parsed: ParsedResponse | null
      try {
        parsed = parseResponse(this.#received, first.isHead)
      } catch (error) {
        this.#end(error instanceof ExchangeError ? error.message : String(error))
        return
      }
      if (parsed === null) return
      this.#received = this.#received.subarray(parsed.length)
      // An interim response announces another one.
      if (parsed.response.status < 200) continue
      this.#waiting.shift()
      clearTimeout(first.timer)
      first.resolve(parsed.response)
    }
    if (this.#received.length > 0) this.#unsolicited = true
  }
}

interface ParsedResponse {
  readonly response: WireResponse
  /** In bytes. */
  readonly length: number
}

/** @returns null while the response is incomplete. @throws ExchangeError for anything that is no response. */
function parseResponse(bytes: Buffer, isHead: boolean): ParsedResponse | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const [, code] = /^HTTP\/1\.[01] (\d{3}) /.exec(statusLine) ?? []
  if (code === undefined) throw new ExchangeError(`This is no status line: ${JSON.stringify(statusLine)}`)
  const status = Number(code)
  const headers = lines.map((line) => headerLine(line))
  const lengths = headers.filter(([name]) => name === 'content-length')
  if (lengths.length > 1) throw new ExchangeError('The response has two lengths.')
  const isBodiless = isHead || status < 200 || status === 204 || status === 304
  const start = headEnd + 4
  const chunked = headers.some(([name]) => name === 'transfer-encoding')
  if (chunked && !isBodiless) {
    const decoded = decodeChunks(bytes, start)
    return decoded && { response: { status, headers, body: decoded.body }, length: decoded.end }
  }
  const [, length] = lengths[0] ?? []
  if (!isBodiless && (length === undefined || !/^\d+$/.test(length)))
    throw new ExchangeError(`The response ${status} has no length: ${JSON.stringify(head)}`)
  const end = start + (isBodiless ? 0 : Number(length))
  return bytes.length < end ? null : { response: { status, headers, body: bytes.subarray(start, end) }, length: end }
}

function headerLine(line: string): readonly [string, string] {
  const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+): ?(.*)$/.exec(line) ?? []
  if (name === undefined || value === undefined || /[\r\n\0]/.test(value))
    throw new ExchangeError(`This is no header: ${JSON.stringify(line)}`)
  return [name.toLowerCase(), value]
}

function decodeChunks(bytes: Buffer, start: number): { readonly body: Buffer; readonly end: number } | null {
  const chunks: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return null
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(size)) throw new ExchangeError('This is no chunk.')
    const next = lineEnd + 2 + size + 2
    if (bytes.length < next) return null
    if (size === 0) return { body: Buffer.concat(chunks), end: next }
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = next
  }
}
