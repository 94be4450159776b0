/**
 * How long a client may hold a connection, in milliseconds except for the rate. The time of handlers is limited in
 * `pipeline`.
 */
export interface Timeouts {
  /** Until all headers have arrived. */
  readonly headers: number
  /** From the headers until the body has arrived. */
  readonly body: number
  /** On a route with a larger limit than usual, a second more for each of so many bytes that have arrived. */
  readonly bytesPerSecond: number
  /** Between two requests on a connection. */
  readonly idle: number
  /** While the client reads nothing of a response. */
  readonly stalled: number
  /** While a client sends nothing more after the last response, and does not close its side either. */
  readonly linger: number
  /** The interval at which the first is checked. */
  readonly interval: number
}

export const usualTimeouts: Timeouts = {
  headers: 20_000,
  body: 60_000,
  bytesPerSecond: 4096,
  idle: 65_000,
  stalled: 30_000,
  linger: 1_000,
  interval: 5_000,
}
