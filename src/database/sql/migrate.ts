import { StorageError } from '../storage-error.js'
import type { HeldLock } from './first-start.js'
import { number, text } from './row-values.js'
import { hasOnlyParts, missingParts, namesOf, schemaParts } from './schema-parts.js'
import type { SqlConnection, SqlReader, SqlTransaction } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'
import type { SqlDialect } from './sql-dialect.js'
import type { TableNames } from './table-names.js'

/** The option with the number of schema steps of a database. */
export const schemaVersionOption = 'as_rest_route_db_version'

/** WordPress's own option of that kind. */
const wordPressVersionOption = 'db_version'

/** The option that exists until the first start of a database is finished. It is written with the tables. */
export const firstStartOption = 'as_rest_route_first_start'

/** Whether the first start of a database is running, or was ended before it was finished. */
export async function isFirstStartUnfinished(reader: SqlReader, { options }: TableNames): Promise<boolean> {
  const rows = await reader.query(`SELECT option_id FROM ${options} WHERE option_name = ?`, [firstStartOption])
  return rows.length > 0
}

/**
 * Brings the tables up to date, in one transaction. Processes that start together wait for each other: the version is read
 * again inside the transaction.
 * @param migrationLock the lock of the process that changes tables.
 * @param firstStart the value of firstStartOption, which is written with new tables. The caller removes it at the end of the first
 *   start. Null: it is not written.
 * @returns `created`: whether this call created the tables, or the last of them.
 * @throws StorageError `incompatible` for a database of a newer version, and for that of a WordPress site.
 */
export async function migrate(
  database: SqlDatabase,
  tables: TableNames,
  migrationLock: HeldLock,
  firstStart: string | null = null,
): Promise<{ readonly created: boolean }> {
  const { dialect } = database
  const steps = dialect.migrations(tables)
  // Read without a lock first: tables are mostly up to date, and a read-only file allows nothing else.
  const before = await versionOf(database.reader, database, tables)
  if (before === steps.length) return { created: false }
  if (before === null)
    for (const statement of dialect.beforeTables?.(tables) ?? [])
      await database.write((connection) => connection.execute(statement))
  return withoutTimeLimit(database, async (connection) => {
    const version = await versionOf(connection, database, tables)
    for (const statement of steps.slice(version ?? 0).flat()) {
      await migrationLock.requireHeld()
      await executeOnce(connection, dialect, statement)
    }
    const columns = ['option_name', 'option_value', 'autoload']
    const write = dialect.insertOrOverwrite(tables.options, 'option_name', columns)
    const created = version === null || version === 0
    // Before the version, where each statement is committed by itself: without the option a start that was ended between the two would
    // look finished.
    if (created && firstStart !== null) await connection.execute(write, [firstStartOption, firstStart, 'off'])
    await connection.execute(write, [schemaVersionOption, String(steps.length), 'off'])
    return { created }
  })
}

async function executeOnce(connection: SqlTransaction, dialect: SqlDialect, statement: string): Promise<void> {
  try {
    await connection.execute(statement)
  } catch (error) {
    if (dialect.isRepeatedStatement?.(error) !== true) throw error
  }
}

/**
 * @throws StorageError `incompatible` for a database that `migrate` refuses: that of a newer version, and that of a WordPress
 *   site.
 */
export async function requireMigratable(database: SqlDatabase, tables: TableNames): Promise<void> {
  await versionOf(database.reader, database, tables)
}

/**
 * Checks the tables of a database that may only be read. They must be up to date.
 * @throws StorageError `incompatible`
 */
export async function requireNewest(database: SqlDatabase, tables: TableNames): Promise<void> {
  const version = await versionOf(database.reader, database, tables)
  const newest = database.dialect.migrations(tables).length
  if (version === newest) return
  throw new StorageError(
    'incompatible',
    version === null
      ? `It has no table ${tables.options} yet. Start the application once, or run: as-rest-route db migrate`
      : `It has version ${version} of the tables; this version of as-rest-route reads ${newest}. ` +
          'Start the application once, or run: as-rest-route db migrate',
  )
}

export async function hasTables(
  connection: SqlConnection,
  { findTable }: SqlDialect,
  { options }: TableNames,
): Promise<boolean> {
  return (await connection.query(findTable, [options])).length > 0
}

