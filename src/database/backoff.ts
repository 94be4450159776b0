import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between attempts: `first` after the first failure, twice as much after each further one, at most `max`. */
export interface Backoff {
  readonly first: number
  readonly max: number
}

/**
 * The time to wait after this many failures, in milliseconds. The second half of it is random, so that processes that
 * failed together do not try again together.
 */
export function backoffDelay(failures: number, { first, max }: Backoff): number {
  const delay = Math.min(max, first * 2 ** Math.min(failures - 1, 30))
  return delay / 2 + (Math.random() * delay) / 2
}

/** An attempt that is repeated, and when to stop. */
export interface RetryOptions<T> extends Backoff {
  attempt(): Promise<T>
  /** Whether another attempt may succeed. */
  isTemporary(error: unknown): boolean
  /** How long attempts go on, in milliseconds. */
  readonly limit: number
  /** Called once, after the first failed attempt that another one follows. */
  readonly onWait?: (error: unknown) => void
  readonly signal?: AbortSignal
}

/**
 * Repeats an attempt until it succeeds, fails for good, or the time is over.
 * @throws the last error, or the reason of the signal.
 */
export async function retry<T>(options: RetryOptions<T>): Promise<T> {
  const { attempt, isTemporary, limit, onWait, signal } = options
  const end = performance.now() + limit
  for (let failures = 1; ; failures += 1) {
    signal?.throwIfAborted()
    try {
      return await attempt()
    } catch (error) {
      const delay = backoffDelay(failures, options)
      if (!isTemporary(error) || performance.now() + delay > end) throw error
      if (failures === 1) onWait?.(error)
      await sleep(delay, undefined, signal && { signal }).catch(() => undefined)
    }
  }
}
