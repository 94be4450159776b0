import type { Socket } from 'node:net'
import type { IdleTimeouts, TimedConnection } from './idle-timeouts.js'

/** How long the body of a request may take. */
export interface BodyTime {
  /** The time for a body of any size, in milliseconds. */
  readonly minTimeout: number
  /**
   * Each of this many received bytes extends the time for a large body by one second. The remaining time never exceeds
   * `minTimeout`.
   */
  readonly bytesPerSecond: number
  /** Called when a body has not arrived in time, possibly more than once. */
  readonly onTimeout: (socket: Socket) => void
}

/** A body that is arriving. */
export class ArrivingBody implements TimedConnection {
  deadline: number
  /**
   * Whether received bytes extend its time. True only on routes with a larger body limit: elsewhere a client could fill the
   * memory with many bodies that it sends slowly.
   */
  isLarge = false
  readonly #socket: Socket
  readonly #time: BodyTime
  #bytesRead: number

  constructor(socket: Socket, time: BodyTime, deadlines: IdleTimeouts) {
    this.#socket = socket
    this.#time = time
    this.#bytesRead = socket.bytesRead
    this.deadline = deadlines.in(time.minTimeout)
  }

  expired(now: number): void {
    const { minTimeout, bytesPerSecond, onTimeout } = this.#time
    const { bytesRead } = this.#socket
    const extension = this.isLarge ? ((bytesRead - this.#bytesRead) / bytesPerSecond) * 1000 : 0
    // At most `minTimeout`: a client that sends much at once must not keep it in memory for long by sending nothing more.
    this.deadline = Math.min(this.deadline + extension, now + minTimeout)
    this.#bytesRead = bytesRead
    // The server has paused reading: earlier requests are being served, or a temporary file is being written.
    if (this.#socket.isPaused()) this.deadline = now + minTimeout
    else if (this.deadline <= now) onTimeout(this.#socket)
  }
}
