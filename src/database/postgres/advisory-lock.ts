import { setTimeout as sleep } from 'node:timers/promises'
import type { InitialisationTurn } from '../sql/first-start.js'
import type { Waiting } from '../store-adapter.js'
import { lockKey } from './lock-key.js'
import type { PostgresConnections } from './postgres-connections.js'

/** Milliseconds between two attempts. */
const interval = 50
/** Milliseconds until the waiting counts as long. */
const longWait = 1000

/**
 * Waits for an advisory lock and holds it with a connection of its own, so that it ends with the process. The lock is tried
 * again and again: a statement that waits for it would end with its time limit.
 * @throws the reason of `waiting.signal`
 */
export async function takeAdvisoryLock(
  connections: PostgresConnections,
  name: string,
  waiting: Waiting = {},
): Promise<InitialisationTurn> {
  const { onLong, signal } = waiting
  const key = String(lockKey(name))
  const begun = performance.now()
  const { connection } = await connections.open('writer')
  const end = (): Promise<void> => connection.close()
  try {
    for (let isReported = false; ;) {
      signal?.throwIfAborted()
      const { rows } = await connection.run('SELECT pg_try_advisory_lock(?::bigint)', [key])
      if (rows[0]?.[0] === 1) return { end }
      if (!isReported && performance.now() - begun > longWait) {
        isReported = true
        onLong?.()
      }
      await sleep(interval, undefined, signal && { signal }).catch(() => undefined)
    }
  } catch (error) {
    await end()
    throw error
  }
}
