import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeAdapterOf } from '../../src/app/stores.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import { sqliteLibrary } from '../../src/database/sqlite/sqlite-client.js'
import type { OpenedStorage, StoreOptions } from '../../src/database/store-adapter.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { foreignSql as onMariadb } from '../support/servers/open-fresh-mariadb.js'
import { foreignSql as onPostgres } from '../support/servers/open-fresh-postgres.js'

export const storeKinds = ['sqlite', 'postgres', 'mariadb'] as const
export type StoreKind = (typeof storeKinds)[number]

/** The value of a test's option `skip`. */
export const skipWithout = (...kinds: readonly StoreKind[]): string | false =>
  kinds.map((kind) => (kind === 'sqlite' ? false : skipWithoutServer(kind))).find((reason) => reason !== false) ?? false

/** An empty database of one kind. */
export interface MovingDatabase {
  readonly kind: StoreKind
  readonly url: string
  /** Opens it as tables. It is closed by `drop`. */
  tables(purpose?: 'read' | 'change'): Promise<SqlStore>
  /** Opens it as a service does. It is closed by `drop`. */
  storage(options?: StoreOptions): Promise<OpenedStorage>
  /** Runs SQL as another program. Tables have their plain names. */
  foreign(...statements: string[]): Promise<void>
  drop(): Promise<void>
}

export async function emptyDatabase(kind: StoreKind): Promise<MovingDatabase> {
  const { url, remove } = await createEmpty(kind)
  const closings: (() => Promise<void>)[] = []
  return {
    kind,
    url,
    async tables(purpose = 'change') {
      const store = await storeAdapterOf(url).openTables(url, { purpose })
      closings.push(() => store.database.close())
      return store
    },
    async storage(options = {}) {
      const storage = await storeAdapterOf(url).open(url, options)
      closings.push(() => storage.close())
      return storage
    },
    async foreign(...statements) {
      for (const statement of statements) await foreignStatement(kind, url, statement)
    },
    async drop() {
      await Promise.all(closings.splice(0).map((close) => close()))
      await remove()
    },
  }
}

async function createEmpty(kind: StoreKind): Promise<{ readonly url: string; remove(): Promise<void> }> {
  if (kind === 'sqlite') {
    const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-moving-'))
    return {
      url: `sqlite:${join(folder, 'site.sqlite')}`,
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    }
  }
  const database = await freshDatabase(kind)
  if (database === null) throw new Error('The server for tests is gone.')
  return { url: database.url, remove: () => database.drop() }
}

async function foreignStatement(kind: StoreKind, url: string, statement: string): Promise<void> {
  // MySQL refuses to change a table with dates of zeros otherwise.
  if (kind === 'mariadb') await onMariadb(url, `SET SESSION sql_mode = ''`, statement)
  else if (kind === 'postgres') {
    const schema = new URL(url).searchParams.get('schema')
    await onPostgres(url, `SET search_path = ${schema}; ${statement}`)
  } else {
    const client = (await sqliteLibrary())(url.replace(/^sqlite:/, ''))
    try {
      client.prepare('PRAGMA busy_timeout = 5000').all([])
      client.prepare(statement).run([])
    } finally {
      client.close()
    }
  }
}
