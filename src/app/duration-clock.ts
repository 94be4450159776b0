/**
 * The clock that measures durations, in milliseconds. It is monotonic: if the system time is set back, no wait becomes longer. A
 * clock of the option `clock` is used as it is, so that tests can let time pass.
 * @param clock the option, or its default `Date.now`.
 */
export const durationClock = (clock: () => number): (() => number) =>
  clock === Date.now ? () => performance.now() : clock

/** The clock of the option `clock`. Null for the default: the time of the database server or of Redis is used then, which all machines share. */
export const configuredClock = (clock: () => number): (() => number) | null => (clock === Date.now ? null : clock)
