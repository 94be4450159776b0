import { createConnection, type Connection } from 'mysql2/promise'

/** A row by its columns, each as text. Bytes that are not UTF-8 become U+FFFD. */
export type DumpedRow = Readonly<Record<string, string | null>>

export interface DatabaseDump {
  /** The rows of each table, in the order of its primary key. */
  readonly tables: Readonly<Record<string, readonly DumpedRow[]>>
  /** Tables with columns and indexes, triggers, views and routines, as the server writes them. */
  readonly schema: Readonly<Record<string, string>>
}

/** What differs between two dumps of one row. `before` is null for a new row, `after` for one that was deleted. */
export interface RowChange {
  readonly table: string
  /** The values of the primary key. */
  readonly key: string
  /** Only the columns that differ, if the row was there before and after. */
  readonly before: DumpedRow | null
  readonly after: DumpedRow | null
}

/** All rows and the schema of a database. */
export async function dumpDatabase(url: string): Promise<DatabaseDump> {
  const connection = await connect(url)
  try {
    // One snapshot for all tables.
    await connection.query('START TRANSACTION WITH CONSISTENT SNAPSHOT')
    const tables: Record<string, readonly DumpedRow[]> = {}
    const schema: Record<string, string> = {}
    for (const name of await firstColumn(connection, 'SHOW TABLES')) {
      const created = await rowsOf(connection, `SHOW CREATE TABLE \`${name}\``)
      schema[name] = (created[0]?.['Create Table'] ?? '').replace(/ AUTO_INCREMENT=\d+/, '')
      const order = await primaryKey(connection, name)
      const sorted = order.length === 0 ? '' : ` ORDER BY ${order.map((column) => `\`${column}\``).join(', ')}`
      tables[name] = await rowsOf(connection, `SELECT * FROM \`${name}\`${sorted}`)
    }
    for (const { Trigger = '', Statement } of await rowsOf(connection, 'SHOW TRIGGERS'))
      schema[`trigger ${Trigger}`] = Statement ?? ''
    return { tables, schema }
  } finally {
    connection.destroy()
  }
}

/** The rows that differ between two dumps, by table and key. Tables of only one of them differ in all their rows. */
export function changesBetween(before: DatabaseDump, after: DatabaseDump): RowChange[] {
  const changes: RowChange[] = []
  for (const table of [...new Set([...Object.keys(before.tables), ...Object.keys(after.tables)])].sort()) {
    const keyOf = keyReader(before.schema[table] ?? after.schema[table] ?? '')
    const old = new Map((before.tables[table] ?? []).map((row) => [keyOf(row), row]))
    const rows = new Map((after.tables[table] ?? []).map((row) => [keyOf(row), row]))
    for (const key of new Set([...old.keys(), ...rows.keys()])) {
      const change = changeOf(old.get(key) ?? null, rows.get(key) ?? null)
      if (change !== null) changes.push({ table, key, ...change })
    }
  }
  return changes
}

function changeOf(before: DumpedRow | null, after: DumpedRow | null): Pick<RowChange, 'before' | 'after'> | null {
  if (before === null || after === null) return { before, after }
  const differing = Object.keys({ ...before, ...after }).filter((column) => before[column] !== after[column])
  if (differing.length === 0) return null
  const pick = (row: DumpedRow): DumpedRow =>
    Object.fromEntries(differing.map((column) => [column, row[column] ?? null]))
  return { before: pick(before), after: pick(after) }
}

function keyReader(createTable: string): (row: DumpedRow) => string {
  const columns = /PRIMARY KEY \(([^)]*)\)/.exec(createTable)?.[1]?.match(/[^`,]+/g) ?? []
  return (row) => (columns.length === 0 ? Object.values(row) : columns.map((column) => row[column])).join(' ')
}

async function connect(url: string): Promise<Connection> {
  const { hostname, port, username, password, pathname } = new URL(url)
  return createConnection({
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    charset: 'utf8mb4',
    typeCast: (field) => field.string('utf8'),
  })
}

async function rowsOf(connection: Connection, sql: string): Promise<DumpedRow[]> {
  const [rows] = await connection.query(sql)
  return (rows as DumpedRow[]).map((row) => ({ ...row }))
}

async function firstColumn(connection: Connection, sql: string): Promise<string[]> {
  return (await rowsOf(connection, sql)).map((row) => Object.values(row)[0] ?? '')
}

async function primaryKey(connection: Connection, table: string): Promise<string[]> {
  const keys = await rowsOf(connection, `SHOW KEYS FROM \`${table}\` WHERE Key_name = 'PRIMARY'`)
  return keys.map((row) => row['Column_name'] ?? '')
}
