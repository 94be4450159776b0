/**
 * How long a client may hold a connection, in milliseconds except for the rate. The time of handlers is limited in
 * `pipeline`.
 */
export interface Timeouts {
  /** From the start of a connection or request until all of its headers have arrived. */
  readonly headers: number
  /** From the headers until the body has arrived. */
  readonly body: number
  /** On routes with a larger body limit, each of this many received bytes extends the time for the body by one second. */
  readonly bytesPerSecond: number
  /** Between two requests on a connection. */
  readonly idle: number
  /** Until a client that reads nothing of its response is disconnected. */
  readonly stalled: number
  /** After the last response of a connection, until a client that neither sends nor closes is disconnected. */
  readonly linger: number
  /** How often `node:http` checks the limit `headers`. */
  readonly interval: number
}

export const defaultTimeouts: Timeouts = {
  headers: 20_000,
  body: 60_000,
  bytesPerSecond: 4096,
  idle: 65_000,
  stalled: 30_000,
  linger: 1_000,
  interval: 5_000,
}
