import { temporaryDatabase } from './database-addresses.js'
import { fault, type Fault } from '../base/fault.js'
import { mysqlAdapter } from '../database/mysql/mysql-adapter.js'
import { openWordPress } from '../database/mysql/open-wordpress.js'
import type { ReportedWrites } from '../database/mysql/untracked-writes.js'
import { postgresAdapter } from '../database/postgres/postgres-adapter.js'
import { sqliteAdapter } from '../database/sqlite/sqlite-adapter.js'
import { StorageError } from '../database/storage-error.js'
import type { OpenedStorage, Purpose, StoreAdapter, StoreOptions } from '../database/store-adapter.js'
import type { ResolvedOptions } from './options.js'

/** The kinds of databases that a service can use. No other module but the adapters knows them. */
const adapters = [sqliteAdapter, postgresAdapter, mysqlAdapter] as const

type Adapter = (typeof adapters)[number]

/** @throws StorageError `unavailable` for an address of no known kind. */
export function storeAdapterOf(address: string): Adapter {
  const adapter = adapterOf(address)
  if (adapter === undefined) throw new StorageError('unavailable', databaseFault(address)?.message ?? '')
  return adapter
}

/** Whether processes on several machines can use the database. @throws StorageError */
export function isOnServer(address: string): boolean {
  const { file, isTemporary } = storeAdapterOf(address).locate(address)
  return file === null && !isTemporary
}

/** Opens the database of these options. @throws StorageError */
export function openStorage(
  options: ResolvedOptions,
  purpose: Purpose,
  start: Pick<StoreOptions, 'waiting' | 'onWarning' | 'currentClientWork'> & {
    readonly reportedWrites?: ReportedWrites | null
  } = {},
): Promise<OpenedStorage> {
  const { database, table_prefix: prefix, synchronous, wordpressConfig } = options
  const storeOptions = {
    purpose,
    ...start,
    ...connectionOptions(options),
    ...(purpose === 'start' && waitOption(options)),
  }
  if (wordpressConfig !== null) {
    const { userTable: users, userMetaTable: usermeta } = wordpressConfig
    return openWordPress(database, { prefix, users, usermeta }, storeOptions)
  }
  return storeAdapterOf(database).open(database, { ...storeOptions, prefix, ...(synchronous && { synchronous }) })
}

/** How long a start waits for a server, in milliseconds. */
const waitOption = ({ database_wait: seconds = 30 }: ResolvedOptions): Pick<StoreOptions, 'wait'> => ({
  wait: seconds * 1000,
})

/** The options of connections to a server, in milliseconds. */
function connectionOptions(options: ResolvedOptions): StoreOptions {
  const milliseconds = {
    statementTimeout: options.database_timeout,
    idleTransactionTimeout: options.database_idle_in_transaction,
    keepAliveDelay: options.database_keep_alive,
    idleTimeout: options.database_idle,
    lifetime: options.database_lifetime,
  }
  const limits = Object.entries(milliseconds).filter(([, seconds]) => seconds !== undefined)
  return {
    ...(options.database_pool !== undefined && { poolSize: options.database_pool }),
    ...Object.fromEntries(limits.map(([name, seconds]) => [name, Math.ceil(Number(seconds) * 1000)])),
  }
}

/**
 * Opens the database of the option `service_database` for a start, and creates its tables; null where it has no use, because
 * `database` has the tables. It has no first start that others would wait for: it is not filled.
 * @throws StorageError
 */
export async function openServiceStorage(
  options: ResolvedOptions,
  start: Pick<StoreOptions, 'waiting' | 'onWarning'>,
): Promise<OpenedStorage | null> {
  const { service_database: address, table_prefix: prefix, synchronous, wordpressConfig } = options
  if (wordpressConfig === null || address === undefined) return null
  return storeAdapterOf(address).open(address, {
    prefix,
    purpose: 'change',
    ...start,
    ...connectionOptions(options),
    ...waitOption(options),
    ...(synchronous && { synchronous }),
  })
}

/** Milliseconds that a statement of the commands for whole databases may take: it may read a whole table. */
const longStatement = 600_000

/** Opens the database of these options as tables, as it is. @throws StorageError */
export function openTables(
  { database, table_prefix: prefix, synchronous, database_timeout }: ResolvedOptions,
  purpose: 'read' | 'change',
): ReturnType<Adapter['openTables']> {
  return storeAdapterOf(database).openTables(database, {
    prefix,
    purpose,
    ...(synchronous && { synchronous }),
    statementTimeout: Math.max(longStatement, Math.ceil((database_timeout ?? 0) * 1000)),
  })
}

/** What is wrong with the address of a database; null when a service can be opened on it. */
export function databaseFault(address: string): Fault | null {
  const adapter = adapterOf(address)
  if (adapter !== undefined) return faultOfLocation(adapter, address)
  return fault(
    'database-invalid',
    `'${withoutSecrets(address)}' is not a database address. Use 'sqlite:' and a path, '${temporaryDatabase}', or 'postgres:' or 'mariadb:' and a server.`,
  )
}

/**
 * The part of an unrecognised address that a message may show. An address with `@`, `?`, `=` or `//` may have a password
 * anywhere behind its scheme, so only the scheme is shown.
 */
const withoutSecrets = (address: string): string =>
  /[@?=]|\/\//.test(address) ? `${/^[a-z][a-z\d+.-]*:(?:\/\/)?/i.exec(address)?.[0] ?? ''}…` : address

function faultOfLocation(adapter: StoreAdapter, address: string): Fault | null {
  try {
    adapter.locate(address)
    return null
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    return fault('database-invalid', error.message)
  }
}

function adapterOf(address: string): Adapter | undefined {
  return adapters.find(({ schemes }) =>
    schemes.some((scheme) => address.startsWith(`${scheme}:`) && address.length > scheme.length + 1),
  )
}
