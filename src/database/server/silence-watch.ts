import { responseTimeout } from './response-timeout.js'

/** Milliseconds between two checks of the connections. */
const watchInterval = 500
/** Milliseconds after which a statement without a response makes the watch ping the server on another connection. */
const suspiciousSilence = 500
/** Milliseconds within which the server must answer the ping. */
const deadSilence = 2000

interface WatchedConnection {
  /** Milliseconds of silence after which it is given up even if the server answers. Left out: the connection has its own limit. */
  readonly maxSilence?: number
  /** For how long the server has left running statements without a response, in milliseconds; 0 without one. */
  readonly silence: number
}

/**
 * Finds a server that does not answer although its connections are open: it hangs, or the network loses all packets.
 * A statement may wait for a lock for long, so the watch pings the server before it gives connections up.
 */
export class SilenceWatch<Connection extends WatchedConnection> {
  readonly #open: ReadonlySet<Connection>
  readonly #ping: () => Promise<boolean>
  readonly #giveUp: (connection: Connection) => void
  readonly #timer: NodeJS.Timeout
  #isPinging = false
  #isEnded = false

  /**
   * @param open the connections that are watched.
   * @param ping runs a statement that waits for no lock, on another connection. Resolves to whether the server has answered.
   * @param giveUp is called with each silent connection of a server that has not, and with each that is silent for its `maxSilence`.
   */
  constructor(open: ReadonlySet<Connection>, ping: () => Promise<boolean>, giveUp: (connection: Connection) => void) {
    this.#open = open
    this.#ping = ping
    this.#giveUp = giveUp
    // `setImmediate`: after a long task of this process, responses wait in the sockets.
    this.#timer = setInterval(() => setImmediate(() => this.#check()), watchInterval).unref()
  }

  end(): void {
    this.#isEnded = true
    clearInterval(this.#timer)
  }

  #check(): void {
    if (this.#isEnded) return
    const silence = Math.max(0, ...[...this.#open].map((connection) => connection.silence))
    if (silence > suspiciousSilence && !this.#isPinging) void this.#pingServer()
    this.#giveUpSilent()
  }

  #giveUpSilent(limit = Infinity): void {
    for (const connection of this.#open)
      if (connection.silence > Math.min(limit, connection.maxSilence ?? Infinity)) this.#giveUp(connection)
  }

  async #pingServer(): Promise<void> {
    this.#isPinging = true
    let end!: () => void
    const silent = new Promise<boolean>((resolve) => {
      end = responseTimeout(deadSilence, () => resolve(false))
    })
    const hasAnswered = await Promise.race([this.#ping(), silent])
    end()
    this.#isPinging = false
    if (!hasAnswered && !this.#isEnded) this.#giveUpSilent(suspiciousSilence)
  }
}
