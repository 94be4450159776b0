import { connect, type Socket } from 'node:net'

/** A response as it stood on the wire. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name; several of a name joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Milliseconds until a test fails instead of waiting forever. No correct test takes this long, on a busy machine either. */
const limit = 300_000

/** A connection on which anything may be sent, HTTP or not. */
export class RawConnection {
  readonly socket: Socket
  #received = Buffer.alloc(0)
  #ended = false
  #wake: () => void = () => {}

  /** @param port on this machine. */
  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    this.socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk])
      this.#wake()
    })
    const end = () => {
      this.#ended = true
      this.#wake()
    }
    this.socket.on('end', end)
    this.socket.on('close', end)
    this.socket.on('error', end)
  }

  /** Text is sent with one byte per character. @returns false once the other side takes no more for now. */
  send(bytes: string | Uint8Array): boolean {
    return this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  }

  /**
   * The next response that arrives, without what follows it.
   * @param options.bodiless the response to a HEAD request.
   * @throws when the connection ends, or five minutes pass, before it is complete.
   */
  async response({ bodiless = false } = {}): Promise<RawResponse> {
    const deadline = performance.now() + limit
    for (;;) {
      const message = parsed(this.#received, bodiless)
      if (message) {
        this.#received = this.#received.subarray(message.length)
        if (message.response.status !== 100) return message.response
      } else if (this.#ended)
        throw new Error(`The connection ended with ${JSON.stringify(this.#received.toString('latin1'))}`)
      else await this.#more(deadline)
    }
  }

  /** Resolves when the other side has ended the connection; what it still sent is returned. @throws after five minutes. */
  async ended(): Promise<string> {
    const deadline = performance.now() + limit
    while (!this.#ended) await this.#more(deadline)
    return this.#received.toString('latin1')
  }

  close(): void {
    this.socket.destroy()
  }

  #more(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('Nothing came in time.')),
        Math.max(0, deadline - performance.now()),
      )
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** Sends bytes on a new connection and gives back the first response. */
export async function exchange(port: number, bytes: string | Uint8Array): Promise<RawResponse> {
  const connection = new RawConnection(port)
  try {
    connection.send(bytes)
    return await connection.response()
  } finally {
    connection.close()
  }
}

function parsed(bytes: Buffer, bodiless: boolean): { response: RawResponse; length: number } | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [first = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(first.split(' ')[1])
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const size = bodiless || status < 200 || status === 204 || status === 304 ? 0 : Number(headers['content-length'])
  const length = headEnd + 4 + size
  if (bytes.length < length) return null
  return { response: { status, headers, text: bytes.subarray(headEnd + 4, length).toString('utf8') }, length }
}
