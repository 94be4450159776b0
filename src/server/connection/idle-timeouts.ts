/** Somebody who does not wait for ever. */
export interface TimedConnection {
  /** By the clock of the `IdleTimeouts` that it was given to; infinite while it waits for nothing. */
  deadline: number
  /** The deadline has passed. It is called again, each time, until the deadline is another one. */
  expired(): void
}

/**
 * Watches the deadlines of many with one timer. A timer for each connection would be moved by each request, twice, and
 * cost it a twentieth of its time.
 */
export class IdleTimeouts {
  readonly #patients = new Set<TimedConnection>()
  readonly #interval: number
  #timer: NodeJS.Timeout | undefined
  #now = 0

  /**
   * @param shortest patience in milliseconds; nobody waits longer than he said by more than half of it, or two seconds,
   * beside the time in which this process was held up: then it could not hear that the other side had spoken.
   */
  constructor(shortest: number) {
    this.#interval = Math.max(1, Math.min(shortest / 4, 1000))
  }

  /** The deadline of whoever waits so many milliseconds from now on. */
  in(milliseconds: number): number {
    // The clock may be late by one interval; by more only when the process is held up, and then the next look corrects it.
    return this.#now + milliseconds + this.#interval
  }

  watch(patient: TimedConnection): void {
    this.#patients.add(patient)
    if (this.#timer !== undefined) return
    this.#now = performance.now()
    this.#timer = setInterval(() => this.#look(), this.#interval)
    this.#timer.unref()
  }

  forget(patient: TimedConnection): void {
    this.#patients.delete(patient)
    if (this.#patients.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    const before = this.#now
    this.#now = performance.now()
    const heldUp = Math.max(0, this.#now - before - this.#interval)
    for (const patient of this.#patients) {
      patient.deadline += heldUp
      if (patient.deadline <= this.#now) patient.expired()
    }
  }
}
