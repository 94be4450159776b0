import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { storeOf } from '../../src/app/stores.js'
import { checkDatabase } from '../../src/database/maintenance/check-database.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import { freshDatabase } from '../support/servers/fresh-database.js'
import { connectionOptions } from '../support/servers/open-fresh-mariadb.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import type { DatabaseKind } from '../support/servers/server-programs.js'
import { onlyOnSqlite } from '../support/test-database.js'

const levels = ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE']

/** A session of another program. */
interface Session {
  run(sql: string): Promise<unknown>
  end(): Promise<void>
}

const columns =
  'post_status, post_type, post_date, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered'
const aRow = (status: string, day = 1): string =>
  `'${status}', 'product', '2026-01-0${day} 00:00:00', '', 'Tea', '', '', '', ''`

interface Server {
  readonly kind: DatabaseKind
  readonly name: string
  connect(url: string): Promise<Session>
  /** The beginning of a transaction. */
  begin(level: string): readonly string[]
  /** An insert that leaves out rows that exist. */
  insertMissing(into: string, rows: string): string
}

const servers: readonly Server[] = [
  {
    kind: 'postgres',
    name: 'PostgreSQL',
    async connect(url) {
      const address = new URL(url)
      const schema = address.searchParams.get('schema') ?? ''
      address.search = ''
      const client = new Client({ connectionString: String(address), options: `-c search_path=${schema}` })
      await client.connect()
      // Only an administrator may look for deadlocks sooner than after a second.
      await client.query('SET deadlock_timeout = 20').catch(() => undefined)
      return { run: (sql) => client.query(sql), end: () => client.end() }
    },
    begin: (level) => [`BEGIN ISOLATION LEVEL ${level}`],
    insertMissing: (into, rows) => `INSERT INTO ${into} ${rows} ON CONFLICT DO NOTHING`,
  },
  {
    kind: 'mariadb',
    name: 'MariaDB',
    async connect(url) {
      const connection = await createConnection(connectionOptions(url))
      return { run: (sql) => connection.query(sql), end: () => connection.end() }
    },
    begin: (level) => [`SET TRANSACTION ISOLATION LEVEL ${level}`, 'START TRANSACTION'],
    insertMissing: (into, rows) => `INSERT IGNORE INTO ${into} ${rows}`,
  },
]

for (const server of servers)
  describe(
    `lists and numbers of ${server.name} while other programs write`,
    { skip: skipWithoutServer(server.kind) || onlyOnSqlite },
    () => {
      let store: SqlStore
      let program: Session
      let connect: () => Promise<Session>
      let close: () => Promise<void>
      before(async () => {
        const database = await freshDatabase(server.kind)
        assert.ok(database)
        const storage = await storeOf(database.url).open(database.url, {})
        store = await storeOf(database.url).openTables(database.url, { purpose: 'change' })
        connect = () => server.connect(database.url)
        program = await connect()
        close = async () => {
          await program.end()
          await storage.close()
          await store.database.close()
          await database.drop()
        }
      })
      after(() => close())

      async function assertRight(): Promise<void> {
        const sentences = (await checkDatabase(store)).map(({ sentence }) => sentence)
        assert.deepEqual(
          sentences.filter((sentence) => /_counts|_listed/.test(sentence)),
          [],
        )
      }

      it('are right when several change the same records, at any isolation', async () => {
        for (let id = 1; id <= 30; id += 1)
          await program.run(`INSERT INTO wp_posts (${columns}) VALUES (${aRow('draft')})`)
        const end = performance.now() + 3000
        let count = 0
        await Promise.all(
          Array.from({ length: 10 }, async () => {
            const session = await connect()
            try {
              for (; performance.now() < end; count += 1) await randomTransaction(server, session)
            } finally {
              await session.end()
            }
          }),
        )
        assert.ok(count > 50, `${count} transactions`)
        await assertRight()
      })

      it('are right after statements that store records again, or give them other ids', async () => {
        const relate = (id: number): string =>
          `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, 1), (${id}, 2)`
        const insert = (id: number): string =>
          `INSERT INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow('publish')})`
        for (const id of [1001, 1002, 1003])
          for (const statement of [insert(id), relate(id)]) await program.run(statement)
        await program.run('DELETE FROM wp_posts WHERE ID = 1001')
        await program.run(insert(1001))
        await assertRight()
        await program.run('UPDATE wp_posts SET ID = 1004 WHERE ID = 1002')
        await assertRight()
        await program.run("UPDATE wp_posts SET ID = 1002, post_status = 'draft' WHERE ID = 1004")
        await assertRight()
        // The terms are there before their record is.
        await program.run(relate(1005))
        await program.run(insert(1005))
        await assertRight()
        await program.run(
          'INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ID, 7 FROM wp_posts WHERE ID > 1000',
        )
        await assertRight()
        // Under 0, the numbers of all records are kept. It is the default of the column.
        await program.run('INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (1003, 0)')
        await assertRight()
        if (server.kind !== 'mariadb') return
        await program.run(`REPLACE INTO wp_posts (ID, ${columns}) VALUES (1003, ${aRow('draft', 2)})`)
        await assertRight()
        // TRUNCATE starts no trigger there. Records get terms all the same, and are not counted again.
        const sum = async () => JSON.stringify(await program.run('SELECT SUM(n) FROM wp_as_rest_route_counts'))
        const before = await sum()
        await program.run('TRUNCATE wp_term_relationships')
        await program.run(relate(1003))
        assert.equal(await sum(), before)
      })
    },
  )

