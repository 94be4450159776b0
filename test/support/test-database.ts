import { storeAdapterOf } from '../../src/app/stores.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import type { FreshDatabase } from './servers/fresh-database.js'
import { freshDatabaseOf } from './servers/named-server.js'

/** The server that `npm test -- --database` names: `postgres`, `mariadb` or an address. Null for SQLite. */
const server = process.env['TEST_DATABASE'] || null

/** The value of the option `skip` for tests that are about SQLite itself. */
export const onlyOnSqlite: string | false = server === null ? false : 'about SQLite itself'

/** As `onlyOnSqlite`, for tests whose change token must stay while nothing is written: that of a server is shared. */
export const onlyWithOwnToken: string | false = server === null ? false : 'other tests change the token of the server'

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

/**
 * Opens a database. One on a server is closed after the last test of the file.
 * @param url default: an empty database.
 */
export async function openTestStorage(url?: string): Promise<OpenedStorage> {
  const address = url ?? (await temporaryDatabase())
  const storage = await storeAdapterOf(address).open(address, {})
  const close = storage.close.bind(storage)
  let closed: Promise<void> | null = null
  storage.close = () => (closed ??= close())
  storages.push(storage)
  return storage
}

const storages: OpenedStorage[] = []
// The connections to a server would keep the process alive. Programs that are no tests import this module too, and print
// the report of a test runner if they import `node:test`.
if (server !== null) {
  const { after } = await import('node:test')
  after(() => Promise.all(storages.map((storage) => storage.close())))
}

const databases: FreshDatabase[] = []

async function databaseOn(address: string): Promise<string> {
  const database = await freshDatabaseOf(address)
  databases.push(database)
  return database.url
}

// When nothing is left to do: services are closed by then.
process.on('beforeExit', () => {
  void dropAll()
})

/** One after the other: a server takes only so many connections. */
async function dropAll(): Promise<void> {
  for (const { drop } of databases.splice(0)) await drop()
}
