import { number, placeholders, text } from '../sql/row-values.js'
import type { SqlReader } from '../sql/sql-connection.js'
import { RowCache } from '../sql/row-cache.js'
import { sqlStorage } from '../sql/sql-storage.js'
import { tableNames, type TableNames } from '../sql/table-names.js'
import { StorageError } from '../storage-error.js'
import type { OpenedStorage, StoreOptions } from '../store-adapter.js'
import { withRemedy } from './missing-right.js'
import { parseMysqlAddress } from './mysql-address.js'
import { mysqlDatabase } from './mysql-database.js'
import { connectedFacts, connectionsOf, timeLimitsOf, withPing, type MysqlOptions } from './open-mysql.js'
import type { ServerFacts } from './server-facts.js'
import { siteLocks } from './site-locks.js'
import { trackedWrites } from './tracked-writes.js'
import { untrackedWrites, type ReportedWrites } from './untracked-writes.js'
import { wordpressDialect } from './wordpress-dialect.js'
import { wordpressEffects } from './wordpress-effects.js'
import { textsOf } from './wordpress-texts.js'
import { trackingState, type TrackingState } from './wordpress-tracking.js'

/** The tables of a WordPress site. */
export interface WordPressTables {
  readonly prefix: string
  /** The table of users, when its name is not the prefix and `users`; else null. */
  readonly users: string | null
  /** The table of the metadata of users, when its name is not the prefix and `usermeta`; else null. */
  readonly usermeta: string | null
}

/** The `db_version` of WordPress 5.6. */
export const oldestWordPress = 49_752

/** The oldest servers that support the statements for the tables of WordPress. */
export const oldestServersOfWordPress = { MariaDB: '10.3', MySQL: '8.0' } as const

/**
 * Opens the database of an existing WordPress site. Nothing is created: no table, no trigger, no index and no option. Rows are
 * cached only when the owner has installed the triggers that count writes, because WordPress does not tell when it writes.
 * @throws StorageError `incompatible` when it is not the database of a WordPress that can be served.
 * @throws the reason of `waiting.signal`
 */
export async function openWordPress(
  url: string,
  site: WordPressTables,
  options: Omit<StoreOptions, 'prefix' | 'synchronous'> &
    MysqlOptions & { readonly reportedWrites?: ReportedWrites | null } = {},
): Promise<OpenedStorage> {
  const address = parseMysqlAddress(url)
  const connections = await connectionsOf(address, { ...options, oldestServers: oldestServersOfWordPress })
  try {
    const facts = await connectedFacts(connections, options)
    const tables = tablesOf(site, facts)
    const texts = await textsOf(connections, tables)
    const plain = mysqlDatabase(connections, wordpressDialect(facts, texts), {
      locks: siteLocks(tables, facts.isGalera),
      changeToken: async () => 0,
      ...timeLimitsOf(options),
    })
    await requireWordPress(plain.reader, site, tables)
    const { onWarning = () => {} } = options
    const tracking = await trackingState(plain.reader, tables)
    const { mode } = tracking
    if (mode === 'part') onWarning('wordpress-tracking-incomplete', incompleteText(tracking))
    const isTracked = mode === 'on'
    const onGone = () =>
      onWarning('wordpress-tracking-gone', 'Nothing of the tables is kept between requests any more.')
    const reported = options.reportedWrites ?? null
    const database = isTracked
      ? trackedWrites(plain, { connections, tables, onGone, reported })
      : untrackedWrites(plain, reported)
    const storage = sqlStorage(
      database,
      tables,
      isTracked && options.rowCache !== false ? new RowCache() : null,
      wordpressEffects(tables, site.prefix),
    )
    return withPing(
      Object.assign(storage, { created: false, finishFirstStart: async () => {}, narrowColumns: texts.narrowColumns }),
      connections,
    )
  } catch (error) {
    await connections.close()
    throw withRemedy(error, address)
  }
}

/** The reason why writes are not counted, as a sentence. */
export function incompleteText({ missing, changed }: Pick<TrackingState, 'missing' | 'changed'>): string {
  const lost = missing.filter((name) => !changed.includes(name))
  if (lost.length > 0)
    return `Triggers are missing, or the user of the database has no right TRIGGER to see them: ${lost.join(', ')}.`
  if (changed.length > 0) return `Triggers are not those that install-tracking creates: ${changed.join(', ')}.`
  return 'The installation or the removal of tracking has not ended.'
}

