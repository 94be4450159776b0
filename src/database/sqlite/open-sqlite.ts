import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StorageError } from '../storage-error.js'
import type { OpenedStorage, StoreOptions } from '../store-adapter.js'
import { storageWithTables } from '../sql/first-start.js'
import { completeSchema, hasTables, requireNewest } from '../sql/migrate.js'
import { number } from '../sql/row-values.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import { RowCache } from '../sql/row-cache.js'
import { sqlStorage } from '../sql/sql-storage.js'
import { tableNames } from '../sql/table-names.js'
import { FileWatch } from './file-watch.js'
import { InitialisationLock, noLock } from './initialisation-lock.js'
import { sqliteLibrary, type OpenSqliteClient } from './sqlite-client.js'
import { SqliteChangeToken } from './sqlite-change-token.js'
import { SqliteConnection } from './sqlite-connection.js'
import { sqliteDatabase } from './sqlite-database.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { toStorageError } from './sqlite-fault.js'
import { refuseOrphanedLog } from './orphaned-log.js'
import { requireWritable } from './writable-files.js'
import { makeFile, sqliteLocation } from './sqlite-location.js'

export interface SqliteOptions extends StoreOptions {
  /** Milliseconds that a write waits for another process, from its submission on. Default 5000. */
  readonly busyTimeout?: number
  /** Milliseconds after which `transaction` gives up and rolls back. Default 30,000. */
  readonly transactionTimeout?: number
  /** Whether rows are cached. Default true. */
  readonly rowCache?: boolean
}

/**
 * Opens the database. Creates it when it is missing, and brings its tables up to date.
 * @param url `sqlite:` and a path, or `sqlite::memory:`.
 * @throws StorageError; `incompatible` for tables of a newer version, for those of an older one that may only be read, and
 * for a file that is missing or empty while its write-ahead log exists.
 * @throws the reason of `waiting.signal`
 */
export async function openSqlite(url: string, options: SqliteOptions = {}): Promise<OpenedStorage> {
  const {
    synchronous = 'FULL',
    busyTimeout = 5000,
    transactionTimeout = 30_000,
    purpose = 'change',
    waiting,
    onWarning = () => {},
    currentClientWork = () => null,
  } = options
  const rowCache = options.rowCache === false ? null : new RowCache()
  const path = sqliteLocation(url)
  const tables = tableNames(options.prefix ?? 'wp_')
  const open = await sqliteLibrary()
  const inMemory = path === ':memory:'
  const readOnly = purpose === 'read' && !inMemory
  if (!inMemory) refuseOrphanedLog(path)
  if (readOnly && !existsSync(path)) throw new StorageError('unavailable', `There is no database ${path}.`)
  if (!inMemory && !readOnly) makeFile(path)
  try {
    if (!inMemory && !readOnly) requireWritable(path)
    const writer = await connect(open, path, busyTimeout, readOnly ? forReading : forWriting(synchronous))
    const reader = inMemory ? writer : await secondConnection(writer, connect(open, path, busyTimeout, forReading))
    const changeToken = new SqliteChangeToken(reader, inMemory, (reason) =>
      onWarning(
        'wal-index-unusable',
        `Changes of ${path} are noticed by a statement from now on: the wal-index cannot be used, ${reason}.`,
      ),
    )
    const database = sqliteDatabase(
      { writer, reader },
      { busyTimeout, transactionTimeout, currentClientWork },
      changeToken,
    )
    const takeLock = purpose === 'start' && !inMemory ? () => InitialisationLock.take(open, path, waiting) : null
    try {
      if (readOnly) {
        await requireNewest(database, tables)
        return Object.assign(sqlStorage(database, tables, rowCache), {
          created: false,
          finishFirstStart: async () => {},
        })
      }
      const storage = await storageWithTables(database, tables, noLock, rowCache, removal, takeLock)
      const completion = await completeSchema(database, tables, noLock)
      if (completion !== null) onWarning('database-triggers-created', completion)
      if (inMemory) return storage
      await changeToken.useWalIndex(path, () => commitWithoutChange(database))
      const onReplaced = (sentence: string) => onWarning('database-replaced', sentence)
      return watched(path, storage, new FileWatch({ path, writer, reader, contents: tables.versions, onReplaced }))
    } catch (error) {
      await database.close()
      throw error
    }
  } catch (error) {
    if (waiting?.signal?.aborted && error === waiting.signal.reason) throw error
    throw unusable(path, error)
  }
}

/**
 * Whether an application has been started on this database: the file exists, with its tables. Changes nothing.
 * @param prefix of the tables.
 * @throws StorageError
 */
export async function sqliteHasTables(url: string, prefix: string): Promise<boolean> {
  const path = sqliteLocation(url)
  const tables = tableNames(prefix)
  if (path === ':memory:') return false
  refuseOrphanedLog(path)
  if (!existsSync(path)) return false
  const open = await sqliteLibrary()
  try {
    const connection = await connect(open, path, 5000, forReading)
    try {
      return await hasTables(connection, sqliteDialect, tables)
    } finally {
      connection.close()
    }
  } catch (error) {
    throw unusable(path, error)
  }
}

/** A sentence that says how a database is removed. */
export const removal = 'Remove the file, with those of the same name that end in -wal and -shm.'

export const forReading = ['PRAGMA query_only = ON']

export const forWriting = (synchronous: 'FULL' | 'NORMAL'): readonly string[] => [
  'PRAGMA journal_mode = WAL',
  `PRAGMA synchronous = ${synchronous}`,
  // In pages of 4 KiB. Twice the default, so that half as many writes wait for a checkpoint.
  'PRAGMA wal_autocheckpoint = 2000',
  'PRAGMA journal_size_limit = 67108864',
]

/** Writes the user version, a number in the header of the file that SQLite does not use, unchanged. */
async function commitWithoutChange({ reader, write }: SqlDatabase): Promise<void> {
  const version = number((await reader.row('PRAGMA user_version'))?.[0])
  await write((connection) => connection.execute(`PRAGMA user_version = ${version}`))
}

export function unusable(path: string, error: unknown): StorageError {
  const { fault, message } = toStorageError(error)
  if (existsSync(path) && statSync(path).isDirectory())
    return new StorageError(fault, `${path} is a folder. Name a file, such as ${join(path, 'site.sqlite')}.`, {
      cause: error,
    })
  return new StorageError(fault, `The database ${path} cannot be used. ${message}`, { cause: error })
}

function watched(path: string, storage: OpenedStorage, watch: FileWatch): OpenedStorage {
  const [ping, close] = [storage.ping.bind(storage), storage.close.bind(storage)]
  return Object.assign(storage, {
    async ping() {
      await watch.check()
      requireWritable(path)
      await ping()
    },
    close() {
      watch.stop()
      return close()
    },
  })
}

/** The second connection. When it cannot be opened, the first one is closed. */
export async function secondConnection(
  first: SqliteConnection,
  second: Promise<SqliteConnection>,
): Promise<SqliteConnection> {
  try {
    return await second
  } catch (error) {
    first.close()
    throw error
  }
}

export async function connect(
  open: OpenSqliteClient,
  path: string,
  busyTimeout: number,
  settings: readonly string[],
): Promise<SqliteConnection> {
  const connection = new SqliteConnection(open(path), busyTimeout)
  // A negative size is in KiB.
  try {
    for (const setting of ['PRAGMA busy_timeout = 0', 'PRAGMA cache_size = -16384', ...settings])
      await connection.query(setting)
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}
