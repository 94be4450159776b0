import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { storeAdapterOf } from '../../src/app/stores.js'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import type { PostQuery } from '../../src/database/storage.js'
import { emptyDatabase, skipWithout, type MovingDatabase } from './moving-databases.js'

const run = promisify(execFile)

/** A way to write a database to a file and to read the file again, with the programs of the server. */
interface Dump {
  readonly kind: 'postgres' | 'mariadb'
  readonly name: string
  /** @returns the file in `folder`. */
  write(url: URL, folder: string): Promise<string>
  restore(url: URL, file: string): Promise<void>
}

const nameOf = (url: URL): string => url.searchParams.get('schema') ?? url.pathname.slice(1)

/** Programs of PostgreSQL know no schema in an address. */
function withoutSchema(url: URL): string {
  const address = new URL(url)
  address.search = ''
  return String(address)
}

const clientOptions = (url: URL): string[] => [
  `--host=${url.hostname}`,
  `--port=${url.port}`,
  `--user=${url.username}`,
  `--password=${url.password}`,
  '--default-character-set=utf8mb4',
]

const plainPostgres: Dump = {
  kind: 'postgres',
  name: 'pg_dump, a new schema and psql',
  async write(url, folder) {
    const file = join(folder, 'shop.sql')
    await run('pg_dump', [`--schema=${nameOf(url)}`, `--file=${file}`, withoutSchema(url)])
    return file
  },
  async restore(url, file) {
    const psql = ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--quiet', withoutSchema(url)]
    await run('psql', [...psql, '--command', `DROP SCHEMA ${nameOf(url)} CASCADE`])
    await run('psql', [...psql, '--file', file])
  },
}

const customPostgres: Dump = {
  kind: 'postgres',
  name: 'pg_dump and pg_restore over the tables',
  async write(url, folder) {
    const file = join(folder, 'shop.dump')
    await run('pg_dump', ['--format=custom', `--schema=${nameOf(url)}`, `--file=${file}`, withoutSchema(url)])
    return file
  },
  async restore(url, file) {
    await run('pg_restore', ['--clean', '--if-exists', '--exit-on-error', `--dbname=${withoutSchema(url)}`, file])
  },
}

const mariadbDump: Dump = {
  kind: 'mariadb',
  name: 'mariadb-dump and mariadb over the tables',
  async write(url, folder) {
    const options = ['--single-transaction', '--triggers']
    const { stdout } = await run('mariadb-dump', [...clientOptions(url), ...options, nameOf(url)], {
      maxBuffer: 64 * 1024 * 1024,
    })
    const file = join(folder, 'shop.sql')
    writeFileSync(file, stdout)
    return file
  },
  async restore(url, file) {
    const restoring = run('mariadb', [...clientOptions(url), nameOf(url)])
    restoring.child.stdin?.end(readFileSync(file))
    await restoring
  },
}

const products: PostQuery = {
  types: ['product'],
  statuses: ['publish'],
  order: [{ by: 'date', direction: 'desc' }],
  limit: 100,
  offset: 0,
}
const ofTerm: PostQuery = { ...products, term: { taxonomy: 'category', slug: 'tea' } }

/** What a service reads of the records. */
async function read(database: MovingDatabase): Promise<unknown> {
  const storage = await storeAdapterOf(database.url).open(database.url, {})
  try {
    const idsOf = async (query: PostQuery) => (await storage.posts.list(query)).rows.map(({ post }) => post.ID)
    return {
      products: [await storage.posts.count(products), await idsOf(products)],
      ofTerm: [await storage.posts.count(ofTerm), await idsOf(ofTerm)],
    }
  } finally {
    await storage.close()
  }
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

const columns =
  'ID, post_status, post_type, post_date, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered'
const row = (id: number): string =>
  `(${id}, '${id % 3 === 0 ? 'draft' : 'publish'}', 'product', '2026-01-${10 + (id % 20)} 00:00:00', 'ä 🫖', '${id}', '', '', '', '')`
const records = (ids: readonly number[]): string =>
  `INSERT INTO wp_posts (${columns}) VALUES ${ids.map(row).join(', ')}`
const inTerm = (ids: readonly number[]): string =>
  `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES ${ids.map((id) => `(${id}, 101)`).join(', ')}`
const recount = `UPDATE wp_term_taxonomy SET count = (SELECT COUNT(*) FROM wp_term_relationships r JOIN wp_posts p ON p.ID = r.object_id
  WHERE r.term_taxonomy_id = 101 AND p.post_status = 'publish')`

async function assertRight(database: MovingDatabase): Promise<void> {
  const store = await database.tables()
  assert.deepEqual(await checkDatabase(store), [])
  const sum = (text: string) => store.database.reader.query(text)
  const byHand =
    await sum(`SELECT p.post_status, COUNT(*) FROM wp_term_relationships r JOIN wp_posts p ON p.ID = r.object_id
    WHERE r.term_taxonomy_id = 101 GROUP BY p.post_status ORDER BY 1`)
  const byTriggers = await sum(`SELECT post_status, SUM(n) FROM wp_as_rest_route_counts WHERE term_taxonomy_id = 101
    GROUP BY post_status HAVING SUM(n) <> 0 ORDER BY 1`)
  assert.deepEqual(
    byTriggers.map(([status, count]) => [status, Number(count)]),
    byHand.map(([status, count]) => [status, Number(count)]),
  )
  assert.equal(byHand.length, 2)
  await store.database.close()
}

for (const dump of [plainPostgres, customPostgres, mariadbDump])
  describe(`a database that was restored by ${dump.name}`, { skip: skipWithout(dump.kind) }, () => {
    it('has its rows, triggers and numbers, and keeps them right', async () => {
      const database = await emptyDatabase(dump.kind)
      const folder = mkdtempSync(join(tmpdir(), 'as-rest-route-dump-'))
      try {
        const url = new URL(database.url)
        await read(database)
        await database.foreign(
          `INSERT INTO wp_terms (term_id, name, slug) VALUES (1, 'Tea', 'tea')`,
          `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (101, 1, 'category', '')`,
          records(numbers(1, 40)),
          inTerm(numbers(5, 30)),
          recount,
        )
        if (dump.kind === 'postgres')
          await database.foreign(
            ...['posts', 'terms', 'term_taxonomy'].map((name) => `SELECT setval('wp_${name}_sequence', 200)`),
          )
        await assertRight(database)
        const before = await read(database)
        const file = await dump.write(url, folder)

        await database.foreign(
          'DELETE FROM wp_posts WHERE ID < 20',
          'DELETE FROM wp_term_relationships WHERE object_id < 20',
          records(numbers(301, 307)),
          inTerm(numbers(301, 307)),
        )
        await dump.restore(url, file)
        await assertRight(database)
        assert.deepEqual(await read(database), before)

        await database.foreign(
          records(numbers(401, 410)),
          inTerm(numbers(401, 405)),
          `UPDATE wp_posts SET post_status = 'draft' WHERE ID IN (7, 401)`,
          'DELETE FROM wp_term_relationships WHERE object_id IN (8, 9)',
          'DELETE FROM wp_term_relationships WHERE object_id = 10',
          'DELETE FROM wp_posts WHERE ID = 10',
          recount,
        )
        await assertRight(database)
        assert.notDeepEqual(await read(database), before)
      } finally {
        rmSync(folder, { recursive: true, force: true })
        await database.drop()
      }
    })
  })
