import { setTimeout as sleep } from 'node:timers/promises'
import { lostLock } from '../storage-error.js'
import type { Waiting } from '../store-adapter.js'

/** Milliseconds between two attempts. */
const interval = 50
/** Milliseconds until the waiting counts as long. */
const longWait = 1000

/**
 * Waits for a lock that ends with its connection. The attempt is repeated, because a statement that waits for the lock would be
 * ended by its time limit.
 * @param attempt whether the connection has got the lock now.
 * @throws the reason of `waiting.signal`
 */
export async function heldLock(
  connection: { readonly isOpen: boolean; close(): Promise<void> },
  attempt: () => Promise<boolean>,
  { onLong, signal }: Waiting,
): Promise<{ requireHeld(): void; end(): Promise<void> }> {
  const requireHeld = (): void => {
    if (!connection.isOpen) throw lostLock()
  }
  const startedAt = performance.now()
  try {
    for (let isReported = false; ;) {
      signal?.throwIfAborted()
      if (await attempt()) return { requireHeld, end: () => connection.close() }
      if (!isReported && performance.now() - startedAt > longWait) {
        isReported = true
        onLong?.()
      }
      await sleep(interval, undefined, signal && { signal }).catch(() => undefined)
    }
  } catch (error) {
    await connection.close()
    throw error
  }
}
