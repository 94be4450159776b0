/** A connection with a deadline. */
export interface TimedConnection {
  /** By the clock of its `IdleTimeouts`; infinite while it waits for nothing. */
  deadline: number
  /** Called at each check after the deadline, until the deadline changes. @param now by the same clock. */
  expired(now: number): void
}

/**
 * Watches the deadlines of all connections with one timer. A timer for each connection would be reset twice by each
 * request, which takes 5 % of the time of a request.
 */
export class IdleTimeouts {
  readonly #connections = new Set<TimedConnection>()
  readonly #interval: number
  #timer: NodeJS.Timeout | undefined
  #now = 0

  /**
   * @param shortest the shortest time-out, in milliseconds. A deadline is noticed at most half of it, or two seconds, too
   * late. The time in which this process was blocked is added, because it could not read what arrived.
   */
  constructor(shortest: number) {
    this.#interval = Math.max(1, Math.min(shortest / 4, 1000))
  }

  /** The deadline that is this many milliseconds from now. */
  in(milliseconds: number): number {
    // The clock is late by at most one interval, or more while the process is blocked. The next check corrects it.
    return this.#now + milliseconds + this.#interval
  }

  watch(connection: TimedConnection): void {
    this.#connections.add(connection)
    if (this.#timer !== undefined) return
    this.#now = performance.now()
    this.#timer = setInterval(() => this.#check(), this.#interval)
    this.#timer.unref()
  }

  forget(connection: TimedConnection): void {
    this.#connections.delete(connection)
    if (this.#connections.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #check(): void {
    const before = this.#now
    this.#now = performance.now()
    const blockedTime = Math.max(0, this.#now - before - this.#interval)
    for (const connection of this.#connections) {
      connection.deadline += blockedTime
      if (connection.deadline <= this.#now) connection.expired(this.#now)
    }
  }
}
