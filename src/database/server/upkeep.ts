/** Milliseconds between two rounds. */
const interval = 1000

/**
 * Calls `round` every second, unless the last call still runs. Its errors are dropped: the next round tries again.
 * @returns a function that ends the calls.
 */
export function startUpkeep(round: () => Promise<void>): () => void {
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    void round()
      .catch(() => undefined)
      .finally(() => (isRunning = false))
  }, interval).unref()
  return () => clearInterval(timer)
}
