import { randomBytes } from 'node:crypto'
import { createConnection } from 'mysql2/promise'
import { Client } from 'pg'
import { missingServer } from './missing-server.js'
import { isDatabaseKind, type DatabaseKind } from './server-programs.js'
import { sharedServer } from './shared-server.js'

export interface FreshDatabase {
  readonly url: string
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
 * As `freshDatabase`, of the server that a command line names.
 * @param server `postgres`, `mariadb`, or the address of a server.
 * @throws Error when there is none.
 */
export async function freshDatabaseOf(server: string): Promise<FreshDatabase> {
  if (!isDatabaseKind(server)) return freshDatabaseOn(server)
  const reason = missingServer(server)
  if (reason !== null) throw new Error(`--database ${server}: ${reason}.`)
  return freshDatabaseOn(await sharedServer(server))
}

/** Whether `freshDatabaseOf` takes it. */
export function isServer(address: string): boolean {
  return isDatabaseKind(address) || /^(postgres(ql)?|mysql|mariadb):\/\//.test(address)
}

/** @param url of a database in which schemas, or of a server on which databases, may be created. */
export async function freshDatabaseOn(url: string): Promise<FreshDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const address = new URL(url)
  const isPostgres = /^postgres(ql)?:$/.test(address.protocol)
  if (isPostgres) address.searchParams.set('schema', name)
  else address.pathname = `/${name}`
  const execute = isPostgres ? onPostgres : onMariadb
  await execute(url, isPostgres ? `CREATE SCHEMA ${name}` : `CREATE DATABASE ${name}`)
  return {
    url: String(address),
    drop: () => execute(url, isPostgres ? `DROP SCHEMA IF EXISTS ${name} CASCADE` : `DROP DATABASE IF EXISTS ${name}`),
  }
}

async function onPostgres(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function onMariadb(url: string, statement: string): Promise<void> {
  const { hostname, port, username, password, searchParams } = new URL(url)
  const socketPath = searchParams.get('socket')
  const connection = await createConnection({
    ...(socketPath === null ? { host: hostname, port: Number(port || 3306) } : { socketPath }),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
  })
  try {
    await connection.query(statement)
  } finally {
    await connection.end()
  }
}
