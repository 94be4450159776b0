import { setTimeout as sleep } from 'node:timers/promises'
import type { Waiting } from '../store-adapter.js'

/** Milliseconds between two attempts. */
const interval = 50
/** Milliseconds until the waiting counts as long. */
const longWait = 1000

export interface LockAttempts {
  /** Whether the connection has got the lock now. */
  attempt(): Promise<boolean>
  /** Closes the connection, which ends the lock. */
  close(): Promise<void>
}

/**
 * Waits for a lock that ends with its connection. It is tried again and again: a statement that waits for it would end with its
 * time limit.
 * @throws the reason of `waiting.signal`
 */
export async function heldLock(
  { attempt, close }: LockAttempts,
  { onLong, signal }: Waiting,
): Promise<{ end(): Promise<void> }> {
  const begun = performance.now()
  try {
    for (let isReported = false; ;) {
      signal?.throwIfAborted()
      if (await attempt()) return { end: close }
      if (!isReported && performance.now() - begun > longWait) {
        isReported = true
        onLong?.()
      }
      await sleep(interval, undefined, signal && { signal }).catch(() => undefined)
    }
  } catch (error) {
    await close()
    throw error
  }
}
