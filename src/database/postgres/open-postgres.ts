import { userInfo } from 'node:os'
import { ifStillStarting, storageWithTables } from '../sql/first-start.js'
import { completeSchema, hasTables, requireNewest } from '../sql/migrate.js'
import { RowCache } from '../sql/row-cache.js'
import { sqlStorage } from '../sql/sql-storage.js'
import { tableNames, type TableNames } from '../sql/table-names.js'
import { retry } from '../backoff.js'
import { connectionLimits } from '../server/connection-limits.js'
import { shownAddress } from '../server/server-address.js'
import { StorageError } from '../storage-error.js'
import type { OpenedStorage, StoreOptions } from '../store-adapter.js'
import { takeAdvisoryLock } from './advisory-lock.js'
import type { ServerFacts } from './connect.js'
import { parsePostgresAddress, type PostgresAddress } from './postgres-address.js'
import { PostgresConnections } from './postgres-connections.js'
import { postgresDatabase } from './postgres-database.js'
import { postgresDialect } from './postgres-dialect.js'
import { postgresDriver } from './postgres-driver.js'
import { codeOf, isTemporaryFailure, toStorageError } from './postgres-fault.js'
import { Statements } from './statements.js'

export interface PostgresOptions extends StoreOptions {
  /** Milliseconds after which `transaction` gives up and rolls back. Default 30,000. */
  readonly transactionTimeout?: number
  /** Milliseconds that a statement waits for a lock of another connection. Default 5000. */
  readonly lockTimeout?: number
  /** Whether rows are cached. Default true. */
  readonly rowCache?: boolean
}

/** PostgreSQL truncates names to 63 bytes, and the longest name of the schema needs 39 without the prefix. */
const maxPrefixLength = 24

/**
 * Opens a database on PostgreSQL. Creates the schema and the tables when they are missing.
 * @throws StorageError @throws the reason of `waiting.signal`
 */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<OpenedStorage> {
  const { purpose = 'change', waiting, wait = purpose === 'start' ? 30_000 : 0, onWarning = () => {} } = options
  const address = parsePostgresAddress(url)
  const tables = postgresTables(options.prefix)
  const connections = await connectionsOf(address, options)
  try {
    const facts = await retry({
      attempt: () => firstContact(connections),
      isTemporary: isTemporaryFailure,
      limit: wait,
      first: 200,
      max: 2000,
      onWait: (error) => onWarning('database-waited-for', (error as Error).message),
      ...(waiting?.signal && { signal: waiting.signal }),
    })
    const schema = await usableSchema(connections, address, facts, purpose !== 'read')
    return await openedStorage(connections, schema, tables, options)
  } catch (error) {
    await connections.close()
    throw waiting?.signal?.aborted === true ? error : unusable(error, address)
  }
}

/** The error with the server that it is about, and for a missing right with the statement that grants it. */
export function unusable(error: unknown, { server, schema }: PostgresAddress): StorageError {
  const { fault, message } = toStorageError(error)
  const place = shownAddress('postgres', server)
  if (message.startsWith(place)) return error as StorageError
  const user = server.user ?? userInfo().username
  const remedy =
    codeOf(error) === '42501' ? ` Allow it: GRANT USAGE, CREATE ON SCHEMA "${schema ?? 'public'}" TO "${user}"` : ''
  return new StorageError(fault, `${place}: ${message}${remedy}`, { cause: error })
}

/** Whether an application has been started on this database. Changes nothing. @throws StorageError */
export async function postgresHasTables(url: string, prefix: string): Promise<boolean> {
  const address = parsePostgresAddress(url)
  const tables = postgresTables(prefix)
  const connections = await connectionsOf(address, { purpose: 'read' })
  try {
    const { schema } = await firstContact(connections)
    if (schema === null) return false
    const { reader, dialect } = postgresDatabase(connections, postgresDialect(schema), settingsOf(schema, tables, {}))
    return await hasTables(reader, dialect, tables)
  } finally {
    await connections.close()
  }
}