/**
 * The names of the tables as the server stores them.
 * @throws StorageError `incompatible` for a name that is not letters, digits and underscores.
 */
export function tablesOf(
  { prefix, users, usermeta }: WordPressTables,
  { hasLowerCaseTables }: Pick<ServerFacts, 'hasLowerCaseTables'>,
): TableNames {
  const stored = (name: string): string => (hasLowerCaseTables ? name.toLowerCase() : name)
  const tables = tableNames(stored(prefix))
  for (const name of [users, usermeta])
    if (name !== null && !/^\w+$/.test(name))
      throw new StorageError(
        'incompatible',
        `The table '${name}' of CUSTOM_USER_TABLE or CUSTOM_USER_META_TABLE has a name of other characters than letters, digits and underscores.`,
      )
  return {
    ...tables,
    ...(users !== null && { users: stored(users) }),
    ...(usermeta !== null && { usermeta: stored(usermeta) }),
  }
}

/** @throws StorageError `incompatible` */
async function requireWordPress(reader: SqlReader, { prefix }: WordPressTables, tables: TableNames): Promise<void> {
  const { posts, postmeta, users, usermeta, terms, termmeta, term_taxonomy, term_relationships } = tables
  const names = [posts, postmeta, users, usermeta, terms, termmeta, term_taxonomy, term_relationships, tables.options]
  const existingTables = await reader.query(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name IN (${placeholders(names.length)})`,
    names,
  )
  const existing = new Set(existingTables.map(([name]) => text(name)))
  const missing = names.filter((name) => !existing.has(name))
  if (missing.length > 0)
    throw new StorageError(
      'incompatible',
      `It has no tables ${missing.join(', ')}. Correct $table_prefix in wp-config.php, or install WordPress.`,
    )
  await requireUnicode(reader, names)
  const options = await reader.query(
    `SELECT option_name, option_value FROM ${tables.options} WHERE option_name IN ('db_version', 'siteurl', '${prefix}user_roles')`,
  )
  const values = new Map(options.map(([name, value]) => [text(name), text(value)]))
  const required = ['db_version', 'siteurl', `${prefix}user_roles`]
  const lacking = required.filter((name) => !values.has(name))
  if (lacking.length > 0)
    throw new StorageError(
      'incompatible',
      `Its table ${tables.options} lacks ${lacking.join(', ')}: it is not that of an installed WordPress.`,
    )
  const version = number(values.get('db_version'))
  if (version < oldestWordPress)
    throw new StorageError(
      'incompatible',
      `It is of a WordPress before 5.6 (db_version ${version}, needed is ${oldestWordPress}). Update WordPress.`,
    )
}

/** A table that has columns in a charset. */
export interface TableCharset {
  readonly table: string
  readonly charset: string
}

/** Each charset of the columns of each table. A column may have another charset than new columns of its table would get. */
export async function charsetsOf(
  reader: Pick<SqlReader, 'query'>,
  names: readonly string[],
): Promise<readonly TableCharset[]> {
  const rows = await reader.query(
    `SELECT DISTINCT table_name, character_set_name FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name IN (${placeholders(names.length)}) AND character_set_name IS NOT NULL
    ORDER BY table_name, character_set_name`,
    names,
  )
  return rows.map(([table, charset]) => ({ table: text(table), charset: text(charset) }))
}

export const isUnicode = (charset: string): boolean => charset.startsWith('utf8')

/**
 * Columns of other charsets cannot even be compared with every text.
 * @throws StorageError `incompatible`
 */
async function requireUnicode(reader: SqlReader, names: readonly string[]): Promise<void> {
  const others = (await charsetsOf(reader, names)).filter(({ charset }) => !isUnicode(charset))
  const [first] = others
  if (first === undefined) return
  const tables = others.map(({ table, charset }) => `${table} (${charset})`)
  throw new StorageError(
    'incompatible',
    `Its tables ${tables.join(', ')} are not in Unicode. Convert each of them, after a backup: ALTER TABLE ${first.table} CONVERT TO CHARACTER SET utf8mb4.`,
  )
}