/** Migrations write no rows of these tables. `options` is the first, because it has rows in every database that is in use. */
const tablesOfData = [
  'options',
  'users',
  'usermeta',
  'posts',
  'postmeta',
  'terms',
  'termmeta',
  'term_taxonomy',
  'term_relationships',
  'jobs',
  'storedResponses',
] as const satisfies readonly (keyof TableNames)[]

/**
 * Whether a first start of an empty database was ended while it created the tables. That is seen where the server commits each
 * statement by itself; elsewhere one transaction creates all of them. For a database with data it is false: it may be a backup that
 * is being restored.
 */
export async function isCreationUnfinished(database: SqlDatabase, tables: TableNames): Promise<boolean> {
  const { reader, dialect } = database
  if (dialect.isRepeatedStatement === undefined) return false
  for (const name of tablesOfData) {
    const table = tables[name]
    if ((await reader.query(dialect.findTable, [table])).length === 0) continue
    if ((await reader.query(`SELECT 1 FROM ${table} LIMIT 1`)).length > 0) return false
  }
  // After the rows: the start of a database in use does not read the names of all its parts for this.
  return hasOnlyParts(database, schemaParts(database, tables))
}

/**
 * Reads the version of the schema without checking it. `version` is the number of schema steps that were run; null without our
 * tables. `isWordPress`: the tables are those of a WordPress site.
 */
export async function storedVersion(
  connection: SqlConnection,
  dialect: SqlDialect,
  tables: TableNames,
): Promise<{ readonly version: number | null; readonly isWordPress: boolean }> {
  if (!(await hasTables(connection, dialect, tables))) return { version: null, isWordPress: false }
  const read = `SELECT option_value FROM ${tables.options} WHERE option_name = ?`
  const [row] = await connection.query(read, [schemaVersionOption])
  const isWordPress = row === undefined && (await connection.query(read, [wordPressVersionOption])).length > 0
  return { version: number(text(row?.[0]) || '0'), isWordPress }
}

/**
 * `null` for a database without our tables.
 * @throws StorageError `incompatible` for a database of a newer version, and for that of a WordPress site.
 */
async function versionOf(
  connection: SqlConnection,
  { dialect }: SqlDatabase,
  tables: TableNames,
): Promise<number | null> {
  const { version, isWordPress } = await storedVersion(connection, dialect, tables)
  if (isWordPress) throw wordPressDatabase(tables)
  const newest = dialect.migrations(tables).length
  if (version !== null && version > newest) {
    throw new StorageError(
      'incompatible',
      `The database has version ${version} of the tables; this version of as-rest-route knows ${newest}. ` +
        'Update as-rest-route, or use a copy of the database from before.',
    )
  }
  return version
}

/**
 * Refuses a database that lacks tables, and creates the triggers that it lacks.
 * @param migrationLock the lock of the process that changes tables.
 * @returns a sentence that names the triggers; null when none was missing.
 * @throws StorageError `incompatible`
 */
export async function completeSchema(
  database: SqlDatabase,
  tables: TableNames,
  migrationLock: HeldLock,
): Promise<string | null> {
  const missing = await missingParts(database, schemaParts(database, tables))
  const missingTables = missing.filter(({ kind }) => kind === 'table')
  if (missingTables.length > 0)
    throw new StorageError('incompatible', `The database lacks ${namesOf(missingTables)}. Restore it from a backup.`)
  if (missing.length === 0) return null
  await withoutTimeLimit(database, async (connection) => {
    const { dropTrigger } = database.dialect
    for (const { statement } of missing) {
      await migrationLock.requireHeld()
      if (dropTrigger) await connection.execute(dropTrigger(statement))
      await connection.execute(statement)
    }
    // The tables that these triggers keep up to date have missed the writes since the triggers were lost.
    for (const statement of database.dialect.maintenance.fillLists(tables)) await connection.execute(statement)
  })
  return `The database lacked ${namesOf(missing)}. The start has created what was missing.`
}

/** Work of a start in a transaction. An index of a large table takes longer than a statement of a request may. */
export const withoutTimeLimit = <T>(
  database: SqlDatabase,
  work: (connection: SqlTransaction) => Promise<T>,
): Promise<T> => (database.migrate ? database.migrate(work) : database.write(work))

/** A wrong address must not change the tables of a live site. */
const wordPressDatabase = ({ options }: TableNames): StorageError =>
  new StorageError(
    'incompatible',
    `It is the database of a WordPress site: ${options} has the option ${wordPressVersionOption}, and as-rest-route has never been started on it. ` +
      'Nothing was changed. Use another database, or another table prefix.',
  )
