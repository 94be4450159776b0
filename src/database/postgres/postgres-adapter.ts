import { shownAddress } from '../server/server-address.js'
import { StorageError } from '../storage-error.js'
import type { SqlStoreAdapter } from '../sql/sql-store.js'
import { openPostgres, postgresHasTables } from './open-postgres.js'
import { parsePostgresAddress, postgresSchemes } from './postgres-address.js'
import { openPostgresTables } from './postgres-tables.js'

/** PostgreSQL 15 and later, by the package `pg`. */
export const postgresAdapter: SqlStoreAdapter = {
  schemes: postgresSchemes,
  locate(address) {
    const { server } = parsePostgresAddress(address)
    return { file: null, name: shownAddress('postgres', server), isTemporary: false }
  },
  hasTables: postgresHasTables,
  async backUp(address) {
    const { server } = parsePostgresAddress(address)
    throw new StorageError(
      'failed',
      `A database on PostgreSQL is copied by its own tool: pg_dump --format=custom --file=copy.dump "${shownAddress('postgres', server)}"`,
    )
  },
  open: openPostgres,
  openTables: openPostgresTables,
}
