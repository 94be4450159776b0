/**
 * The clock that measures durations, in milliseconds: one that is never set, because a wall clock that is set back would
 * prolong every wait. A clock of the option `clock` measures them itself, so that tests can let time pass.
 * @param clock the option, or its default `Date.now`.
 */
export const durationClock = (clock: () => number): (() => number) =>
  clock === Date.now ? () => performance.now() : clock

/** The clock of the option `clock`; null for its default, in whose place several machines use the clock of one server. */
export const ownClock = (clock: () => number): (() => number) | null => (clock === Date.now ? null : clock)
