import { setTimeout as sleep } from 'node:timers/promises'
import { backoffDelay, type Backoff } from '../backoff.js'

/** Maximum number of connections that are opened at the same time: the handshake costs the server far more than a statement. */
const maxOpening = 2
/** The delays between two attempts to reach a server that has failed, in milliseconds. */
const reconnecting: Backoff = { first: 50, max: 1000 }
/** Maximum random delay after an outage, in milliseconds, so that processes do not connect all at once. */
const jitter = 200
/** Milliseconds after the loss of a connection or a failure that count as an outage. */
const outage = 2000

interface Failure {
  readonly error: unknown
  /** Until then nothing is tried. */
  readonly until: number
}

/** Opens the connections of one database, so that a server that comes back is not overrun. */
export class ConnectionOpener {
  #opening = 0
  readonly #waiting: (() => void)[] = []
  #failures = 0
  #failure: Failure | null = null
  #lostAt = Number.NEGATIVE_INFINITY

  /** Whether the last attempt has failed. */
  get isFailing(): boolean {
    return this.#failure !== null
  }

  /** Called when a connection was lost. Others were probably lost too, so the next attempts are delayed at random. */
  connectionLost(): void {
    this.#lostAt = performance.now()
  }

  /**
   * Opens a connection. While the server cannot be reached, attempts are made at growing intervals, and calls in between fail
   * immediately.
   * @throws the error of this attempt, or of the last one.
   */
  async open<T>(connect: () => Promise<T>): Promise<T> {
    this.#requireNoFailure()
    if (this.#opening >= maxOpening) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#opening += 1
    try {
      this.#requireNoFailure()
      if (performance.now() - this.#lostAt < outage) await sleep(Math.random() * jitter)
      return await this.#attempt(connect)
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#opening -= 1
      else next()
    }
  }

  #requireNoFailure(): void {
    if (this.#failure !== null && performance.now() < this.#failure.until) throw this.#failure.error
  }

  async #attempt<T>(connect: () => Promise<T>): Promise<T> {
    try {
      const connected = await connect()
      this.#failures = 0
      this.#failure = null
      return connected
    } catch (error) {
      this.#failures += 1
      this.#failure = { error, until: performance.now() + backoffDelay(this.#failures, reconnecting) }
      this.connectionLost()
      throw error
    }
  }
}
