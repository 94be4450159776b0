/** A connection that nothing uses. */
interface FreeConnection {
  readonly isOpen: boolean
  /** Whether it is older than it may become. */
  readonly isExpired: boolean
  /** For how long nothing has used it, in milliseconds. */
  readonly idleTime: number
}

/**
 * The connections that are to be closed: those that are too old, and of the others those that were idle for longer than `idleTimeout`
 * milliseconds, the longest ones first.
 * @param free connections that nothing uses.
 * @param spare how many may be closed because they were idle.
 */
export function oldConnections<Connection extends FreeConnection>(
  free: readonly Connection[],
  idleTimeout: number,
  spare: number,
): readonly Connection[] {
  const expired = free.filter(({ isOpen, isExpired }) => !isOpen || isExpired)
  const idle = free
    .filter((connection) => connection.idleTime > idleTimeout && !expired.includes(connection))
    .sort((first, second) => second.idleTime - first.idleTime)
  return [...expired, ...idle.slice(0, Math.max(0, spare - expired.length))]
}
