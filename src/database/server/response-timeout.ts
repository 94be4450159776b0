/** Number of parts in which the time is measured. */
const parts = 4

/**
 * Calls `expired` when a server has had `limit` milliseconds to respond. A time in which this process could not read its responses,
 * because the process was suspended or busy, counts as a quarter of the limit at most.
 * @returns a function that ends the wait.
 */
export function responseTimeout(limit: number, expired: () => void): () => void {
  let timer: NodeJS.Timeout
  let left = parts
  const wait = (): void => {
    timer = setTimeout(() => setImmediate(next), limit / parts)
  }
  // `setImmediate` runs after responses that wait in the sockets are read.
  const next = (): void => {
    if (left === 0) return
    left -= 1
    if (left === 0) expired()
    else wait()
  }
  wait()
  return () => {
    left = 0
    clearTimeout(timer)
  }
}
