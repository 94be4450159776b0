import { completeSchema, isFirstStartUnfinished, migrate, storedVersion } from '../sql/migrate.js'
import { number, text } from '../sql/row-values.js'
import type { SqlStore } from '../sql/sql-store.js'
import { unfinishedLoad, unfinishedLoadError } from '../sql/unfinished-load.js'
import { expectedSchema } from './expected-schema.js'
import { movedTables } from './moved-table.js'

export interface DatabaseStatus {
  /** Name and version of the server: `PostgreSQL 15.18`. */
  readonly server: string
  readonly state:
    /** Without tables of this prefix. */
    | 'empty'
    /** The site of WordPress has never been a database of this package. */
    | 'wordpress'
    /** The first start is running, or was ended in the middle. */
    | 'first-start-running'
    | 'first-start-unfinished'
    /** `db copy` or `db import` is running, or was ended in the middle. */
    | 'load-running'
    | 'load-unfinished'
    | 'older'
    | 'newer'
    | 'current'
  /** Version of the tables; null without tables of this package. */
  readonly version: number | null
  /** Version of the tables that this program creates. */
  readonly programVersion: number
  /** All tables of this package, also those that are not copied. */
  readonly tables: readonly TableStatus[]
  /** Bytes of the whole database; null when not known. */
  readonly bytes: number | null
  /** Sentences about settings of the server with which services or some writes fail. */
  readonly warnings: readonly string[]
}

export interface TableStatus {
  readonly name: string
  /** Null for a table that is missing. */
  readonly rows: number | null
  /** With its indexes; null when it is not known. */
  readonly bytes: number | null
}

export async function databaseStatus(store: SqlStore): Promise<DatabaseStatus> {
  const { database, tables, warnings } = store
  const { reader, dialect } = database
  const { version, isWordPress } = await storedVersion(reader, dialect, tables)
  const programVersion = dialect.migrations(tables).length
  const sizes = await reader.query(dialect.maintenance.sizes(tables))
  const bytesOf = new Map(sizes.map(([name, bytes]) => [text(name).toLowerCase(), number(bytes)]))
  const counted: TableStatus[] = []
  if (version !== null && !isWordPress)
    for (const name of tablesOf(store)) {
      const exists = (await reader.query(dialect.findTable, [name])).length > 0
      const rows = exists ? number((await reader.row(`SELECT COUNT(*) FROM ${name}`))?.[0]) : null
      counted.push({ name, rows, bytes: bytesOf.get(name.toLowerCase()) ?? null })
    }
  const ownBytes = counted.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
  return {
    server: text((await reader.row(dialect.maintenance.version))?.[0]),
    state: isWordPress ? 'wordpress' : version === null ? 'empty' : await stateOf(store, version, programVersion),
    version: isWordPress ? null : version,
    programVersion,
    tables: counted,
    bytes: bytesOf.get('') ?? (counted.some(({ bytes }) => bytes !== null) ? ownBytes : null),
    warnings: [...(await store.serverFaults()).map(({ sentence, remedy }) => `${sentence} ${remedy}`), ...warnings],
  }
}

/** The names of all tables of the newest schema: first those whose rows are copied. */
function tablesOf({ database: { dialect }, tables }: SqlStore): ReadonlySet<string> {
  const created = expectedSchema(dialect, tables).filter(({ kind }) => kind === 'table')
  return new Set([...movedTables.map(({ name }) => tables[name]), ...created.map(({ name }) => name)])
}

async function stateOf(store: SqlStore, version: number, programVersion: number): Promise<DatabaseStatus['state']> {
  const { reader, dialect } = store.database
  const { tables } = store
  if ((await unfinishedLoad(reader, dialect, tables)) !== null)
    return (await store.isLockTaken()) ? 'load-running' : 'load-unfinished'
  if (await isFirstStartUnfinished(reader, tables))
    return (await store.isLockTaken()) ? 'first-start-running' : 'first-start-unfinished'
  return version < programVersion ? 'older' : version > programVersion ? 'newer' : 'current'
}

/**
 * Brings the tables up to date. Processes that do so at the same time wait for each other.
 * @returns the version before, the version after, and a sentence about triggers that were missing; null when none was.
 * @throws StorageError `incompatible`
 */
export async function migrateDatabase(
  store: SqlStore,
): Promise<{ readonly before: number | null; readonly after: number; readonly completion: string | null }> {
  const { database, tables } = store
  const lock = await store.takeMigrationLock()
  try {
    const source = await unfinishedLoad(database.reader, database.dialect, tables)
    if (source !== null) throw unfinishedLoadError(source)
    const { version: before } = await storedVersion(database.reader, database.dialect, tables)
    await migrate(database, tables, lock)
    const completion = await completeSchema(database, tables, lock)
    return { before, after: database.dialect.migrations(tables).length, completion }
  } finally {
    await lock.end()
  }
}
