import { randomInt } from 'node:crypto'
import { retry } from '../backoff.js'
import { heldLock } from '../server/held-lock.js'
import type { HeldLock } from '../sql/first-start.js'
import { number } from '../sql/row-values.js'
import type { SqlReader, SqlValue } from '../sql/sql-connection.js'
import type { TableNames } from '../sql/table-names.js'
import { lostLock, StorageError } from '../storage-error.js'
import type { Waiting } from '../store-adapter.js'
import type { MysqlConnections } from './mysql-connections.js'
import { mysqlDialect } from './mysql-dialect.js'
import { isTemporaryFailure } from './mysql-fault.js'
import { createLocksTable, locksTable } from './mysql-schema.js'

/** The slots of the locks, after those of `lockRows`. */
const slots = { tables: 1025, 'first start': 1026 } as const

/** The locks of a start: for the creation of tables, and for a first start. */
export type LeasedLock = keyof typeof slots

/** Seconds after which a lock is free that its holder has not renewed, because its process was ended. */
const lease = 15
/** Milliseconds between two renewals. */
const renewal = 4000
/** The number of a row is a time in seconds, times this unit, plus the number of the holder, which is smaller. */
const unit = 1_000_000

const isBusy = (error: unknown): boolean => error instanceof StorageError && error.fault === 'busy'

/**
 * Waits for a lock that holds at all nodes of a Galera cluster, where `GET_LOCK` holds at one. It is a row of the table of locks, whose
 * changes the nodes certify: the time at which it ends, and a random number that identifies the holder. The holder renews it until
 * `end`, on a new connection when the first one is lost. When its renewals are held up for longer than a lease, another process may
 * take the lock, which `requireHeld` notices. Creates the table when it is missing.
 * @throws StorageError @throws the reason of `waiting.signal`
 */
export async function takeLeasedLock(
  connections: MysqlConnections,
  tables: TableNames,
  lock: LeasedLock,
  waiting: Waiting = {},
): Promise<HeldLock> {
  const table = locksTable(tables)
  const slot = slots[lock]
  const { findTable, now } = mysqlDialect('MariaDB')
  let connection = await connections.open()
  const first = async (text: string, values: readonly SqlValue[] = []) =>
    (await connection.run(text, values)).rows[0]?.[0]
  const seconds = async (): Promise<number> => Math.floor(number(await first(`SELECT ${now}`)) / 1000)
  const holder = randomInt(1, unit)
  const numberFrom = (begin: number): number => (begin + lease) * unit + holder

  const attempt = async (): Promise<boolean> => {
    try {
      if ((await first(findTable, [table])) === undefined) await connection.run(createLocksTable(tables))
      const begin = await seconds()
      const numberOfHolder = numberFrom(begin)
      await connection.run(
        `INSERT INTO ${table} (slot, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = CASE WHEN n < ? THEN ? ELSE n END`,
        [slot, numberOfHolder, begin * unit, numberOfHolder],
      )
      return number(await first(`SELECT n FROM ${table} WHERE slot = ?`, [slot])) === numberOfHolder
    } catch (error) {
      // Another node has written the row at the same time, or all nodes wait for the change of a large table.
      if (isBusy(error)) return false
      throw error
    }
  }
  /** Replaces the row of this holder, also after a renewal whose outcome is unknown. The row of another holder stays. */
  const replace = (next: number) =>
    connection.run(`UPDATE ${table} SET n = ? WHERE slot = ? AND n % ${unit} = ?`, [next, slot, holder])
  let isLost = false
  let ended: Promise<void> | null = null
  /** @throws StorageError `busy` for a renewal that was held up: the end that it has stored is near or in the past. */
  const renewOnce = async (): Promise<void> => {
    const startedAt = performance.now()
    if (!connection.isOpen) connection = await connections.open()
    isLost = (await replace(numberFrom(await seconds()))).matched === 0
    if (!isLost && performance.now() - startedAt > renewal) throw lostLock()
  }
  let renewing: Promise<void> | null = null
  const renew = (): Promise<void> =>
    (renewing ??= retry({
      attempt: renewOnce,
      isTemporary: (error) => ended === null && (isBusy(error) || isTemporaryFailure(error)),
      limit: lease * 1000,
      first: 50,
      max: 1000,
    }).finally(() => (renewing = null)))

  await heldLock(connection, attempt, waiting)
  const timer = setInterval(() => {
    if (!isLost) renew().catch(() => undefined)
  }, renewal).unref()
  const requireHeld = async (): Promise<void> => {
    // A renewal that began earlier is not enough: its lease may soon end.
    await renewing?.catch(() => undefined)
    if (!isLost) await renew()
    if (isLost) throw lostLock()
  }
  const end = async (): Promise<void> => {
    clearInterval(timer)
    await renewing?.catch(() => undefined)
    // When this fails, the lock ends with its lease.
    await replace(0).catch(() => undefined)
    await connection.close()
  }
  return { requireHeld, end: () => (ended ??= end()) }
}

/** Whether a process has the lock, or had it when it ended less than a lease ago. Takes nothing. */
export async function isLeasedLockTaken(reader: SqlReader, tables: TableNames, lock: LeasedLock): Promise<boolean> {
  const { findTable, now } = mysqlDialect('MariaDB')
  const table = locksTable(tables)
  if ((await reader.query(findTable, [table])).length === 0) return false
  const [row] = await reader.query(`SELECT n, ${now} FROM ${table} WHERE slot = ?`, [slots[lock]])
  return row !== undefined && number(row[0]) >= Math.floor(number(row[1]) / 1000) * unit
}
