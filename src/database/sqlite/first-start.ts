import { StorageError } from '../storage-error.js'
import type { OpenedStorage } from '../store-adapter.js'
import { FIRST_START_OPTION, migrate } from '../sql/migrate.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import type { RowCache } from '../sql/row-cache.js'
import { sqlStorage } from '../sql/sql-storage.js'
import type { TableNames } from '../sql/table-names.js'
import type { InitialisationLock } from './initialisation-lock.js'

const unfinished =
  'Its first start did not come to its end: a part of it failed, such as the seed, or the process was ended before. What it ' +
  'holds is not complete, and no service has used it yet. Remove it, with the files of the same name that end in -wal and ' +
  '-shm, and start again.'

/**
 * The storage of a database with up-to-date tables.
 * @param takeTurn takes the initialisation lock, for the start of a service, which fills a new database; null for tools, which
 *   only create tables. The process that creates a database holds the lock from before its tables until the first start is
 *   finished. So a first start that is not finished while the lock is free has failed.
 * @throws StorageError
 */
export async function storageWithTables(
  database: SqlDatabase,
  tables: TableNames,
  rowCache: RowCache | null,
  takeTurn: (() => Promise<InitialisationLock>) | null,
): Promise<OpenedStorage> {
  const storage = sqlStorage(database, tables, rowCache)
  const isEmpty = async () => (await database.reader.query('SELECT 1 FROM sqlite_master LIMIT 1')).length === 0
  const isUnfinished = async () => (await storage.options.read(FIRST_START_OPTION)) !== null
  let turn = takeTurn !== null && (await isEmpty()) ? await takeTurn() : null
  try {
    const wasEmpty = await isEmpty()
    const created = (await migrate(database, tables, takeTurn !== null && wasEmpty)).created && wasEmpty
    if (takeTurn !== null && !created && (await isUnfinished())) {
      turn ??= await takeTurn()
      if (await isUnfinished()) throw new StorageError('incompatible', unfinished)
    }
    if (!created) turn?.end()
    return Object.assign(storage, {
      created,
      async finishFirstStart() {
        if (turn !== null && created) await storage.options.remove(FIRST_START_OPTION)
        turn?.end()
      },
      async close() {
        await database.close()
        turn?.end()
      },
    })
  } catch (error) {
    turn?.end()
    throw error
  }
}
