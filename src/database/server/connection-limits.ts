import type { StoreOptions } from '../store-adapter.js'

/** Limits of the connections to a server, in milliseconds. */
export interface ConnectionLimits {
  /** The server ends a statement that takes longer. 0: none. */
  readonly statementTimeout: number
  /** The server ends a statement that waits longer for a row that another transaction has locked. */
  readonly lockTimeout: number
  /** The server ends a transaction in which nothing happens for longer, with its connection. 0: none. */
  readonly idleTransactionTimeout: number
  /** Time without traffic after which TCP sends keep-alive probes to the server. 0: never. */
  readonly keepAliveDelay: number
  /** A connection is closed when nothing has used it for longer, unless it is the last one of its kind. */
  readonly idleTimeout: number
  /** A connection that is older is closed when nothing uses it. Its successor resolves the address again. */
  readonly lifetime: number
}

/** The limits that options set, with their defaults. */
export const connectionLimits = ({
  statementTimeout = 30_000,
  lockTimeout = 5000,
  idleTransactionTimeout = 60_000,
  keepAliveDelay = 10_000,
  idleTimeout = 600_000,
  lifetime = 1_800_000,
}: StoreOptions & { readonly lockTimeout?: number }): ConnectionLimits => ({
  statementTimeout,
  lockTimeout,
  idleTransactionTimeout,
  keepAliveDelay,
  idleTimeout: idleTimeout === 0 ? Infinity : idleTimeout,
  lifetime: lifetime === 0 ? Infinity : lifetime,
})

/** The lifetime of one connection: up to a tenth shorter, so that those that were opened together are not replaced together. */
export const lifetimeOfOne = ({ lifetime }: ConnectionLimits): number => lifetime * (0.9 + Math.random() * 0.1)
