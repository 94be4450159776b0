import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase } from './servers/fresh-database.js'
import { skipWithoutServer } from './servers/missing-server.js'

/** A kind of database that several processes may open. */
export interface StoreKind {
  readonly name: string
  /** The option `skip` of its tests. */
  readonly skip: string | false
  /** An empty database. */
  create(): Promise<{ readonly url: string; drop(): Promise<void> | void }>
}

const serverKind = (kind: 'postgres' | 'mariadb', name: string): StoreKind => ({
  name,
  skip: skipWithoutServer(kind),
  async create() {
    const database = await freshDatabase(kind)
    if (database === null) throw new Error(`There is no ${name}.`)
    return database
  },
})

export const storeKinds: readonly StoreKind[] = [
  {
    name: 'SQLite',
    skip: false,
    async create() {
      const folder = mkdtempSync(join(tmpdir(), 'store-'))
      return { url: `sqlite:${join(folder, 'site.sqlite')}`, drop: () => rmSync(folder, { recursive: true }) }
    },
  },
  serverKind('postgres', 'PostgreSQL'),
  serverKind('mariadb', 'MariaDB'),
]
