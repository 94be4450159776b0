import type { TableNames } from '../sql/table-names.js'
import { locksTable } from './mysql-schema.js'
import { versionsQuery } from './mysql-versions.js'
import type { WriterLocks } from './writer-locks.js'

/** The number of slots for names. */
const slots = 1024
/** The slot of work that runs again after a conflict. `slotOf` never returns it. */
const queueSlot = slots

/** Locks that are rows of the table of locks, which this package creates. */
export const lockRows = (tables: TableNames): WriterLocks => ({
  ofNames: (names) => [lockStatement(tables, names)],
  ofRepeatedWork: [lockSlots(tables, [queueSlot])],
  // The counters of writes. A transaction reads them without a lock, so that it does not wait for other writers.
  unlocked: versionsQuery(tables),
})

/**
 * Locks names until the end of a transaction: each stands for a row, which the transaction changes. A change, unlike a lock
 * for reading, is certified by the nodes of a Galera cluster. All writers lock the rows of one call in the same order.
 */
function lockStatement(tables: TableNames, names: readonly string[]): string {
  return lockSlots(
    tables,
    [...new Set(names.map(slotOf))].toSorted((left, right) => left - right),
  )
}

/** The numbers are part of the text. The comment keeps it from being prepared: each combination of slots would be another statement. */
const lockSlots = (tables: TableNames, numbers: readonly number[]): string =>
  `/* lock */ INSERT INTO ${locksTable(tables)} (slot, n) VALUES ${numbers.map((slot) => `(${slot}, 1)`).join(', ')}
    ON DUPLICATE KEY UPDATE n = n + 1`

/** The statement that locks one slot. Its parameter is the number of the slot. */
export const lockOneSlot = (tables: TableNames): string =>
  `INSERT INTO ${locksTable(tables)} (slot, n) VALUES (?, 1) ON DUPLICATE KEY UPDATE n = n + 1`

/** The slot of a name, 0 … 1023, by its FNV-1a hash. Names that share a slot wait for each other without need. */
export function slotOf(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(name)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash % slots
}
