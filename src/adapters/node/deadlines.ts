/** Somebody who does not wait for ever. */
export interface Patient {
  /** By the clock of the `Deadlines` that it was given to; infinite while it waits for nothing. */
  deadline: number
  /** The deadline has passed. It is called again, each time, until the deadline is another one. */
  expired(): void
}

/**
 * Watches the deadlines of many with one timer. A timer for each connection would be moved by each request, twice, and
 * cost it a twentieth of its time.
 */
export class Deadlines {
  readonly #patients = new Set<Patient>()
  readonly #interval: number
  #timer: NodeJS.Timeout | undefined
  #now = 0

  /** @param shortest patience in milliseconds; nobody waits longer than he said by more than half of it, or two seconds. */
  constructor(shortest: number) {
    this.#interval = Math.max(1, Math.min(shortest / 4, 1000))
  }

  /** The deadline of whoever waits so many milliseconds from now on. */
  in(milliseconds: number): number {
    // The clock may be late by one interval.
    return this.#now + milliseconds + this.#interval
  }

  watch(patient: Patient): void {
    this.#patients.add(patient)
    if (this.#timer !== undefined) return
    this.#now = performance.now()
    this.#timer = setInterval(() => this.#look(), this.#interval)
    this.#timer.unref()
  }

  forget(patient: Patient): void {
    this.#patients.delete(patient)
    if (this.#patients.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #look(): void {
    this.#now = performance.now()
    for (const patient of this.#patients) if (patient.deadline <= this.#now) patient.expired()
  }
}
