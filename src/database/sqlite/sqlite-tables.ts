import { existsSync } from 'node:fs'
import type { SqlStore } from '../sql/sql-store.js'
import { tableNames } from '../sql/table-names.js'
import { StorageError } from '../storage-error.js'
import type { StoreOptions } from '../store-adapter.js'
import { InitialisationLock, noLock } from './initialisation-lock.js'
import { connect, forReading, forWriting, removal, secondConnection, unusable } from './open-sqlite.js'
import { refuseOrphanedLog } from './orphaned-log.js'
import { SqliteChangeToken } from './sqlite-change-token.js'
import { sqliteLibrary } from './sqlite-client.js'
import { sqliteDatabase } from './sqlite-database.js'
import { makeFile, sqliteLocation } from './sqlite-location.js'
import { requireWritable } from './writable-files.js'

/** Milliseconds that a statement waits for another process. */
const busyTimeout = 5000

/** See `SqlStoreAdapter.openTables`. */
export async function openSqliteTables(url: string, options: StoreOptions): Promise<SqlStore> {
  const { purpose, prefix = 'wp_', synchronous = 'FULL' } = options
  const path = sqliteLocation(url)
  const tables = tableNames(prefix)
  const isReading = purpose === 'read'
  if (path === ':memory:') throw new StorageError('unavailable', 'A database in memory ends with its process.')
  refuseOrphanedLog(path)
  if (isReading && !existsSync(path)) throw new StorageError('unavailable', `There is no database ${path}.`)
  if (!isReading) makeFile(path)
  try {
    if (!isReading) requireWritable(path)
    const open = await sqliteLibrary()
    const settings = isReading ? forReading : forWriting(synchronous)
    const writer = await connect(open, path, busyTimeout, settings)
    const reader = await secondConnection(writer, connect(open, path, busyTimeout, forReading))
    const database = sqliteDatabase(
      { writer, reader },
      { busyTimeout, transactionTimeout: 30_000 },
      new SqliteChangeToken(reader, false, () => {}),
    )
    return {
      name: `sqlite:${path}`,
      database,
      tables,
      warnings: [],
      serverFaults: async () => [],
      removal,
      takeLock: (waiting) => InitialisationLock.take(open, path, waiting),
      isLockTaken: async () => InitialisationLock.isTaken(open, path),
      takeMigrationLock: async () => noLock,
      async readSnapshot(work) {
        const snapshot = await connect(open, path, busyTimeout, forReading)
        try {
          await snapshot.query('BEGIN')
          return await work(snapshot)
        } finally {
          snapshot.close()
        }
      },
    }
  } catch (error) {
    throw unusable(path, error)
  }
}
