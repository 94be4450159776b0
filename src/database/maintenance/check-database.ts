import { isFirstStartUnfinished, requireNewest } from '../sql/migrate.js'
import type { SqlStore } from '../sql/sql-store.js'
import { unfinishedLoad, unfinishedLoadError } from '../sql/unfinished-load.js'
import { dataFaults } from './data-faults.js'
import type { DatabaseFault } from './database-fault.js'
import { schemaFaults } from './schema-faults.js'

/**
 * All faults of a database. The rows are checked only when the schema has no fault.
 * @throws StorageError for tables of another version.
 */
export async function checkDatabase(store: SqlStore): Promise<readonly DatabaseFault[]> {
  const { database, tables } = store
  const { reader, dialect } = database
  await requireNewest(database, tables)
  const faults: DatabaseFault[] = [...(await store.serverFaults())]
  const source = await unfinishedLoad(reader, dialect, tables)
  if (source !== null)
    return [
      ...faults,
      {
        sentence: `A copy or an import from ${source} was begun, and has not ended, so the data are not complete.`,
        remedy: `Run the same command \`as-rest-route db copy\` or \`db import\` again. To give it up: ${store.removal}`,
      },
    ]
  const faultsOfSchema = await schemaFaults(store)
  faults.push(...faultsOfSchema)
  if (faultsOfSchema.length > 0) return faults
  if (await isFirstStartUnfinished(reader, tables))
    faults.push({
      sentence: 'The first start of the database is not finished.',
      remedy: `Wait for it. If no service is starting: ${store.removal} Then start again.`,
    })
  return [...faults, ...(await dataFaults(store))]
}

/**
 * Raises the counters of all kinds of rows, so that running services read everything again, and fills the tables again that
 * triggers keep up to date.
 * @throws StorageError
 */
export async function raiseVersions({ database, tables }: SqlStore): Promise<void> {
  const source = await unfinishedLoad(database.reader, database.dialect, tables)
  if (source !== null) throw unfinishedLoadError(source)
  const { fillLists, raiseVersions: raise } = database.dialect.maintenance
  const statements = [...fillLists(tables), ...raise(tables)]
  await database.write(async (connection) => {
    for (const statement of statements) await connection.execute(statement)
  })
}
