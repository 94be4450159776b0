import { shownAddress } from '../server/server-address.js'
import type { SqlReader } from '../sql/sql-connection.js'
import type { SqlStore } from '../sql/sql-store.js'
import type { StoreOptions } from '../store-adapter.js'
import { isAdvisoryLockTaken, takeAdvisoryLock } from './advisory-lock.js'
import {
  connectionsOf,
  firstContact,
  postgresTables,
  removalOf,
  settingsOf,
  unusable,
  usableSchema,
} from './open-postgres.js'
import { parsePostgresAddress } from './postgres-address.js'
import type { PostgresConnection } from './postgres-connection.js'
import type { PostgresConnections } from './postgres-connections.js'
import { postgresDatabase } from './postgres-database.js'
import { postgresDialect } from './postgres-dialect.js'
import { silentTriggerFaults } from './silent-triggers.js'

/** See `SqlStoreAdapter.openTables`. */
export async function openPostgresTables(url: string, options: StoreOptions): Promise<SqlStore> {
  const address = parsePostgresAddress(url)
  const tables = postgresTables(options.prefix)
  const connections = await connectionsOf(address, options)
  try {
    const facts = await firstContact(connections)
    const schema = await usableSchema(connections, address, facts, options.purpose !== 'read')
    const settings = settingsOf(schema, tables, {})
    const database = postgresDatabase(connections, postgresDialect(schema), settings)
    return {
      name: `${shownAddress('postgres', address.server)}?schema=${encodeURIComponent(schema)}`,
      database,
      tables,
      warnings: [],
      serverFaults: async () => [
        ...(facts.isReadOnly ? [readOnlyFault] : []),
        ...(await silentTriggerFaults(database, tables)),
      ],
      removal: removalOf(schema),
      takeLock: (waiting) => takeAdvisoryLock(connections, `${settings.lockScope} first start`, waiting),
      isLockTaken: () => isAdvisoryLockTaken(database.reader, `${settings.lockScope} first start`),
      takeMigrationLock: (waiting) => takeAdvisoryLock(connections, `${settings.lockScope} tables`, waiting),
      readSnapshot: (work) => inSnapshot(connections, work),
    }
  } catch (error) {
    await connections.close()
    throw unusable(error, address)
  }
}

const readOnlyFault = {
  sentence: 'The sessions of the server can read and not write: no service starts on it.',
  remedy: 'Switch default_transaction_read_only off for the server, the database and the user.',
}

async function inSnapshot<T>(connections: PostgresConnections, work: (reader: SqlReader) => Promise<T>): Promise<T> {
  const { connection } = await connections.open('reader')
  try {
    // The transaction is idle while the caller writes the rows elsewhere, which may be slow.
    await connection.run(`SELECT set_config('idle_in_transaction_session_timeout', '600000', false)`)
    await connection.run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    return await work(readerOn(connection))
  } finally {
    await connection.close()
  }
}

const readerOn = (connection: PostgresConnection): SqlReader => ({
  query: async (text, values = []) => (await connection.run(text, values)).rows,
  row: async (text, values = []) => (await connection.run(text, values)).rows[0] ?? null,
})
