import { existsSync, rmSync, statSync } from 'node:fs'
import { sqliteLocation } from '../src/database/sqlite/sqlite-location.js'
import type { FreshDatabase } from '../test/support/servers/fresh-database.js'
import { freshDatabaseOf, isServer } from '../test/support/servers/named-server.js'

/** A run writes into an empty database only. */
export class DatabaseNotEmptyError extends Error {
  override readonly name = 'DatabaseNotEmptyError'
}

/** `empty` is left out where a new database costs no more. */
export type EmptyDatabase = Pick<FreshDatabase, 'url' | 'drop'> & Partial<Pick<FreshDatabase, 'empty'>>

/** Gives an empty database to each site of a run and to each file of records, which drop it. There is one at a time. */
export type EmptyDatabases = () => Promise<EmptyDatabase>

/**
 * @param address an SQLite file that is not there or has no bytes, `sqlite::memory:`, or a server, on which each site has
 * a schema or database of its own: its address, `postgres`, `mariadb` or `galera`.
 * @throws DatabaseNotEmptyError @throws StorageError for an address of another kind.
 */
export function emptyDatabases(address: string): EmptyDatabases {
  if (isServer(address)) return () => freshDatabaseOf(address)
  const path = sqliteLocation(address)
  if (path === ':memory:') return async () => ({ url: address, drop: async () => {} })
  if (existsSync(path) && statSync(path).size > 0)
    throw new DatabaseNotEmptyError(
      `The database ${address} is not empty: a run writes into an empty one only, and empties it.`,
    )
  const drop = async () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  }
  return async () => {
    await drop()
    return { url: address, drop }
  }
}
