import { StorageError } from '../storage-error.js'
import { text } from './row-values.js'
import type { SqlConnection, SqlReader } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/** The table that exists while `db copy` or `db import` fills a database. It says where the data come from. */
export const loadTable = ({ versions }: TableNames): string => versions.replace(/versions$/, 'load')

/** The source of the data with which a database is being filled; null for a database that is complete, or has no tables. */
export async function unfinishedLoad(
  reader: SqlReader,
  { findTable }: SqlDialect,
  tables: TableNames,
): Promise<string | null> {
  const name = loadTable(tables)
  if ((await reader.query(findTable, [name])).length === 0) return null
  return text((await reader.query(`SELECT source FROM ${name}`))[0]?.[0])
}

/** Marks the database as incomplete. */
export async function beginLoad(connection: SqlConnection, tables: TableNames, source: string): Promise<void> {
  const name = loadTable(tables)
  await connection.execute(`CREATE TABLE IF NOT EXISTS ${name} (id integer PRIMARY KEY, source varchar(1000) NOT NULL)`)
  await connection.execute(`DELETE FROM ${name}`)
  await connection.execute(`INSERT INTO ${name} (id, source) VALUES (1, ?)`, [source])
}

export async function endLoad(connection: SqlConnection, tables: TableNames): Promise<void> {
  await connection.execute(`DROP TABLE ${loadTable(tables)}`)
}

export const unfinishedLoadError = (source: string): StorageError =>
  new StorageError(
    'incompatible',
    `A copy or an import from ${source} was begun, and has not ended, so its data are not complete. Run the same command \`as-rest-route db copy\` or \`db import\` again: it goes on where it was.`,
  )
