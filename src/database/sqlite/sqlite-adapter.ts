import { backUpSqlite } from './backup.js'
import type { SqlStoreAdapter } from '../sql/sql-store.js'
import { sqliteHasTables, openSqlite } from './open-sqlite.js'
import { sqliteLocation } from './sqlite-location.js'
import { openSqliteTables } from './sqlite-tables.js'

/** SQLite: one file, or a database in memory. */
export const sqliteAdapter: SqlStoreAdapter = {
  schemes: ['sqlite'],
  locate(address) {
    const path = sqliteLocation(address)
    return path === ':memory:'
      ? { file: null, name: address, isTemporary: true }
      : { file: path, name: address, isTemporary: false }
  },
  hasTables: sqliteHasTables,
  backUp: backUpSqlite,
  open: openSqlite,
  openTables: openSqliteTables,
}