async function openedStorage(
  connections: PostgresConnections,
  schema: string,
  tables: TableNames,
  options: PostgresOptions,
): Promise<OpenedStorage> {
  const { purpose = 'change', waiting, onWarning = () => {} } = options
  const rowCache = options.rowCache === false ? null : new RowCache()
  const settings = settingsOf(schema, tables, options)
  const database = postgresDatabase(connections, postgresDialect(schema), settings)
  if (purpose === 'read') {
    await requireNewest(database, tables)
    return withPing(
      Object.assign(sqlStorage(database, tables, rowCache), { created: false, finishFirstStart: async () => {} }),
      connections,
    )
  }
  // Processes that start together would create the same tables: one checks and creates them while the others wait.
  const migrationLock = await takeAdvisoryLock(connections, `${settings.lockScope} tables`, waiting)
  try {
    const takeLock = () => takeAdvisoryLock(connections, `${settings.lockScope} first start`, waiting)
    const storage = await storageWithTables(
      database,
      tables,
      migrationLock,
      rowCache,
      `${ifStillStarting} ${removalOf(schema)}`,
      purpose === 'start' ? takeLock : null,
    )
    const completion = await completeSchema(database, tables, migrationLock)
    if (completion !== null) onWarning('database-triggers-created', completion)
    return withPing(storage, connections)
  } finally {
    await migrationLock.end()
  }
}

/** `ping` also finds that the database cannot be written. */
function withPing(storage: OpenedStorage, connections: PostgresConnections): OpenedStorage {
  const ping = storage.ping.bind(storage)
  return Object.assign(storage, {
    async ping() {
      await connections.requireWritable()
      await ping()
    },
  })
}

export const settingsOf = (
  schema: string,
  tables: TableNames,
  { transactionTimeout = 30_000, lockTimeout = 5000, currentClientWork = () => null }: PostgresOptions,
) => ({
  transactionTimeout,
  conflictTimeout: 2 * lockTimeout,
  currentClientWork,
  lockScope: `${schema}.${tables.options}`,
  versionsQuery: postgresDialect(schema).versions(tables),
})

/** PostgreSQL writes unquoted names in lower case. @throws StorageError for a prefix that makes names too long. */
export function postgresTables(prefix = 'wp_'): TableNames {
  if (prefix.length > maxPrefixLength)
    throw new StorageError(
      'unavailable',
      `On PostgreSQL a table prefix has at most ${maxPrefixLength} characters; '${prefix}' has more.`,
    )
  return tableNames(prefix.toLowerCase())
}

export async function connectionsOf(address: PostgresAddress, options: PostgresOptions): Promise<PostgresConnections> {
  const { synchronous = 'FULL', poolSize = 10 } = options
  const { schema } = address
  const readers = Math.max(1, Math.min(4, Math.floor(poolSize / 2)))
  return new PostgresConnections(
    {
      address,
      driver: await postgresDriver(),
      statements: new Statements(),
      limits: connectionLimits(options),
      isReadOnly: options.purpose === 'read',
      isDurable: synchronous === 'FULL',
      schema,
    },
    { readers, writers: Math.max(1, poolSize - readers) },
  )
}

export async function firstContact(connections: PostgresConnections): Promise<ServerFacts> {
  const { connection, facts } = await connections.open('reader')
  await connection.close()
  return facts
}

/** The schema of the tables. @throws StorageError `unavailable` when there is none, or it may not be created. */
export async function usableSchema(
  connections: PostgresConnections,
  { schema: requested, server }: PostgresAddress,
  facts: ServerFacts,
  mayCreate: boolean,
): Promise<string> {
  if (facts.schema !== null) return facts.schema
  const { connection } = await connections.open('writer')
  try {
    if (requested !== null && mayCreate) {
      await connection.run(`CREATE SCHEMA IF NOT EXISTS "${requested}"`)
      return requested
    }
  } catch (error) {
    const { message } = error as Error
    // When two processes create it at the same time, one of them fails, and the schema exists.
    if (!(error instanceof StorageError) || error.fault !== 'constraint')
      throw new StorageError(
        'unavailable',
        `The schema "${requested}" cannot be created. ${message} Create it, or allow it: GRANT CREATE ON DATABASE "${server.database}" TO the user.`,
        { cause: error },
      )
    return requested ?? ''
  } finally {
    await connection.close()
  }
  throw new StorageError(
    'unavailable',
    requested === null
      ? 'No schema of the search_path of the user exists. Name one in the address: ?schema=shop'
      : `The database has no schema "${requested}". Start the application once.`,
  )
}

/** A sentence that says how the tables are removed, with their functions and collations. */
export const removalOf = (schema: string): string =>
  `Remove its tables: in psql, DROP SCHEMA "${schema}" CASCADE, where the schema holds nothing else.`
