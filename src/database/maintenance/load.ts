import { migrate, requireMigratable, storedVersion, schemaVersionOption } from '../sql/migrate.js'
import { number } from '../sql/row-values.js'
import type { HeldLock } from '../sql/first-start.js'
import type { SqlStore } from '../sql/sql-store.js'
import { beginLoad, endLoad, unfinishedLoad } from '../sql/unfinished-load.js'
import { StorageError } from '../storage-error.js'
import type { Waiting } from '../store-adapter.js'
import { RowDigest, type DataPart, type TableBegin, type TableEnd } from './data-part.js'
import { generatedKey, movedTables, type MovedTable } from './moved-table.js'
import { withName } from './named-error.js'
import { movedCondition, TableWalk } from './table-walk.js'
import { TargetTable } from './target-table.js'

/** How far a copy, an export or an import is. */
export interface Progress {
  readonly step: 'moving' | 'checking'
  /** Name of the table. */
  readonly table: string
  /** Rows of this step that are done. */
  readonly done: number
}

export interface LoadOptions {
  /** Where the data come from, without a password. An unfinished load of the same source is continued. */
  readonly source: string
  readonly onProgress: (progress: Progress) => void
  readonly waiting?: Waiting
  readonly signal?: AbortSignal
}

/** A table of the database after the load: the number and the checksum of the rows that were read again. */
export interface LoadedTable {
  readonly name: string
  readonly rows: number
  readonly sha256: string
}

/**
 * Fills a database that holds no data, and checks it afterwards by reading all rows again. Each chunk of rows is a
 * transaction. After an interruption, a second call continues: rows that exist already are compared, and written again only
 * where they differ. So the result is the data of the last call, also when the source has changed meanwhile.
 * Until it is complete, no service starts on the database.
 * @throws StorageError
 * @throws the reason of the signal.
 */
export async function load(
  store: SqlStore,
  parts: AsyncIterable<DataPart>,
  options: LoadOptions,
): Promise<readonly LoadedTable[]> {
  const lock = await lockAndPrepare(store, options)
  try {
    const { ends, lastIds } = await fill(store, parts, lock, options)
    const loaded = await verify(store, ends, options)
    await lock.requireHeld()
    await finish(store, lastIds)
    return loaded
  } finally {
    await lock.end()
  }
}

/**
 * Prepares the database.
 * @returns the lock of a first start, for which other processes wait until the data are complete. As in a start, the migration
 *   lock is taken first: in another order, a start and a load could wait for each other.
 */
async function lockAndPrepare(store: SqlStore, { source, waiting }: LoadOptions): Promise<HeldLock> {
  const migrationLock = await withName(store, () => store.takeMigrationLock(waiting))
  try {
    const lock = await withName(store, () => store.takeLock(waiting))
    try {
      await withName(store, () => prepare(store, source, migrationLock))
      return lock
    } catch (error) {
      await lock.end()
      throw error
    }
  } finally {
    await migrationLock.end()
  }
}

/** Creates the tables. @throws StorageError `constraint` for a database that holds data. */
async function prepare(store: SqlStore, source: string, migrationLock: HeldLock): Promise<void> {
  const { database, tables } = store
  const { reader, dialect } = database
  const earlier = await unfinishedLoad(reader, dialect, tables)
  if (earlier === null) await refuseData(store)
  else if (earlier !== '' && earlier !== source)
    throw new StorageError(
      'constraint',
      `The database holds the unfinished data of ${earlier}. Run the command that reads from there again. To give these data up: ${store.removal}`,
    )
  await requireMigratable(database, tables)
  // Before the tables: no service may start on tables that are not filled yet.
  if (earlier !== source) await database.write((connection) => beginLoad(connection, tables, source))
  await migrate(database, tables, migrationLock)
}

