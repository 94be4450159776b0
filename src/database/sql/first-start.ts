import { randomUUID } from 'node:crypto'
import { StorageError } from '../storage-error.js'
import type { OpenedStorage } from '../store-adapter.js'
import { firstStartOption, isCreationUnfinished, migrate } from './migrate.js'
import type { SqlDatabase } from './sql-database.js'
import type { RowCache } from './row-cache.js'
import { sqlStorage } from './sql-storage.js'
import type { TableNames } from './table-names.js'
import { unfinishedLoad, unfinishedLoadError } from './unfinished-load.js'

/** A lock that this process holds, for a first start or a migration. It ends with the process. */
export interface HeldLock {
  /**
   * To be called before each step that only its holder may take: the lock is lost with its connection, or with its lease.
   * @throws StorageError `busy` when the lock is lost.
   */
  requireHeld(): void | Promise<void>
  /** May be called twice. */
  end(): void | Promise<void>
}

const unfinished =
  'Its first start did not come to its end: a part of it failed, such as the seed, or the process was ended before. What it ' +
  'holds is not complete, and no service has used it yet.'

/**
 * What comes before the sentence about the removal on a server, where the lock of a start ends with its connection, while its process
 * goes on.
 */
export const ifStillStarting =
  'If a process that has lost its connection for a moment is still filling it, wait for its end, and start again. If not:'

const replaced =
  'The tables of the database are not those that this start has created and filled: they were removed meanwhile, and another ' +
  'process has created new ones. Start again, to use the new ones.'

/**
 * The storage of a database with up-to-date tables.
 * @param migrationLock the lock of the process that creates and changes tables.
 * @param removal a sentence for a first start that was not finished, which says how its tables are removed.
 * @param takeLock takes the initialisation lock, for the start of a service, which fills a new database; null for tools, which
 *   only create tables. The process that creates a database takes the lock before it creates tables, and holds it until the first
 *   start is finished. So a first start that is not finished while the lock is free has failed.
 * @throws StorageError
 */
export async function storageWithTables(
  database: SqlDatabase,
  tables: TableNames,
  migrationLock: HeldLock,
  rowCache: RowCache | null,
  removal: string,
  takeLock: (() => Promise<HeldLock>) | null,
): Promise<OpenedStorage> {
  const storage = sqlStorage(database, tables, rowCache)
  const isEmpty = async () =>
    (await database.reader.query(database.dialect.findAnyTable)).length === 0 ||
    (takeLock !== null && (await isCreationUnfinished(database, tables)))
  const isUnfinished = async () => (await storage.options.read(firstStartOption)) !== null
  let initialisationLock = takeLock !== null && (await isEmpty()) ? await takeLock() : null
  /** A start waits for a copy or an import that is running. */
  const refuseLoad = async () => {
    const load = () => unfinishedLoad(database.reader, database.dialect, tables)
    if ((await load()) === null) return
    if (takeLock !== null) initialisationLock ??= await takeLock()
    const source = await load()
    if (source !== null) throw unfinishedLoadError(source)
  }
  try {
    await refuseLoad()
    const wasEmpty = await isEmpty()
    const firstStart = takeLock !== null && wasEmpty ? randomUUID() : null
    const created = (await migrate(database, tables, migrationLock, firstStart)).created && wasEmpty
    if (!created) await refuseLoad()
    if (!created && takeLock !== null && (await isUnfinished())) {
      initialisationLock ??= await takeLock()
      if (await isUnfinished()) throw new StorageError('incompatible', `${unfinished} ${removal} Then start again.`)
    }
    if (!created) await initialisationLock?.end()
    return Object.assign(storage, {
      created,
      async finishFirstStart() {
        // The lock may be lost by now. While the option is there, its next holder refuses the database and writes nothing.
        const finish = () =>
          storage.write(
            async ({ options }) =>
              (await options.read(firstStartOption)) === firstStart && (await options.remove(firstStartOption)),
          )
        if (created && firstStart !== null && !(await finish())) throw new StorageError('incompatible', replaced)
        await initialisationLock?.end()
      },
      async close() {
        // The lock is ended first: a leased lock is ended by a statement on a connection of the database.
        await initialisationLock?.end()
        await database.close()
      },
    })
  } catch (error) {
    await initialisationLock?.end()
    throw error
  }
}
