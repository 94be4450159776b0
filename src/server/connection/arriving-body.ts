import type { Socket } from 'node:net'
import type { IdleTimeouts, TimedConnection } from './idle-timeouts.js'

/** How long the body of a request may take. */
export interface BodyTime {
  /** In milliseconds, for any body. */
  readonly least: number
  /** A large body may take a second more for each of so many bytes that have arrived, but never wait longer than `least`. */
  readonly bytesPerSecond: number
  /** Called, perhaps more than once, when a body takes longer. */
  readonly onLate: (socket: Socket) => void
}

/** A body that is arriving. */
export class ArrivingBody implements TimedConnection {
  deadline: number
  /**
   * Whether its time grows with the bytes that have arrived. Only on routes with a larger limit than usual: elsewhere a client
   * could fill the memory with many bodies that it sends slowly.
   */
  isLarge = false
  readonly #socket: Socket
  readonly #time: BodyTime
  #bytesRead: number

  constructor(socket: Socket, time: BodyTime, deadlines: IdleTimeouts) {
    this.#socket = socket
    this.#time = time
    this.#bytesRead = socket.bytesRead
    this.deadline = deadlines.in(time.least)
  }

  expired(now: number): void {
    const { least, bytesPerSecond, onLate } = this.#time
    const { bytesRead } = this.#socket
    const earned = this.isLarge ? ((bytesRead - this.#bytesRead) / bytesPerSecond) * 1000 : 0
    // At most `least`: a client that sends much at once must not keep it in memory for long by sending nothing more.
    this.deadline = Math.min(this.deadline + earned, now + least)
    this.#bytesRead = bytesRead
    // The service itself reads nothing: requests before this one are served, or a temporary file is written.
    if (this.#socket.isPaused()) this.deadline = now + least
    else if (this.deadline <= now) onLate(this.#socket)
  }
}
