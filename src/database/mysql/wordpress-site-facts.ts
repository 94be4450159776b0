import { shownAddress } from '../server/server-address.js'
import { text } from '../sql/row-values.js'
import type { SqlReader } from '../sql/sql-connection.js'
import type { TableNames } from '../sql/table-names.js'
import { parseMysqlAddress } from './mysql-address.js'
import type { MysqlConnections } from './mysql-connections.js'
import { connectionsOf } from './open-mysql.js'
import { charsetsOf, incompleteText, oldestServersOfWordPress, tablesOf, type TableCharset } from './open-wordpress.js'
import { rightsIn, type Right } from './wordpress-rights.js'
import { trackingState, type TrackingState } from './wordpress-tracking.js'

/** Properties of a WordPress site that its database shows, for the command `wordpress check`. */
export interface WordPressSiteFacts {
  /** `mariadb://wp@127.0.0.1:3306/shop`: without the password. */
  readonly address: string
  /** `MariaDB 10.11`. */
  readonly server: string
  readonly isReadOnly: boolean
  /** The tables of WordPress that are missing, with their prefix. */
  readonly missingTables: readonly string[]
  readonly tables: readonly { readonly name: string; readonly engine: string; readonly collation: string }[]
  /** The charsets of the columns of the tables of WordPress. */
  readonly charsets: readonly TableCharset[]
  /** The requested options, by name. */
  readonly options: ReadonlyMap<string, string>
  /** Size of the options that WordPress loads with each request. */
  readonly autoloadedBytes: number
  readonly recordTypes: readonly { readonly name: string; readonly count: number }[]
  readonly taxonomies: readonly { readonly name: string; readonly count: number }[]
  /** The rights of the database user on its tables. */
  readonly rights: ReadonlySet<Right>
  /** Whether triggers count the writes of WordPress. `reason`: the missing parts, for the mode `part`. */
  readonly tracking: Pick<TrackingState, 'mode'> & { readonly reason: string }
}

/**
 * Reads the database of a WordPress site, and changes nothing.
 * @param url address of a MariaDB or MySQL. @param optionNames the options to read.
 * @param customTables see `WordPressTables`.
 * @throws StorageError when the server cannot be reached or is too old, or for a table name with other characters than letters,
 *   digits and underscores.
 */
export async function wordpressSiteFacts(
  url: string,
  prefix: string,
  optionNames: readonly string[],
  customTables: { readonly users: string | null; readonly usermeta: string | null },
): Promise<WordPressSiteFacts> {
  const address = parseMysqlAddress(url)
  const connections = await connectionsOf(address, {
    purpose: 'read',
    poolSize: 2,
    oldestServers: oldestServersOfWordPress,
  })
  try {
    const server = await connections.facts()
    const tables = await allTables(connections)
    const names = tablesOf({ prefix, ...customTables }, server)
    const expected = wordpressTables.map((table) => names[table])
    const missingTables = expected.filter((name) => !tables.some((table) => table.name === name))
    const has = (name: string) => tables.some((table) => table.name === name)
    return {
      address: shownAddress('mariadb', address.server),
      server: `${server.kind} ${server.version}`,
      isReadOnly: server.isReadOnly,
      missingTables,
      tables: tables.filter(({ name }) => expected.includes(name)),
      charsets: await charsetsOf(readerOf(connections), expected),
      options: has(names.options) ? await optionsOf(connections, names, optionNames) : new Map<string, string>(),
      autoloadedBytes: has(names.options) ? await autoloadedBytes(connections, names) : 0,
      recordTypes: has(names.posts) ? await countsOf(connections, names.posts, 'post_type') : [],
      taxonomies: has(names.term_taxonomy) ? await countsOf(connections, names.term_taxonomy, 'taxonomy') : [],
      rights: await rightsOf(connections, address.server.database, expected),
      tracking: await trackingOf(connections, names),
    }
  } finally {
    await connections.close()
  }
}

const wordpressTables = [
  'posts',
  'postmeta',
  'users',
  'usermeta',
  'terms',
  'termmeta',
  'term_taxonomy',
  'term_relationships',
  'options',
] as const

async function allTables(connections: MysqlConnections): Promise<WordPressSiteFacts['tables']> {
  const { rows } = await connections.read(
    'SELECT TABLE_NAME, ENGINE, TABLE_COLLATION FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() LIMIT 10000',
    [],
  )
  return rows.map(([name, engine, collation]) => ({
    name: text(name),
    engine: text(engine),
    collation: text(collation),
  }))
}

async function optionsOf(
  connections: MysqlConnections,
  { options }: TableNames,
  names: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await connections.read(
    `SELECT option_name, option_value FROM \`${options}\` WHERE option_name IN (${names.map(() => '?').join(', ')})`,
    names,
  )
  return new Map(rows.map(([name, value]) => [text(name), text(value)]))
}

async function autoloadedBytes(connections: MysqlConnections, { options }: TableNames): Promise<number> {
  const { rows } = await connections.read(
    `SELECT COALESCE(SUM(LENGTH(option_value)), 0) FROM \`${options}\` WHERE autoload IN ('yes', 'on', 'auto', 'auto-on')`,
    [],
  )
  return Number(rows[0]?.[0] ?? 0)
}

async function countsOf(
  connections: MysqlConnections,
  table: string,
  column: string,
): Promise<{ name: string; count: number }[]> {
  const { rows } = await connections.read(
    `SELECT ${column}, COUNT(*) FROM \`${table}\` GROUP BY ${column} ORDER BY ${column} LIMIT 1000`,
    [],
  )
  return rows.map(([name, count]) => ({ name: text(name), count: Number(count) }))
}

async function rightsOf(
  connections: MysqlConnections,
  database: string,
  tables: readonly string[],
): Promise<ReadonlySet<Right>> {
  const { rows } = await connections.read('SHOW GRANTS', [])
  return rightsIn(
    rows.map(([grant]) => text(grant)),
    database,
    tables,
  )
}

async function trackingOf(connections: MysqlConnections, tables: TableNames): Promise<WordPressSiteFacts['tracking']> {
  const state = await trackingState(readerOf(connections), tables)
  return { mode: state.mode, reason: incompleteText(state) }
}

const readerOf = (connections: MysqlConnections): SqlReader => ({
  query: async (statement, values = []) => (await connections.read(statement, values)).rows,
  row: async (statement, values = []) => (await connections.read(statement, values)).rows[0] ?? null,
})