const below = (limit: number): number => Math.floor(Math.random() * limit)
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T

/** Deadlocks and conflicts end it, as each such program has to expect. */
async function randomTransaction(server: Server, session: Session): Promise<void> {
  try {
    for (const statement of server.begin(oneOf(levels))) await session.run(statement)
    for (let left = 1 + below(3); left > 0; left -= 1) await session.run(randomChange(server))
    await session.run(below(5) === 0 ? 'ROLLBACK' : 'COMMIT')
  } catch (error) {
    const { code, errno } = error as { readonly code?: string; readonly errno?: number }
    const isExpected = ['40001', '40P01', '23505'].includes(code ?? '') || [1062, 1205, 1213].includes(errno ?? 0)
    assert.ok(isExpected, String(error))
    await session.run('ROLLBACK')
  }
}

/** A statement that another program may send. All change the same few records and terms. */
function randomChange({ insertMissing }: Server): string {
  const [id, term, status] = [1 + below(12), 1 + below(5), oneOf(['publish', 'draft', 'trash'])]
  const relationships = 'wp_term_relationships (object_id, term_taxonomy_id)'
  return oneOf([
    `UPDATE wp_posts SET post_status = '${status}' WHERE ID = ${id}`,
    `UPDATE wp_posts SET post_status = '${status}', post_date = '2026-01-0${1 + below(9)} 00:00:00' WHERE ID % 4 = ${id % 4}`,
    `INSERT INTO wp_posts (${columns}) VALUES (${aRow(status)})`,
    `DELETE FROM wp_posts WHERE ID = ${id + 12}`,
    `DELETE FROM wp_posts WHERE ID > 12 AND ID % 3 = ${id % 3}`,
    insertMissing(relationships, `VALUES (${id}, ${term})`),
    insertMissing(relationships, `VALUES (${id + 12}, ${term})`),
    insertMissing(relationships, `SELECT ID, ${term} FROM wp_posts WHERE ID % 5 = ${id % 5}`),
    `UPDATE wp_term_relationships SET term_taxonomy_id = ${term} WHERE object_id = ${id} AND term_taxonomy_id = ${1 + below(5)}`,
    `DELETE FROM wp_term_relationships WHERE object_id = ${id}`,
    `DELETE FROM wp_term_relationships WHERE term_taxonomy_id = ${term} AND object_id % 2 = 0`,
  ])
}
