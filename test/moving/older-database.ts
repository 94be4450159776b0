import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mysqlMigrations } from '../../src/database/mysql/mysql-schema.js'
import { postgresMigrations } from '../../src/database/postgres/postgres-schema.js'
import type { SqlRow } from '../../src/database/sql/sql-connection.js'
import type { Migration } from '../../src/database/sql/sql-dialect.js'
import { tableNames } from '../../src/database/sql/table-names.js'
import { sqliteMigrations } from '../../src/database/sqlite/sqlite-schema.js'
import { insert } from './awkward-data.js'
import type { MovingDatabase, StoreKind } from './moving-databases.js'

const tables = tableNames('wp_')
const schema = '{schema}'
export const migrations: Readonly<Record<StoreKind, readonly Migration[]>> = {
  sqlite: sqliteMigrations(tables),
  postgres: postgresMigrations(tables, schema),
  mariadb: mysqlMigrations(tables),
}

const folder = fileURLToPath(new URL('../fixtures/schemas/', import.meta.url))

/**
 * The steps of the schema as they were when they were written first. `UPDATE_SNAPSHOTS=1` adds new steps, and changes none:
 * a database that has made a step does not make it again. Before the first release, a file may be removed and made anew.
 */
export function recordedSteps(kind: StoreKind): readonly Migration[] {
  const file = `${folder}${kind}.json`
  const steps = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Migration[]) : []
  const added = migrations[kind].slice(steps.length)
  if (process.env['UPDATE_SNAPSHOTS'] !== '1' || added.length === 0) return steps
  writeFileSync(file, `${JSON.stringify([...steps, ...added], null, 2)}\n`)
  return [...steps, ...added]
}

/** The line that begins a table. */
interface TableLine {
  readonly table: string
  readonly columns: readonly string[]
}

const isRow = (value: TableLine | SqlRow): value is SqlRow => Array.isArray(value)

/** The lines of an export of a site with records, users, terms and options. */
export const exportedSite = readFileSync(`${folder}site.jsonl`, 'utf8').trimEnd().split('\n')

/** Each statement runs once here, so the condition that MySQL does not know is not needed. */
const conditionOfMariadb = /(ADD COLUMN |CREATE INDEX )IF NOT EXISTS /

/** Makes a database as an older version of this package has made it, with the data of the site. */
export async function makeOlder(database: MovingDatabase, steps: readonly Migration[]): Promise<void> {
  const name = new URL(database.url).searchParams.get('schema') ?? ''
  await database.foreign(
    ...steps.flat().map((statement) => statement.replaceAll(schema, name).replace(conditionOfMariadb, '$1')),
  )
  const store = await database.tables()
  let table: TableLine = { table: '', columns: [] }
  for (const line of exportedSite) {
    const value = JSON.parse(line) as TableLine | SqlRow
    if (isRow(value)) await insert(store, `wp_${table.table}`, table.columns, [value])
    else if ('columns' in value) table = value
  }
  const version = ['as_rest_route_db_version', String(steps.length), 'off']
  await insert(store, 'wp_options', ['option_name', 'option_value', 'autoload'], [version])
}

/** A sequence of PostgreSQL does not notice ids that an INSERT has named, so that it would return them again. */
export async function followIds(database: MovingDatabase): Promise<void> {
  for (const table of ['options', 'usermeta', 'termmeta', 'term_taxonomy', 'postmeta'])
    await database.foreign(`SELECT setval('wp_${table}_sequence', 10000)`)
}

/** The rows among the lines of an export. */
export const rowsOf = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.startsWith('['))
