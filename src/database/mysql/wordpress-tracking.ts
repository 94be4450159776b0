import { placeholders, text } from '../sql/row-values.js'
import type { SqlReader } from '../sql/sql-connection.js'
import type { TableNames } from '../sql/table-names.js'
import { StorageError } from '../storage-error.js'
import { raiseAllVersions, total, versionsTable, versionTriggers } from './mysql-versions.js'

/** Maximum length of a post type in WordPress, in characters. */
const typeLength = 20

/**
 * The tag of the row that marks the tracking as complete. It is written after the last trigger was created and deleted before the
 * first one is dropped, so that a service that reads it with the counters misses no write. The tag is longer than any post type,
 * so it cannot be one.
 */
const complete = 'all triggers are in place'

/** A text of the change token that no sum of counters has. */
export const trackingGone = 'none'

/** The sum of all counters, and `trackingGone` where writes are no longer counted. */
export const trackedTotalQuery = ({ versions }: TableNames): string =>
  `SELECT IF(SUM(tag = '${complete}') > 0, SUM(IF(tag = '${total}', version, 0)), '${trackingGone}')
  FROM ${versions} WHERE tag IN ('${total}', '${complete}')`

export const trackedVersionsQuery = ({ versions }: TableNames): string =>
  `SELECT tag, SUM(version) FROM ${versions} WHERE tag NOT IN ('${total}', '${complete}') GROUP BY tag`

/** The triggers and the table that count writes to the tables of a WordPress site, as far as they are installed. */
export interface TrackingState {
  /**
   * `on`: every write is counted. `part`: the table, a trigger or the row `complete` is missing, or the user of the database may not
   * see it. `off`: nothing is installed.
   */
  readonly mode: 'on' | 'part' | 'off'
  readonly hasTable: boolean
  /** Names of triggers. */
  readonly present: readonly string[]
  /** Those that do not exist, and the `changed` ones. */
  readonly missing: readonly string[]
  /** Triggers with names of ours that are on another table, fire at another time or have another body. */
  readonly changed: readonly string[]
}

/** A trigger that counts the changes of one kind in one table. */
interface TrackingTrigger {
  readonly name: string
  readonly table: string
  readonly statement: string
  /** `INSERT`. */
  readonly change: string
  readonly body: string
}

/** The names of the triggers have the prefix of the site. So two sites that share a table of users can each have a trigger on it. */
function triggersOf(tables: TableNames): readonly TrackingTrigger[] {
  const kinds = new Map(Object.entries(tables).map(([kind, table]): [string, string] => [table, kind]))
  const ours = tables.versions.replace(/versions$/, '')
  return versionTriggers(tables, (table, change) => `${ours}${kinds.get(table)}_${change}`).map((statement) => {
    const [, name = '', change = '', table = '', body = ''] =
      /^CREATE TRIGGER IF NOT EXISTS (\w+) AFTER (\w+) ON (\w+) FOR EACH ROW\s+(.*)$/s.exec(statement) ?? []
    // MySQL before 8.0.29 does not support IF NOT EXISTS here.
    return { name, table, statement: statement.replace(' IF NOT EXISTS', ''), change, body }
  })
}

/** Which triggers are on their tables as `install-tracking` creates them. */
export async function visibleTriggers(
  reader: SqlReader,
  tables: TableNames,
): Promise<Pick<TrackingState, 'present' | 'missing' | 'changed'>> {
  const triggers = triggersOf(tables)
  // A table that is renamed takes its triggers with it.
  const rows = await reader.query(
    `SELECT trigger_name, event_object_table, action_timing, event_manipulation, action_statement
    FROM information_schema.triggers
    WHERE trigger_schema = DATABASE() AND trigger_name IN (${placeholders(triggers.length)})`,
    triggers.map(({ name }) => name),
  )
  const visible = new Map(rows.map(([name, ...parts]) => [text(name), normalised(parts.map(text).join(' '))]))
  const isPresent = ({ name, table, change, body }: TrackingTrigger): boolean =>
    visible.get(name) === normalised(`${table} AFTER ${change} ${body}`)
  const missing = triggers.filter((trigger) => !isPresent(trigger)).map(({ name }) => name)
  return {
    present: triggers.filter(isPresent).map(({ name }) => name),
    missing,
    changed: missing.filter((name) => visible.has(name)),
  }
}

