import { heldLock } from '../server/held-lock.js'
import type { HeldLock } from '../sql/first-start.js'
import type { SqlReader } from '../sql/sql-connection.js'
import { number } from '../sql/row-values.js'
import type { Waiting } from '../store-adapter.js'
import type { MysqlConnections } from './mysql-connections.js'

/**
 * Waits for a lock of the server and holds it with a separate connection, so that it ends with the process. In a
 * Galera cluster it would exclude only processes that are connected to the same node: see `takeLeasedLock`.
 * @param name at most 64 characters. All databases of a server share these names.
 * @throws the reason of `waiting.signal`
 */
export async function takeUserLock(
  connections: MysqlConnections,
  name: string,
  waiting: Waiting = {},
): Promise<HeldLock> {
  const connection = await connections.open()
  const attempt = async (): Promise<boolean> => {
    const { rows } = await connection.run('SELECT GET_LOCK(?, 0)', [name])
    return number(rows[0]?.[0]) === 1
  }
  return heldLock(connection, attempt, waiting)
}

/** Whether a session has the lock of this name. Takes nothing. */
export async function isUserLockTaken(reader: SqlReader, name: string): Promise<boolean> {
  return (await reader.query('SELECT IS_USED_LOCK(?)', [name]))[0]?.[0] != null
}