async function refuseData({ database, tables }: SqlStore): Promise<void> {
  const { reader, dialect } = database
  // `requireMigratable` refuses the tables of a WordPress, with a sentence that says what they are.
  if ((await storedVersion(reader, dialect, tables)).isWordPress) return
  for (const table of movedTables) {
    const name = tables[table.name]
    if ((await reader.query(dialect.findTable, [name])).length === 0) continue
    const key = table.columns[0]?.name
    if ((await reader.query(`SELECT ${key} FROM ${name} WHERE ${movedCondition(table)} LIMIT 1`)).length === 0) continue
    throw new StorageError(
      'constraint',
      `The database holds data already: ${name} has rows. Nothing was changed. Name an empty database.`,
    )
  }
}

async function fill(
  store: SqlStore,
  parts: AsyncIterable<DataPart>,
  lock: HeldLock,
  { onProgress, signal }: LoadOptions,
): Promise<{ readonly ends: readonly TableEnd[]; readonly lastIds: ReadonlyMap<MovedTable, number> }> {
  const { tables } = store
  const ends: TableEnd[] = []
  const lastIds = new Map<MovedTable, number>()
  let target: TargetTable | null = null
  let done = 0
  for await (const part of parts) {
    signal?.throwIfAborted()
    await lock.requireHeld()
    const name = tables[part.table.name]
    if (part.kind === 'begin') {
      target = new TargetTable(store, part.table)
      lastIds.set(part.table, part.lastId)
      if (part.table.name === 'options') lastIds.set(part.table, await makeRoomForVersion(store, part))
    } else if (part.kind === 'rows') {
      await target?.put(part)
      done += part.rows.length
    } else {
      await target?.removeLaterRows()
      ends.push(part)
      lastIds.set(part.table, Math.max(lastIds.get(part.table) ?? 0, target?.lastId ?? 0))
    }
    onProgress({ step: 'moving', table: name, done })
  }
  return { ends, lastIds }
}

/**
 * The table of options has a row with the version of this database. It gets an id that neither the source nor an earlier attempt
 * uses.
 * @returns the id.
 */
async function makeRoomForVersion({ database, tables }: SqlStore, { lastId }: TableBegin): Promise<number> {
  const { options } = tables
  const [row] = await database.reader.query(
    `SELECT MAX(option_id) FROM ${options} WHERE option_name <> '${schemaVersionOption}'`,
  )
  const id = Math.max(lastId, number(row?.[0])) + 1
  const statement = `UPDATE ${options} SET option_id = ? WHERE option_name = '${schemaVersionOption}' AND option_id <> ?`
  await database.write((connection) => connection.execute(statement, [id, id]))
  return id
}

async function verify(
  { database, tables }: SqlStore,
  ends: readonly TableEnd[],
  { onProgress, signal }: LoadOptions,
): Promise<readonly LoadedTable[]> {
  const loaded: LoadedTable[] = []
  let done = 0
  for (const { table, count, sha256 } of ends) {
    const name = tables[table.name]
    const digest = new RowDigest()
    for await (const { rows } of new TableWalk(database.reader, database.dialect, table, name).chunks()) {
      signal?.throwIfAborted()
      digest.add(rows)
      done += rows.length
      onProgress({ step: 'checking', table: name, done })
    }
    const stored = { rows: digest.count, sha256: digest.end() }
    if (stored.rows !== count || stored.sha256 !== sha256)
      throw new StorageError(
        'failed',
        `${name} is not what was written: ${stored.rows} rows in place of ${count}, checksum ${stored.sha256.slice(0, 12)} in place of ${sha256.slice(0, 12)}. ` +
          'Another program has written to the database, or the server has changed the values. Run the command again: it names the row whose value the server changes.',
      )
    loaded.push({ name, ...stored })
  }
  return loaded
}

async function finish({ database, tables }: SqlStore, lastIds: ReadonlyMap<MovedTable, number>): Promise<void> {
  const { maintenance } = database.dialect
  for (const [table, lastId] of lastIds) {
    const name = tables[table.name]
    const key = generatedKey(table)
    const statements = [
      ...(key === null ? [] : maintenance.setLastId(name, key, lastId)),
      ...maintenance.afterLoad(name),
    ]
    await database.write(async (connection) => {
      for (const statement of statements) await connection.execute(statement)
    })
  }
  await database.write((connection) => endLoad(connection, tables))
}
