import { number } from '../sql/row-values.js'
import type { SqlReader } from '../sql/sql-connection.js'
import type { SqlStore } from '../sql/sql-store.js'
import { isFirstStartUnfinished, requireNewest } from '../sql/migrate.js'
import { unfinishedLoad, unfinishedLoadError } from '../sql/unfinished-load.js'
import { StorageError } from '../storage-error.js'
import { RowDigest, type DataPart } from './data-part.js'
import { generatedKey, movedTables, type MovedTable } from './moved-table.js'
import { withName } from './named-error.js'
import { movedCondition, TableWalk } from './table-walk.js'

/** @throws StorageError `incompatible` for a database that is not complete, or has tables of another version. */
export function requireComplete(store: SqlStore): Promise<void> {
  return withName(store, () => refuseIncomplete(store))
}

/** Its messages follow the name of the database and a colon. */
async function refuseIncomplete({ database, tables }: SqlStore): Promise<void> {
  const { reader, dialect } = database
  const load = await unfinishedLoad(reader, dialect, tables)
  if (load !== null) throw unfinishedLoadError(load)
  await requireNewest(database, tables)
  if (await isFirstStartUnfinished(reader, tables))
    throw new StorageError('incompatible', 'Its first start is not finished, so that its data are not complete.')
}

/** The number of rows of all tables. */
export async function countAll(reader: SqlReader, { tables }: SqlStore): Promise<number> {
  let count = 0
  for (const table of movedTables) count += await countOf(reader, table, tables[table.name])
  return count
}

/** All data that a reader sees. */
export async function* databaseParts(reader: SqlReader, { database, tables }: SqlStore): AsyncGenerator<DataPart> {
  const { dialect } = database
  for (const table of movedTables) {
    const name = tables[table.name]
    const key = generatedKey(table)
    const lastId = key === null ? 0 : await lastIdOf(reader, dialect.maintenance.lastId(name, key), name, key)
    yield { kind: 'begin', table, count: await countOf(reader, table, name), lastId }
    const digest = new RowDigest()
    for await (const { rows } of new TableWalk(reader, dialect, table, name).chunks()) {
      digest.add(rows)
      yield { kind: 'rows', table, rows, lines: null }
    }
    yield { kind: 'end', table, count: digest.count, sha256: digest.end() }
  }
}

/** The highest id that a table has generated, or that one of its rows has: another program may have chosen one. */
async function lastIdOf(reader: SqlReader, query: string, name: string, key: string): Promise<number> {
  const highest = `SELECT MAX(${key}) FROM ${name} WHERE ${key} <= ${Number.MAX_SAFE_INTEGER}`
  const [generated, used] = [await reader.row(query), await reader.row(highest)]
  return Math.max(number(generated?.[0]), number(used?.[0]))
}

async function countOf(reader: SqlReader, table: MovedTable, name: string): Promise<number> {
  return number((await reader.row(`SELECT COUNT(*) FROM ${name} WHERE ${movedCondition(table)}`))?.[0])
}
