import { hash } from 'node:crypto'
import { retry } from '../backoff.js'
import { connectionLimits } from '../server/connection-limits.js'
import { ifStillStarting, storageWithTables, type HeldLock } from '../sql/first-start.js'
import { completeSchema, hasTables, requireMigratable, requireNewest } from '../sql/migrate.js'
import { RowCache } from '../sql/row-cache.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import type { SqlStore } from '../sql/sql-store.js'
import { sqlStorage } from '../sql/sql-storage.js'
import { tableNames, type TableNames } from '../sql/table-names.js'
import type { OpenedStorage, StoreOptions, Waiting } from '../store-adapter.js'
import { withRemedy } from './missing-right.js'
import { parseMysqlAddress, type MysqlAddress } from './mysql-address.js'
import { MysqlChangeToken } from './mysql-change-token.js'
import { takeLeasedLock, type LeasedLock } from './leased-lock.js'
import { lockRows, slotOf } from './lock-rows.js'
import { MysqlConnections } from './mysql-connections.js'
import { mysqlDatabase, type MysqlDatabaseOptions } from './mysql-database.js'
import { mysqlDialect } from './mysql-dialect.js'
import { mysqlDriver } from './mysql-driver.js'
import { isTemporaryFailure } from './mysql-fault.js'
import { totalAndVersionsQuery, totalQuery } from './mysql-versions.js'
import { oldestServers as oldestOfOurs, type OldestServers, type ServerFacts } from './server-facts.js'
import { readTriggers, tablesWithTriggers } from './triggered-tables.js'
import { takeUserLock } from './user-lock.js'

export interface MysqlOptions extends StoreOptions {
  /** Milliseconds after which `transaction` gives up and rolls back. Default 30,000. */
  readonly transactionTimeout?: number
  /** Milliseconds that a statement waits for a row that another transaction has locked. Default 5000. */
  readonly lockTimeout?: number
  /** Whether rows are cached. Default true. */
  readonly rowCache?: boolean
  /** Default: the oldest servers that support the statements for our own schema. */
  readonly oldestServers?: OldestServers
}

/**
 * Opens a database on MariaDB or MySQL. Creates the tables when they are missing.
 * @throws StorageError @throws the reason of `waiting.signal`
 */
export async function openMysql(url: string, options: MysqlOptions = {}): Promise<OpenedStorage> {
  const address = parseMysqlAddress(url)
  const tables = tableNames(options.prefix ?? 'wp_')
  const connections = await connectionsOf(address, options)
  try {
    const facts = await connectedFacts(connections, options)
    return await openedStorage(connections, facts, address, tables, options)
  } catch (error) {
    await connections.close()
    throw withRemedy(error, address)
  }
}

/** Reads the facts of the server. Waits for a server that cannot be reached yet. @throws StorageError */
export function connectedFacts(
  connections: MysqlConnections,
  { purpose = 'change', waiting, wait = purpose === 'start' ? 30_000 : 0, onWarning = () => {} }: StoreOptions,
): Promise<ServerFacts> {
  return retry({
    attempt: () => connections.facts(),
    isTemporary: isTemporaryFailure,
    limit: wait,
    first: 200,
    max: 2000,
    onWait: (error) => onWarning('database-waited-for', (error as Error).message),
    ...(waiting?.signal && { signal: waiting.signal }),
  })
}

/** Whether an application has been started on this database. Changes nothing. @throws StorageError */
export async function mysqlHasTables(url: string, prefix: string): Promise<boolean> {
  const address = parseMysqlAddress(url)
  const tables = tableNames(prefix)
  const connections = await connectionsOf(address, { purpose: 'read' })
  try {
    const { kind } = await connections.facts()
    const { reader, dialect } = databaseOf(connections, kind, tables, {})
    return await hasTables(reader, dialect, tables)
  } finally {
    await connections.close()
  }
}

