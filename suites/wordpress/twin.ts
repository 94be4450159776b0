import { readFileSync, writeFileSync } from 'node:fs'
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise'
import { comparableRows, differingRows } from '../../test/support/wordpress/comparable-rows.js'
import type { DumpedRow } from '../../test/support/wordpress/database-dump.js'
import type { WordPressSite } from '../../test/support/wordpress/wordpress-site.js'

/** A copy of the database of a site, so that a request may write at both servers, and the state that both begin with. */
export interface Twin {
  /** A wp-config.php with the same secrets, and with the copy as its database. */
  readonly configPath: string
  /** Keeps the rows that `restore` gives back. */
  keep(): Promise<void>
  /** Gives both databases the rows that were kept, where a request has changed them. */
  restore(): Promise<void>
  /** The rows of users and their records that only one of the two has. */
  differences(): Promise<ReturnType<typeof differingRows>>
  /** Removes the copies. */
  drop(): Promise<void>
}

/** Tables that a request to a user may change. */
const tables = 'users usermeta posts postmeta links term_relationships term_taxonomy comments'.split(' ')

/** Columns that the two need not agree on. */
const ids = ['umeta_id', 'meta_id']

/** Copies the database of a site. */
export async function twinOf(site: WordPressSite): Promise<Twin> {
  const { hostname, port, username, password, pathname } = new URL(site.database)
  const database = pathname.slice(1)
  const [copy, kept] = [`${database}_twin`, `${database}_kept`]
  const connection = await createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    typeCast: (field) => field.string('utf8'),
  })
  for (const name of [copy, kept]) await connection.query(`CREATE DATABASE ${name}`)
  const [all] = await connection.query<RowDataPacket[]>(`SHOW TABLES FROM ${database}`)
  for (const table of all.map((row) => String(Object.values(row)[0])))
    await copyTable(connection, table, database, copy)
  const own = tables.map((name) => site.prefix + name)
  const config = readFileSync(site.configPath, 'utf8').replace(`'DB_NAME', '${database}'`, `'DB_NAME', '${copy}'`)
  const configPath = site.configPath.replace(/\.php$/, '-twin.php')
  writeFileSync(configPath, config)

  const rowsOf = async (name: string, table: string): Promise<DumpedRow[]> => {
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT * FROM ${name}.${table}`)
    return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !ids.includes(column))))
  }
  const comparable = (rows: Record<string, readonly DumpedRow[]>): Record<string, readonly string[]> => {
    const texts = Object.entries(comparableRows({ tables: rows, schema: {} }, site.url))
    return Object.fromEntries(texts.map(([table, all]) => [table, [...all].sort()]))
  }
  return {
    configPath,
    keep: async () => {
      for (const table of own) await copyTable(connection, table, database, kept)
    },
    restore: async () => {
      const names = [database, copy, kept].flatMap((name) => own.map((table) => `${name}.${table}`))
      const [sums] = await connection.query<RowDataPacket[]>(`CHECKSUM TABLE ${names.join(', ')}`)
      const sumOf = new Map(sums.map((row) => [String(row['Table']), String(row['Checksum'])]))
      for (const name of [database, copy])
        for (const table of own)
          if (sumOf.get(`${name}.${table}`) !== sumOf.get(`${kept}.${table}`)) {
            await connection.query(`DELETE FROM ${name}.${table}`)
            await connection.query(`INSERT INTO ${name}.${table} SELECT * FROM ${kept}.${table}`)
          }
    },
    differences: async () => {
      const ours: Record<string, readonly DumpedRow[]> = {}
      const theirs: Record<string, readonly DumpedRow[]> = {}
      for (const table of own) {
        const [here, there] = [await rowsOf(copy, table), await rowsOf(database, table)]
        // Rows of before the run have times that are those of the run for a while.
        ours[table] = onlyOf(here, there)
        theirs[table] = onlyOf(there, here)
      }
      return differingRows(comparable(ours), comparable(theirs))
    },
    drop: async () => {
      for (const name of [copy, kept]) await connection.query(`DROP DATABASE ${name}`)
      await connection.end()
    },
  }
}

function onlyOf(rows: readonly DumpedRow[], others: readonly DumpedRow[]): DumpedRow[] {
  const otherRows = new Set(others.map((row) => JSON.stringify(row)))
  return rows.filter((row) => !otherRows.has(JSON.stringify(row)))
}

async function copyTable(connection: Connection, table: string, from: string, to: string): Promise<void> {
  await connection.query(`CREATE TABLE ${to}.${table} LIKE ${from}.${table}`)
  await connection.query(`INSERT INTO ${to}.${table} SELECT * FROM ${from}.${table}`)
}
