import { setTimeout as sleep } from 'node:timers/promises'
import type { InitialisationTurn } from '../sql/first-start.js'
import { number } from '../sql/row-values.js'
import type { Waiting } from '../store-adapter.js'
import type { MysqlConnections } from './mysql-connections.js'

/** Milliseconds between two attempts. */
const interval = 50
/** Milliseconds until the waiting counts as long. */
const longWait = 1000

/**
 * Waits for a lock of the server and holds it with a connection of its own, so that it ends with the process. The lock is
 * tried again and again: a statement that waits for it would end with its time limit. On Galera it holds among the processes
 * of one node only.
 * @param name the same for all prefixes and databases of a server that are locked together; at most 64 characters.
 * @throws the reason of `waiting.signal`
 */
export async function takeUserLock(
  connections: MysqlConnections,
  name: string,
  { onLong, signal }: Waiting = {},
): Promise<InitialisationTurn> {
  const begun = performance.now()
  const connection = await connections.open()
  const end = (): Promise<void> => connection.close()
  try {
    for (let isReported = false; ;) {
      signal?.throwIfAborted()
      const { rows } = await connection.run('SELECT GET_LOCK(?, 0)', [name])
      if (number(rows[0]?.[0]) === 1) return { end }
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
