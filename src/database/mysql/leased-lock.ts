import { randomInt } from 'node:crypto'
import { heldLock } from '../server/held-lock.js'
import type { HeldLock } from '../sql/first-start.js'
import { number } from '../sql/row-values.js'
import type { SqlValue } from '../sql/sql-connection.js'
import type { TableNames } from '../sql/table-names.js'
import type { Waiting } from '../store-adapter.js'
import type { MysqlConnections } from './mysql-connections.js'
import { mysqlDialect } from './mysql-dialect.js'
import { isConflict } from './mysql-fault.js'
import { createLocksTable, locksTable } from './mysql-schema.js'

/** The rows of the locks, behind the slots of `lockRows`. */
const slots = { tables: 1025, 'first start': 1026 } as const

/** What is locked: the creation of tables, or a first start. */
export type LeasedLock = keyof typeof slots

/** Seconds after which a lock is free that its holder has not renewed, because its process was ended. */
const lease = 15
/** Milliseconds between two renewals. */
const renewal = 4000
/** Above the random part of a row's number; its other part is a time in seconds. */
const unit = 1_000_000

/**
 * Waits for a lock that holds at all nodes of a Galera cluster, where `GET_LOCK` holds at one. It is a row of the table of locks, whose
 * changes the nodes certify: the time at which it ends, and a random number, by which the holder knows it as its own. The holder renews
 * it until `end`. Creates the table when it is missing.
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
  const connection = await connections.open()
  const first = async (text: string, values: readonly SqlValue[] = []) =>
    (await connection.run(text, values)).rows[0]?.[0]
  const seconds = async (): Promise<number> => Math.floor(number(await first(`SELECT ${now}`)) / 1000)
  const newNumber = (begin: number): number => (begin + lease) * unit + randomInt(unit)
  let own = 0

  const attempt = async (): Promise<boolean> => {
    try {
      if ((await first(findTable, [table])) === undefined) await connection.run(createLocksTable(tables))
      const begin = await seconds()
      own = newNumber(begin)
      await connection.run(
        `INSERT INTO ${table} (slot, n) VALUES (?, ?) ON DUPLICATE KEY UPDATE n = CASE WHEN n < ? THEN ? ELSE n END`,
        [slot, own, begin * unit, own],
      )
      return number(await first(`SELECT n FROM ${table} WHERE slot = ?`, [slot])) === own
    } catch (error) {
      // Another node has written the row at the same time.
      if (isConflict(error)) return false
      throw error
    }
  }
  const replace = (next: number) =>
    connection.run(`UPDATE ${table} SET n = ? WHERE slot = ? AND n = ?`, [next, slot, own])
  const renew = async (): Promise<void> => {
    const next = newNumber(await seconds())
    if ((await replace(next)).matched === 1) own = next
  }

  await heldLock({ attempt, close: () => connection.close() }, waiting)
  let last: Promise<unknown> = Promise.resolve()
  // What fails is tried again, before the lease is over.
  const timer = setInterval(() => (last = last.then(renew).catch(() => undefined)), renewal)
  timer.unref()
  let ended: Promise<void> | null = null
  const end = async (): Promise<void> => {
    clearInterval(timer)
    await last
    // Without it the lock ends with its lease.
    await replace(0).catch(() => undefined)
    await connection.close()
  }
  return { end: () => (ended ??= end()) }
}
