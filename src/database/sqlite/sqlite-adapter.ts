import { backUpSqlite } from './backup.js'
import type { StoreAdapter } from '../store-adapter.js'
import { isMade, openSqlite } from './open-sqlite.js'
import { sqliteLocation } from './sqlite-location.js'

/** SQLite: one file, or a database in memory. */
export const sqliteAdapter: StoreAdapter = {
  schemes: ['sqlite'],
  locate(address) {
    const path = sqliteLocation(address)
    return path === ':memory:'
      ? { file: null, name: address, isTemporary: true }
      : { file: path, name: address, isTemporary: false }
  },
  hasTables: isMade,
  backUp: backUpSqlite,
  open: openSqlite,
}
