import { Client } from 'pg'
import { openPostgres, type PostgresOptions } from '../../../src/database/postgres/open-postgres.js'
import type { OpenedStorage } from '../../../src/database/store-adapter.js'
import { freshDatabase, freshDatabaseOn } from './fresh-database.js'

/** Storages on one empty database of the server for tests, and sessions of another program. */
export interface FreshPostgres {
  readonly url: string
  /** Opens one more storage, as another process would. */
  open(options?: PostgresOptions): Promise<OpenedStorage>
  /** Runs SQL as another program: its `search_path` is not ours. @returns the rows, as text. */
  foreign(sql: string): Promise<readonly (string | null)[][]>
  /** The tables: `test_1.wp_posts` for `posts`. */
  table(name: string): string
  /** Closes all storages and removes the database. */
  drop(): Promise<void>
}

/** @param url of a server of the test's own, for tests that end connections: the shared one has those of other tests. */
export async function freshPostgres(url?: string): Promise<FreshPostgres> {
  const database = await (url === undefined ? freshDatabase('postgres') : freshDatabaseOn(url))
  if (database === null) throw new Error('The server for tests is gone.')
  const storages: OpenedStorage[] = []
  const schema = new URL(database.url).searchParams.get('schema')
  return {
    url: database.url,
    async open(options) {
      const storage = await openPostgres(database.url, options)
      storages.push(storage)
      return storage
    },
    foreign: (sql) => foreignSql(database.url, sql),
    table: (name) => `${schema}.wp_${name}`,
    async drop() {
      await Promise.all(storages.map((storage) => storage.close()))
      await database.drop()
    },
  }
}

/** Runs statements in a session of their own. @returns the rows of the last one, as text. */
export async function foreignSql(url: string, sql: string): Promise<readonly (string | null)[][]> {
  const address = new URL(url)
  address.search = ''
  const client = new Client({ connectionString: String(address), types: { getTypeParser: () => String } })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const result = await client.query({ text: sql, rowMode: 'array' })
    const last = Array.isArray(result) ? (result.at(-1) as typeof result) : result
    return last.rows as (string | null)[][]
  } finally {
    await client.end().catch(() => undefined)
  }
}
