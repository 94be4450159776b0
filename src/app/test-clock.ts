/** The clock of a test service. It stands still until the test turns it. */
export class TestClock {
  #now: number

  /** @param now milliseconds since 1970. */
  constructor(now: number) {
    this.#now = now
  }

  /** Milliseconds since 1970. */
  readonly now = (): number => this.#now

  /**
   * Turns the clock forward.
   * @param duration milliseconds from 0 on: `await service.clock.advance(24 * 60 * 60 * 1000)`.
   * @throws RangeError
   */
  advance(duration: number): void {
    if (!(duration >= 0 && Number.isFinite(duration)))
      throw new RangeError(`clock.advance: ${duration} is not a number of milliseconds from 0 on.`)
    this.#now += duration
  }

  /** Sets the clock, forward or back. @throws RangeError for an invalid date. */
  set(time: Date | string | number): void {
    this.#now = millisecondsOf(time)
  }
}

/** @throws RangeError for an invalid date. */
export function millisecondsOf(time: Date | string | number): number {
  const milliseconds = new Date(time).getTime()
  if (Number.isNaN(milliseconds)) throw new RangeError(`The time '${String(time)}' is not a date.`)
  return milliseconds
}
