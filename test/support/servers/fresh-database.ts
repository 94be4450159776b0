import { randomBytes } from 'node:crypto'
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import { Client } from 'pg'
import { missingServer } from './missing-server.js'
import type { DatabaseKind } from './server-programs.js'
import { sharedServer } from './shared-server.js'

export interface FreshDatabase {
  readonly url: string
  /** On a cluster: the address at each node, beginning with `url`. Left out on a single server. */
  readonly nodes?: readonly string[]
  /**
   * Deletes all rows, so that what was written begins at id 1 again. The tables stay, with the rows that tell their version: to
   * make them takes a second of a processor.
   */
  empty(): Promise<void>
  /** Removes it. Connections that still use it fail. */
  drop(): Promise<void>
}

/**
 * An empty database on a server for tests: a schema on PostgreSQL, a database on MariaDB.
 *
 * ```ts
 * describe('on PostgreSQL', { skip: skipWithoutServer('postgres') }, () => { … await freshDatabase('postgres') … })
 * ```
 *
 * @returns null when there is no such server. @throws Error when it cannot be started or reached.
 */
export async function freshDatabase(kind: DatabaseKind): Promise<FreshDatabase | null> {
  return missingServer(kind) === null ? freshDatabaseOn(await sharedServer(kind)) : null
}

/**
 * @param url of a database in which schemas, or of a server on which databases, may be created.
 * @param others the other nodes of a Galera cluster, at which the database is there as well.
 */
export async function freshDatabaseOn(url: string, others: readonly string[] = []): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const address = new URL(url)
  const isPostgres = /^postgres(ql)?:$/.test(address.protocol)
  if (isPostgres) address.searchParams.set('schema', name)
  else address.pathname = `/${name}`
  const execute = isPostgres
    ? (statement: string) => onPostgres(url, (client) => client.query(statement))
    : (statement: string) => onMariadb(url, (connection) => connection.query(statement))
  await execute(isPostgres ? `CREATE SCHEMA ${name}` : `CREATE DATABASE ${name}`)
  await Promise.all(others.map((node) => onMariadb(node, waitForWrites)))
  return {
    url: String(address),
    empty: () =>
      isPostgres ? onPostgres(url, (client) => client.query(emptyPostgres(name))) : emptyMariadb(url, name),
    drop: () => execute(isPostgres ? `DROP SCHEMA IF EXISTS ${name} CASCADE` : `DROP DATABASE IF EXISTS ${name}`),
  }
}

/** The rows of these tables stay, or some of them. */
const ofVersions = String.raw`%\_versions`
const ofOptions = String.raw`%\_options`
/** Deletions of content write into these tables, so they are emptied last. */
const ofService = String.raw`%as\_rest\_route\_%`
const isContent = "option_name NOT LIKE '%db_version'"

const emptyPostgres = (schema: string): string => `DO $$ DECLARE name text; BEGIN
  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${schema}' AND tablename NOT LIKE '${ofVersions}'
      ORDER BY tablename LIKE '${ofService}' LOOP
    EXECUTE format('DELETE FROM %I.%I', '${schema}', name)
      || CASE WHEN name LIKE '${ofOptions}' THEN ${literal(` WHERE ${isContent}`)} ELSE '' END;
  END LOOP;
  FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = '${schema}' AND last_value IS NOT NULL
      AND sequencename NOT LIKE '${ofOptions}%' LOOP
    PERFORM setval(format('%I.%I', '${schema}', name), 1, false);
  END LOOP;
END $$`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

function emptyMariadb(url: string, database: string): Promise<void> {
  return onMariadb(url, async (connection) => {
    // MySQL refuses to change a table with dates of zeros otherwise, and would tell an older `auto_increment`.
    await connection.query(`SET sql_mode = '' /*!80000 , information_schema_stats_expiry = 0 */`)
    const [tables] = await connection.query<RowDataPacket[]>(
      `SELECT table_name AS name, auto_increment AS next FROM information_schema.tables
        WHERE table_schema = '${database}' AND table_name NOT LIKE '${ofVersions}'
        ORDER BY table_name LIKE '${ofService}'`,
    )
    for (const { name, next } of tables) {
      const table = `${database}.\`${name}\``
      await connection.query(`DELETE FROM ${table} WHERE ${name.endsWith('_options') ? isContent : 'true'}`)
      if (next > 1) await connection.query(`ALTER TABLE ${table} AUTO_INCREMENT = 1`)
    }
  })
}

/** Waits until the node has what was committed at others before. */
async function waitForWrites(connection: Connection): Promise<void> {
  await connection.query('SET wsrep_sync_wait = 1')
  await connection.query('SHOW DATABASES')
}

async function onPostgres(url: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await use(client)
  } finally {
    await client.end()
  }
}

async function onMariadb(url: string, use: (connection: Connection) => Promise<unknown>): Promise<void> {
  const { hostname, port, username, password, searchParams } = new URL(url)
  const socketPath = searchParams.get('socket')
  const connection = await createConnection({
    ...(socketPath === null ? { host: hostname, port: Number(port || 3306) } : { socketPath }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  })
  try {
    await use(connection)
  } finally {
    await connection.end()
  }
}
