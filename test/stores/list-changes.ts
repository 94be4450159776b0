import assert from 'node:assert/strict'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { connectionOptions } from '../support/servers/open-fresh-mariadb.js'
import type { DatabaseKind } from '../support/servers/server-programs.js'

const levels = ['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE']

/** A session of another program. */
export interface Session {
  run(sql: string): Promise<unknown>
  end(): Promise<void>
}

/** The columns of `aRow`. */
export const columns =
  'post_status, post_type, post_date, post_content, post_title, post_excerpt, to_ping, pinged, post_content_filtered'
export const aRow = (status: string, day = 1): string =>
  `'${status}', 'product', '2026-01-0${day} 00:00:00', '', 'Tea', '', '', '', ''`

/** How another program uses a server. */
export interface Server {
  readonly kind: DatabaseKind
  readonly name: string
  connect(url: string): Promise<Session>
  /** The beginning of a transaction. */
  begin(level: string): readonly string[]
  /** An insert that leaves out rows that exist. */
  insertMissing(into: string, rows: string): string
}

const postgres: Server = {
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
}

export const mariadb: Server = {
  kind: 'mariadb',
  name: 'MariaDB',
  async connect(url) {
    const connection = await createConnection(connectionOptions(url))
    return { run: (sql) => connection.query(sql), end: () => connection.end() }
  },
  begin: (level) => [`SET TRANSACTION ISOLATION LEVEL ${level}`, 'START TRANSACTION'],
  insertMissing: (into, rows) => `INSERT IGNORE INTO ${into} ${rows}`,
}

export const servers: readonly Server[] = [postgres, mariadb]

const below = (limit: number): number => Math.floor(Math.random() * limit)
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T

/**
 * On Galera, a conflict that ends a session while it reads the triggers of a table leaves them unread at this node, until an administrator
 * flushes the tables: see docs/databases.md.
 */
const triggerUnread = /has an error in its body/

/** Makes a statement that another program may send. */
export type RandomChange = (server: Server) => string

/** Deadlocks and conflicts end it, as each such program has to expect. */
export async function randomTransaction(
  server: Server,
  session: Session,
  randomChange: RandomChange = randomListChange,
): Promise<void> {
  try {
    for (const statement of server.begin(oneOf(levels))) await session.run(statement)
    for (let left = 1 + below(3); left > 0; left -= 1) await session.run(randomChange(server))
    await session.run(below(5) === 0 ? 'ROLLBACK' : 'COMMIT')
  } catch (error) {
    const { code, errno } = error as { readonly code?: string; readonly errno?: number }
    if (triggerUnread.test(String(error))) {
      for (const statement of ['ROLLBACK', 'FLUSH LOCAL TABLES']) await session.run(statement).catch(assertConflict)
      return
    }
    const isExpected = ['40001', '40P01', '23505'].includes(code ?? '') || [1062, 1205, 1213, 1467].includes(errno ?? 0)
    assert.ok(isExpected, String(error))
    await session.run('ROLLBACK').catch(assertConflict)
  }
}

/** A node of Galera may answer the statement after a transaction with the conflict that has ended it. */
const assertConflict = ({ errno }: { readonly errno?: number }): void => assert.equal(errno, 1213)

/** All change the same few records and their terms. */
export function randomListChange({ kind, insertMissing }: Server): string {
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
    // On PostgreSQL, a record that is stored while its id gets a term may miss it: see docs/databases.md.
    ...(kind === 'mariadb'
      ? [
          `REPLACE INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow(status)})`,
          `INSERT IGNORE INTO wp_posts (ID, ${columns}) VALUES (${id + 12}, ${aRow(status)})`,
          `UPDATE IGNORE wp_posts SET ID = ${id + 12}, post_status = '${status}' WHERE ID = ${1 + below(12)}`,
          `UPDATE IGNORE wp_posts SET ID = ${id} WHERE ID = ${id + 12}`,
          `UPDATE IGNORE wp_term_relationships SET term_taxonomy_id = ${term} WHERE object_id = ${id}`,
        ]
      : []),
  ])
}

/** All change the same few records and the numbers in their metadata. */
export function randomMetadataChange({ kind }: Server): string {
  const [id, status, type] = [1 + below(12), oneOf(['publish', 'draft']), oneOf(['product', 'page'])]
  const [key, value] = [
    oneOf(['price', 'price', 'Price', 'stock', 'note']),
    oneOf(['5', '-3.5', '0', '7 EUR', 'none', '', '1e3']),
  ]
  const into = 'INSERT INTO wp_postmeta (post_id, meta_key, meta_value)'
  return oneOf([
    `${into} VALUES (${id}, '${key}', '${value}')`,
    `${into} VALUES (${id}, '${key}', '${value}'), (${id}, '${key}', NULL), (${id + 1}, 'stock', '2')`,
    `${into} SELECT ID, '${key}', '${value}' FROM wp_posts WHERE ID % 5 = ${id % 5}`,
    `UPDATE wp_postmeta SET meta_value = '${value}' WHERE post_id = ${id} AND meta_key = '${key}'`,
    `UPDATE wp_postmeta SET meta_value = '${value}' WHERE post_id % 4 = ${id % 4}`,
    `UPDATE wp_postmeta SET meta_key = '${key}' WHERE post_id = ${id} AND meta_id % 2 = 0`,
    `UPDATE wp_postmeta SET post_id = ${1 + below(12)} WHERE post_id = ${id} AND meta_key = '${key}'`,
    `DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '${key}'`,
    `DELETE FROM wp_postmeta WHERE meta_value = '${value}' AND post_id % 3 = ${id % 3}`,
    `UPDATE wp_posts SET post_status = '${status}' WHERE ID = ${id}`,
    `UPDATE wp_posts SET post_type = '${type}' WHERE ID = ${id}`,
    `UPDATE wp_posts SET post_type = '${type}', post_status = '${status}' WHERE ID % 4 = ${id % 4}`,
    `INSERT INTO wp_posts (${columns}) VALUES (${aRow(status)})`,
    `DELETE FROM wp_posts WHERE ID > 12 AND ID % 3 = ${id % 3}`,
    ...(kind === 'mariadb'
      ? [
          `REPLACE INTO wp_posts (ID, ${columns}) VALUES (${id}, ${aRow(status)})`,
          `UPDATE IGNORE wp_postmeta SET meta_id = ${id}, meta_value = '${value}' WHERE post_id = ${id}`,
          `UPDATE IGNORE wp_posts SET ID = ${id}, post_type = '${type}' WHERE ID = ${1 + below(12)}`,
        ]
      : []),
  ])
}
