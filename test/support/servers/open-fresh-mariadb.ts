import { createConnection } from 'mysql2/promise'
import { openMysql, type MysqlOptions } from '../../../src/database/mysql/open-mysql.js'
import type { OpenedStorage } from '../../../src/database/store-adapter.js'
import { freshDatabase } from './fresh-database.js'

/** Storages on one empty database of the server for tests, and sessions of another program. */
export interface FreshMariadb {
  readonly url: string
  /** Opens one more storage, as another process would. */
  open(options?: MysqlOptions): Promise<OpenedStorage>
  /** Runs SQL as another program, with the settings of the server. @returns the rows of the last statement, as text. */
  foreign(...statements: string[]): Promise<readonly (string | null)[][]>
  /** Closes all storages and removes the database. */
  drop(): Promise<void>
}

export async function freshMariadb(): Promise<FreshMariadb> {
  const database = await freshDatabase('mariadb')
  if (database === null) throw new Error('The server for tests is gone.')
  const storages: OpenedStorage[] = []
  return {
    url: database.url,
    async open(options) {
      const storage = await openMysql(database.url, options)
      storages.push(storage)
      return storage
    },
    foreign: (...statements) => foreignSql(database.url, ...statements),
    async drop() {
      await Promise.all(storages.map((storage) => storage.close()))
      await database.drop()
    },
  }
}

/** The options of the driver for an address. */
export function connectionOptions(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url)
  return {
    host: hostname,
    port: Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
  }
}

/** Runs statements in a session of their own. @returns the rows of the last one, as text. */
export async function foreignSql(url: string, ...statements: string[]): Promise<readonly (string | null)[][]> {
  const connection = await createConnection({
    ...connectionOptions(url),
    rowsAsArray: true,
    typeCast: (field) => field.string(),
  })
  try {
    let rows: unknown = []
    for (const statement of statements) [rows] = await connection.query(statement)
    return Array.isArray(rows) ? (rows as (string | null)[][]) : []
  } finally {
    connection.destroy()
  }
}

/** Ends all connections of the services to a database, as an administrator does. */
export async function killConnections(url: string, condition = 'true'): Promise<number> {
  const { pathname } = new URL(url)
  const sessions = await foreignSql(
    url,
    `SELECT id FROM information_schema.processlist WHERE db = '${pathname.slice(1)}' AND id <> CONNECTION_ID() AND ${condition}`,
  )
  for (const [id] of sessions) await foreignSql(url, `KILL ${id}`).catch(() => undefined)
  return sessions.length
}
