import { connect, type Socket } from 'node:net'

/** Reading is synchronous, so all connections share one buffer. */
const shared = Buffer.allocUnsafe(1 << 18)
const headEnd = Buffer.from('\r\n\r\n')

/** @param milliseconds from the moment given to `send`. */
export type OnResponse = (connection: Connection, status: number, milliseconds: number) => void

/**
 * One keep-alive connection with one request at a time. It reads only what load takes: the status, and where the response
 * ends.
 */
export class Connection {
  readonly #socket: Socket
  readonly #onAnswer: OnResponse
  #sentAt = 0
  #status = 0
  /** Bytes of the body still to come; -1 until the end of a chunked one, null before the head is complete. */
  #missing: number | null = null
  #head = ''

  constructor(
    port: number,
    on: {
      readonly open: (connection: Connection) => void
      readonly response: OnResponse
      readonly fault: (error: Error) => void
    },
  ) {
    this.#onAnswer = on.response
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: shared,
        callback: (size, bytes) => {
          this.#read(bytes as Buffer, size)
          return true
        },
      },
    })
    this.#socket.once('connect', () => on.open(this))
    this.#socket.on('error', on.fault)
    this.#socket.on('end', () => on.fault(new Error('The server closed a connection.')))
  }

  send(request: Buffer, moment: number): void {
    this.#sentAt = moment
    this.#socket.write(request)
  }

  close(): void {
    this.#socket.removeAllListeners()
    this.#socket.on('error', () => undefined)
    this.#socket.destroy()
  }

  #read(bytes: Buffer, size: number): void {
    let body = 0
    if (this.#missing === null) {
      const end = bytes.subarray(0, size).indexOf(headEnd)
      if (end < 0) {
        this.#head += bytes.toString('latin1', 0, size)
        return
      }
      const head = this.#head + bytes.toString('latin1', 0, end)
      this.#head = ''
      this.#status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      this.#missing = length === undefined ? (/\r\ntransfer-encoding/i.test(head) ? -1 : 0) : Number(length)
      body = end + 4
    }
    if (this.#missing === -1) {
      if (bytes.toString('latin1', Math.max(body, size - 5), size) === '0\r\n\r\n') this.#done()
      return
    }
    this.#missing -= size - body
    if (this.#missing <= 0) this.#done()
  }

  #done(): void {
    this.#missing = null
    this.#onAnswer(this, this.#status, performance.now() - this.#sentAt)
  }
}
