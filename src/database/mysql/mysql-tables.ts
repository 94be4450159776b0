import { shownAddress } from '../server/server-address.js'
import type { SqlReader } from '../sql/sql-connection.js'
import type { SqlStore } from '../sql/sql-store.js'
import { tableNames } from '../sql/table-names.js'
import type { StoreOptions } from '../store-adapter.js'
import { isLeasedLockTaken } from './leased-lock.js'
import { withRemedy } from './missing-right.js'
import { parseMysqlAddress } from './mysql-address.js'
import { readerOn } from './mysql-connection.js'
import type { MysqlConnections } from './mysql-connections.js'
import { connectionsOf, databaseOf, lockTaker, removalOf, userLockName } from './open-mysql.js'
import type { ServerFacts } from './server-facts.js'
import { isUserLockTaken } from './user-lock.js'

/** Minimum of `max_allowed_packet` in bytes: a statement with a text of 16 MB fits. */
const minPacket = 64 * 1024 * 1024

/** See `SqlStoreAdapter.openTables`. */
export async function openMysqlTables(url: string, options: StoreOptions): Promise<SqlStore> {
  const address = parseMysqlAddress(url)
  const { server } = address
  const tables = tableNames(options.prefix ?? 'wp_')
  const connections = await connectionsOf(address, options)
  try {
    const facts = await connections.facts()
    const database = databaseOf(connections, facts.kind, tables, {})
    const take = lockTaker(connections, facts.isGalera, address, { database, tables })
    return {
      name: shownAddress('mariadb', server),
      database,
      tables,
      warnings: warningsOf(facts),
      serverFaults: async () => (facts.isReadOnly ? [readOnlyFault] : []),
      removal: removalOf(server.database),
      takeLock: (waiting) => take('first start', waiting),
      isLockTaken: () =>
        facts.isGalera
          ? isLeasedLockTaken(database.reader, tables, 'first start')
          : isUserLockTaken(database.reader, userLockName(address, tables, 'first start')),
      takeMigrationLock: (waiting) => take('tables', waiting),
      readSnapshot: (work) => inSnapshot(connections, facts, work),
    }
  } catch (error) {
    await connections.close()
    throw withRemedy(error, address)
  }
}

const readOnlyFault = {
  sentence: 'The server is read-only: no service starts on it.',
  remedy: 'Give the address of the primary, or SET GLOBAL read_only = 0.',
}

function warningsOf({ maxPacket }: ServerFacts): readonly string[] {
  const warnings: string[] = []
  if (maxPacket < minPacket)
    warnings.push(
      `The server's max_allowed_packet is ${maxPacket} bytes: longer texts are refused. ` +
        `SET GLOBAL max_allowed_packet = ${minPacket}, and the same in the configuration of the server.`,
    )
  return warnings
}

async function inSnapshot<T>(
  connections: MysqlConnections,
  { kind }: ServerFacts,
  work: (reader: SqlReader) => Promise<T>,
): Promise<T> {
  const connection = await connections.open()
  try {
    // Between two reads, the rows may be written to a slow database.
    if (kind === 'MariaDB') await connection.run('SET SESSION idle_transaction_timeout = 600')
    await connection.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
    await connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
    return await work(readerOn(connection))
  } finally {
    await connection.close()
  }
}