/** Two statements that differ in white space are equal: clients of the server change it. */
const normalised = (statement: string): string => statement.replaceAll(/\s+/g, ' ').trim()

/** Reads from the database how far tracking is installed. */
export async function trackingState(reader: SqlReader, tables: TableNames): Promise<TrackingState> {
  const [table] = await reader.query(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [tables.versions],
  )
  const hasTable = table !== undefined
  const triggers = await visibleTriggers(reader, tables)
  if (!hasTable && triggers.present.length === 0 && triggers.changed.length === 0)
    return { mode: 'off', hasTable, ...triggers }
  const isComplete = hasTable && triggers.missing.length === 0 && (await isMarked(reader, tables))
  return { mode: isComplete ? 'on' : 'part', hasTable, ...triggers }
}

async function isMarked(reader: SqlReader, { versions }: TableNames): Promise<boolean> {
  const rows = await reader.query(`SELECT 1 FROM ${versions} WHERE tag = '${complete}' LIMIT 1`)
  return rows.length > 0
}

/**
 * The statements that create the table and the triggers. When the tracking is complete, one statement that makes services read all
 * rows again.
 * @throws StorageError `incompatible` for tables without transactions, and for a prefix that leaves no room for names.
 */
export async function installingStatements(
  reader: SqlReader,
  tables: TableNames,
  { mode, hasTable, missing, changed }: TrackingState,
): Promise<readonly string[]> {
  if (mode === 'on') return [raiseAllVersions(tables)]
  await requireTransactions(reader, tables)
  const triggers = triggersOf(tables)
  const long = triggers.find(({ name }) => name.length > 64)
  if (long !== undefined)
    throw new StorageError(
      'incompatible',
      `The name of a trigger would be longer than 64 characters: ${long.name}. Tracking needs a table prefix of at most 25 characters.`,
    )
  return [
    hasTable
      ? `DELETE FROM ${tables.versions} WHERE tag = '${complete}'`
      : `${versionsTable(tables, typeLength)} ENGINE=InnoDB ${await charsetOfTypes(reader, tables)}`,
    ...changed.map((name) => `DROP TRIGGER ${name}`),
    ...triggers.filter(({ name }) => missing.includes(name)).map(({ statement }) => statement),
    raiseAllVersions(tables),
    `INSERT INTO ${tables.versions} (tag, slot, version) VALUES ('${complete}', 0, 1)`,
  ]
}

/** The statements that remove the triggers and the table. */
export function removingStatements(
  { versions }: TableNames,
  { hasTable, present, changed }: Pick<TrackingState, 'hasTable' | 'present' | 'changed'>,
): readonly string[] {
  return [
    ...(hasTable ? [`DELETE FROM ${versions} WHERE tag = '${complete}'`] : []),
    ...[...present, ...changed].map((name) => `DROP TRIGGER ${name}`),
    ...(hasTable ? [`DROP TABLE ${versions}`] : []),
  ]
}

/** A row of another engine can be read before its counter has changed. @throws StorageError `incompatible` */
async function requireTransactions(reader: SqlReader, tables: TableNames): Promise<void> {
  const names = [...new Set(triggersOf(tables).map(({ table }) => table))]
  const rows = await reader.query(
    `SELECT table_name, engine FROM information_schema.tables
    WHERE table_schema = DATABASE() AND table_name IN (${placeholders(names.length)}) AND engine <> 'InnoDB'`,
    names,
  )
  const [first] = rows
  if (first === undefined) return
  throw new StorageError(
    'incompatible',
    `Writes to ${rows.map(([name, engine]) => `${text(name)} (${text(engine)})`).join(', ')} have no transactions, so they cannot be tracked. ALTER TABLE ${text(first[0])} ENGINE=InnoDB`,
  )
}

/** Tags are compared with types of posts, so they have the same collation. */
async function charsetOfTypes(reader: SqlReader, { posts }: TableNames): Promise<string> {
  const [row] = await reader.query(
    `SELECT character_set_name, collation_name FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = ? AND column_name = 'post_type'`,
    [posts],
  )
  return `DEFAULT CHARSET=${text(row?.[0])} COLLATE=${text(row?.[1])}`
}