async function openedStorage(
  connections: MysqlConnections,
  { kind, isGalera }: ServerFacts,
  address: MysqlAddress,
  tables: TableNames,
  options: MysqlOptions,
): Promise<OpenedStorage> {
  const { purpose = 'change', waiting, onWarning = () => {} } = options
  const rowCache = options.rowCache === false ? null : new RowCache()
  const database = databaseOf(connections, kind, tables, options)
  if (purpose === 'read') {
    await requireNewest(database, tables)
    return withPing(
      Object.assign(sqlStorage(database, tables, rowCache), { created: false, finishFirstStart: async () => {} }),
      connections,
    )
  }
  const take = lockTaker(connections, isGalera, address, { database, tables })
  // Processes that start together would create the same tables: one checks and creates them while the others wait.
  const migrationLock = await take('tables', waiting)
  try {
    const takeLock = () => take('first start', waiting)
    const storage = await storageWithTables(
      database,
      tables,
      migrationLock,
      rowCache,
      `${ifStillStarting} ${removalOf(address.server.database)}`,
      purpose === 'start' ? takeLock : null,
    )
    const completion = await completeSchema(database, tables, migrationLock)
    if (completion !== null) onWarning('database-triggers-created', completion)
    if (isGalera) await readTriggers(connections, tablesWithTriggers(tables))
    return withPing(storage, connections)
  } finally {
    await migrationLock.end()
  }
}

/** How the locks of a start are taken. Those of a single server end with the process, those of a cluster up to 15 seconds after it. */
export const lockTaker =
  (
    connections: MysqlConnections,
    isGalera: boolean,
    address: MysqlAddress,
    { database, tables }: Pick<SqlStore, 'database' | 'tables'>,
  ) =>
  async (lock: LeasedLock, waiting: Waiting = {}): Promise<HeldLock> => {
    if (!isGalera) return takeUserLock(connections, userLockName(address, tables, lock), waiting)
    // The lock may create its table, and nothing is created beside the tables of a WordPress site.
    await requireMigratable(database, tables)
    return takeLeasedLock(connections, tables, lock, waiting)
  }

/** The name of a lock of the server, at most 64 characters long. All databases of the server share these names. */
export const userLockName = ({ server }: MysqlAddress, { options }: TableNames, lock: LeasedLock): string =>
  `as-rest-route ${hash('sha256', `${lock} ${server.database} ${options}`).slice(0, 40)}`

/** `ping` also finds that the database cannot be written. */
export function withPing(storage: OpenedStorage, connections: MysqlConnections): OpenedStorage {
  const ping = storage.ping.bind(storage)
  return Object.assign(storage, {
    async ping() {
      await connections.requireWritable()
      await ping()
    },
  })
}

export function databaseOf(
  connections: MysqlConnections,
  kind: ServerFacts['kind'],
  tables: TableNames,
  options: MysqlOptions,
): SqlDatabase {
  const token = new MysqlChangeToken(connections, totalQuery(tables), totalAndVersionsQuery(tables))
  return mysqlDatabase(connections, mysqlDialect(kind), {
    locks: lockRows(tables),
    ...(kind === 'MariaDB' && { slotOf }),
    triggered: {
      tables: tablesWithTriggers(tables),
      tell: (sentence) => options.onWarning?.('database-trigger-unread', sentence),
    },
    changeToken: () => token.read(),
    versionRowsAt: (at) => token.versions.at(at),
    ...timeLimitsOf(options),
  })
}

/** The time limits of these options, for `mysqlDatabase`. */
export const timeLimitsOf = ({
  transactionTimeout = 30_000,
  lockTimeout = 5000,
  currentClientWork = () => null,
}: MysqlOptions): Omit<MysqlDatabaseOptions, 'locks' | 'changeToken'> => ({
  transactionTimeout,
  conflictTimeout: 2 * lockTimeout,
  currentClientWork,
})

export async function connectionsOf(address: MysqlAddress, options: MysqlOptions): Promise<MysqlConnections> {
  const { purpose, poolSize = 10, oldestServers = oldestOfOurs } = options
  const readers = Math.max(1, Math.floor(poolSize / 2))
  return new MysqlConnections(
    {
      address,
      driver: await mysqlDriver(),
      isReadOnly: purpose === 'read',
      oldestServers,
      limits: connectionLimits(options),
    },
    { readers, writers: Math.max(1, poolSize - readers) },
  )
}

/** A sentence that says how the tables are removed. */
export const removalOf = (database: string): string =>
  `Remove its tables: DROP DATABASE \`${database}\`, where the database holds nothing else, and CREATE DATABASE.`
