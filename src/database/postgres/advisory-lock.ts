import { heldLock } from '../server/held-lock.js'
import type { HeldLock } from '../sql/first-start.js'
import type { SqlReader } from '../sql/sql-connection.js'
import type { Waiting } from '../store-adapter.js'
import { lockKey } from './lock-key.js'
import type { PostgresConnections } from './postgres-connections.js'

/**
 * Waits for an advisory lock and holds it with a separate connection, so that it ends with the process.
 * @throws the reason of `waiting.signal`
 */
export async function takeAdvisoryLock(
  connections: PostgresConnections,
  name: string,
  waiting: Waiting = {},
): Promise<HeldLock> {
  const key = String(lockKey(name))
  const { connection } = await connections.open('writer')
  const attempt = async (): Promise<boolean> => {
    const { rows } = await connection.run('SELECT pg_try_advisory_lock(?::bigint)', [key])
    return rows[0]?.[0] === 1
  }
  return heldLock(connection, attempt, waiting)
}

/** Whether a session has the lock of this name. Takes nothing. */
export async function isAdvisoryLockTaken(reader: SqlReader, name: string): Promise<boolean> {
  const rows = await reader.query(
    `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND (classid::bigint << 32) | objid::bigint = ?::bigint`,
    [String(lockKey(name))],
  )
  return rows.length > 0
}
