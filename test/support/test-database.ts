import { storeOf } from '../../src/app/stores.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { freshDatabaseOf, type FreshDatabase } from './servers/fresh-database.js'

/** The server that `npm test -- --database` names: `postgres`, `mariadb` or an address. Null for SQLite. */
const server = process.env['TEST_DATABASE'] || null

/** The value of the option `skip` for tests that are about SQLite itself. */
export const onlyOnSqlite: string | false = server === null ? false : 'about SQLite itself'

/** The address of an empty database for one service: in memory, or on the server of `--database`. */
export async function temporaryDatabase(): Promise<string> {
  return server === null ? 'sqlite::memory:' : databaseOn(server)
}

/**
 * The address of an empty database that several services and processes may open.
 * @param path of the file on SQLite.
 */
export async function sharedDatabase(path: string): Promise<string> {
  return server === null ? `sqlite:${path}` : databaseOn(server)
}

/** @param url default: an empty database. */
export async function openTestStorage(url?: string): Promise<OpenedStorage> {
  const address = url ?? (await temporaryDatabase())
  return storeOf(address).open(address, {})
}

const databases: FreshDatabase[] = []

async function databaseOn(address: string): Promise<string> {
  const database = await freshDatabaseOf(address)
  databases.push(database)
  return database.url
}

// After the last test and its hooks. What keeps the event loop busy until then closes its database first.
process.on('beforeExit', () => {
  for (const { drop } of databases.splice(0)) void drop()
})
