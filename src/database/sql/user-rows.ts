import type { UserKey, UserQuery, UserRow, UserRows, UserWithMeta } from '../storage.js'
import { mapMaybePromise, type MaybePromise } from '../../base/maybe-promise.js'
import type { RowCache } from './row-cache.js'
import type { RowEffects } from './row-effects.js'
import { metaStatements, SqlMetaRows, type MetaStatements } from './meta-rows.js'
import { firstFreeName } from './free-name.js'
import { countOrNone, metadata, number, placeholders, text, valuesOfKeys } from './row-values.js'
import type { SqlConnection, SqlFragment, SqlRow, SqlValue } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'
import { equalWithoutCase, isAscii } from './text-comparison.js'
import { assignments } from './assignments.js'

export const userColumns = [
  'ID',
  'user_login',
  'user_pass',
  'user_nicename',
  'user_email',
  'user_url',
  'user_registered',
  'user_activation_key',
  'user_status',
  'display_name',
] as const satisfies readonly (keyof UserRow)[]

const userTags = ['users']

const searchedColumns = ['user_login', 'user_email', 'user_nicename', 'display_name']

function userOf(row: SqlRow): UserRow {
  return {
    ID: number(row[0]),
    user_login: text(row[1]),
    user_pass: text(row[2]),
    user_nicename: text(row[3]),
    user_email: text(row[4]),
    user_url: text(row[5]),
    user_registered: text(row[6]),
    user_activation_key: text(row[7]),
    user_status: number(row[8]),
    display_name: text(row[9]),
  }
}

const userWithMetaOf = (row: SqlRow): UserWithMeta => ({ user: userOf(row), meta: metadata(row[userColumns.length]) })

/** The texts of the statements about users. They are complete, because joining them would take as long as reading a row. */
type UserQueries = Readonly<Record<'id' | 'login' | 'email' | 'nicename', string>>

/** The texts of the statements that also read one value for each of some keys of metadata, after the columns. */
interface UserQueriesOfKeys extends UserQueries {
  /** The values of the placeholders before the one of the user. */
  readonly values: readonly SqlValue[]
}

const queriesOf = (select: string): UserQueries => ({
  id: `${select} WHERE u.ID = ?`,
  login: `${select} WHERE u.user_login = ? ORDER BY u.ID LIMIT 1`,
  email: `${select} WHERE u.user_email = ? ORDER BY u.ID LIMIT 1`,
  nicename: `${select} WHERE u.user_nicename = ? ORDER BY u.ID LIMIT 1`,
})

export interface UserStatements {
  readonly dialect: SqlDialect
  readonly rowCache: RowCache | null
  readonly effects: RowEffects | null
  readonly table: string
  readonly metaTable: string
  readonly meta: MetaStatements
  readonly find: UserQueries
  readonly findWithMeta: UserQueries
  findWithKeys(metaKeys: readonly string[]): UserQueriesOfKeys
  /** `SELECT` and `FROM`, without metadata. */
  readonly select: string
  /** `SELECT` and `FROM`, with the metadata as the last column. */
  readonly selectWithMeta: string
  readonly insert: string
  readonly insertWithId: string
  readonly exists: string
  readonly remove: string
}

/** @param rowCache null: every row is read from the database. */
export function userStatements(
  { users, usermeta }: TableNames,
  dialect: SqlDialect,
  rowCache: RowCache | null,
  effects: RowEffects | null = null,
): UserStatements {
  const columns = userColumns.map((column) => `u.${column}`).join(', ')
  const json = dialect.metadataAsJson(usermeta, 'umeta_id', 'user_id', 'u.ID')
  const [, ...withoutId] = userColumns
  const select = `SELECT ${columns} FROM ${users} u`
  const selectWithMeta = `SELECT ${columns}, ${json} FROM ${users} u`
  const queriesByKeys = new WeakMap<readonly string[], UserQueriesOfKeys>()
  return {
    dialect,
    rowCache,
    effects,
    table: users,
    metaTable: usermeta,
    meta: metaStatements(usermeta, 'umeta_id', 'user_id'),
    find: queriesOf(select),
    findWithMeta: queriesOf(selectWithMeta),
    findWithKeys(metaKeys) {
      const cached = queriesByKeys.get(metaKeys)
      if (cached !== undefined) return cached
      const fragments = metaKeys.map((key) =>
        dialect.metadataOfKey(usermeta, 'umeta_id', 'user_id', 'u.ID', key, 'column'),
      )
      const queries = {
        ...queriesOf(`SELECT ${[columns, ...fragments.map((fragment) => fragment.text)].join(', ')} FROM ${users} u`),
        values: fragments.flatMap(({ values }) => values),
      }
      queriesByKeys.set(metaKeys, queries)
      return queries
    },
    select,
    selectWithMeta,
    insert: `INSERT INTO ${users} (${withoutId.join(', ')}) VALUES (${placeholders(withoutId.length)})`,
    insertWithId: `INSERT INTO ${users} (${userColumns.join(', ')}) VALUES (${placeholders(userColumns.length)})`,
    exists: `SELECT 1 FROM ${users} WHERE ID = ?`,
    remove: `DELETE FROM ${users} WHERE ID = ?`,
  }
}

/** The rows of `wp_users` with their metadata, by SQL and the row cache. */
export class SqlUserRows implements UserRows {
  readonly meta: SqlMetaRows
  readonly #statements: UserStatements
  readonly #session: SqlSession

  constructor(statements: UserStatements, session: SqlSession) {
    this.#statements = statements
    this.#session = session
    this.meta = new SqlMetaRows(statements.meta, session)
  }

  async find(key: UserKey): Promise<UserRow | null> {
    const { find } = this.#statements
    if ('id' in key) return this.#byId(find.id, key.id, userOf, this.#session.locking)
    const row = (await this.#row(find, key, [], this.#session.locking)) ?? (await this.#comparedOutside(find, key))
    return row && userOf(row)
  }

  async findMany(ids: readonly number[]): Promise<readonly UserRow[]> {
    const [id, ...others] = ids
    if (id === undefined) return []
    if (others.length === 0) {
      const user = await this.find({ id })
      return user === null ? [] : [user]
    }
    const { dialect, select } = this.#statements
    const { text, values } = dialect.isOneOf('u.ID', ids)
    const rows = await this.#session.reader.query(`${select} WHERE ${text} ORDER BY u.ID`, values)
    return rows.map(userOf)
  }

  async findWithMeta(key: UserKey, metaKeys?: readonly string[]): Promise<UserWithMeta | null> {
    const { findWithMeta, findWithKeys } = this.#statements
    if (metaKeys === undefined) {
      if ('id' in key) return this.#byId(findWithMeta.id, key.id, userWithMetaOf)
      const row = (await this.#row(findWithMeta, key)) ?? (await this.#comparedOutside(findWithMeta, key))
      return row && userWithMetaOf(row)
    }
    const queries = findWithKeys(metaKeys)
    const { values } = queries
    const row = (await this.#row(queries, key, values)) ?? (await this.#comparedOutside(queries, key, values))
    return row && { user: userOf(row), meta: valuesOfKeys(row, userColumns.length, metaKeys) }
  }

  /** One request often reads the same user several times: the permission callbacks of all methods and the handler. */
  async #byId<User>(query: string, id: number, userOfRow: (row: SqlRow) => User, locking = ''): Promise<User | null> {
    const { reader, freshness } = this.#session
    const { rowCache } = this.#statements
    if (rowCache === null || freshness === null) {
      const row = await reader.row(query + locking, [id])
      return row && userOfRow(row)
    }
    const read = (): MaybePromise<string> => mapMaybePromise(reader.row(query, [id]), (row) => JSON.stringify(row))
    const decode = (json: string): readonly User[] => {
      const row = JSON.parse(json) as SqlRow | null
      return row === null ? [] : [userOfRow(row)]
    }
    const key = `user ${query === this.#statements.find.id ? 'alone' : 'with metadata'} ${id}`
    const { rows } = await rowCache.rows({ key, read, decode, tagsOf: () => userTags, isReadAgain: true }, freshness)
    return rows[0] ?? null
  }

  /**
   * @param first the values of the placeholders before the user's.
   * @param locking appended to the query by id. A user that is found by a name is not locked: callers lock the name before.
   */
  #row(
    queries: UserQueries,
    key: UserKey,
    first: readonly SqlValue[] = [],
    locking = '',
  ): ReturnType<SqlConnection['row']> {
    const { reader } = this.#session
    if ('id' in key) return reader.row(queries.id + locking, [...first, key.id])
    if ('login' in key) return reader.row(queries.login, [...first, key.login])
    if ('nicename' in key) return reader.row(queries.nicename, [...first, key.nicename])
    return reader.row(queries.email, [...first, key.email])
  }

  /** For a user that the query did not find, where the database cannot compare letters beyond ASCII without case. */
  async #comparedOutside(queries: UserQueries, key: UserKey, first: readonly SqlValue[] = []): Promise<SqlRow | null> {
    if ('id' in key || 'nicename' in key) return null
    const [column, name] = 'login' in key ? (['user_login', key.login] as const) : (['user_email', key.email] as const)
    const outside = this.#statements.dialect.comparedOutside(column)
    if (outside === null || isAscii(name)) return null
    const { reader } = this.#session
    const candidates = await reader.query(`SELECT ID, ${column} FROM ${this.#statements.table} WHERE ${outside}`)
    const same = candidates.find(([, stored]) => equalWithoutCase(text(stored), name))
    return same === undefined ? null : this.#row(queries, { id: number(same[0]) }, first)
  }

  async list(query: UserQuery & { limit: number; offset: number }): Promise<readonly UserWithMeta[]> {
    const { dialect, selectWithMeta } = this.#statements
    const { text: where, values } = this.#where(query)
    const page = dialect.page(countOrNone(query.limit), countOrNone(query.offset))
    const rows = await this.#session.reader.query(`${selectWithMeta}${where} ORDER BY u.ID ${page.text}`, [
      ...values,
      ...page.values,
    ])
    return rows.map(userWithMetaOf)
  }

  async count(query: UserQuery): Promise<number> {
    const { text: where, values } = this.#where(query)
    const row = await this.#session.reader.row(`SELECT COUNT(*) FROM ${this.#statements.table} u${where}`, values)
    return number(row?.[0])
  }

  #where({ search, meta }: UserQuery): SqlFragment {
    const { dialect, metaTable } = this.#statements
    const searched = searchedColumns.map((column) => `u.${column}`)
    const conditions: SqlFragment[] = []
    if (search !== undefined) conditions.push(dialect.contains(searched, search))
    if (meta !== undefined) {
      const { text, values } = dialect.metadataOfKey(metaTable, 'umeta_id', 'user_id', 'u.ID', meta.key, 'column')
      conditions.push({ text: dialect.containsExactly(text), values: [...values, meta.contains] })
    }
    const joined = conditions.map(({ text }) => text).join(' AND ')
    return { text: joined && ` WHERE ${joined}`, values: conditions.flatMap(({ values }) => values) }
  }

  insert(row: Omit<UserRow, 'ID'> & { readonly ID?: number }): Promise<number> {
    const [, ...withoutId] = userColumns
    const values = withoutId.map((column) => row[column])
    const { insert, insertWithId, effects } = this.#statements
    return this.#session.write(async (connection) => {
      const id =
        row.ID === undefined
          ? await connection.insert(insert, values, 'ID')
          : await connection.insert(insertWithId, [row.ID, ...values], 'ID')
      await effects?.changedUsers(connection)
      return id
    })
  }

  async update(id: number, change: Partial<Omit<UserRow, 'ID'>>): Promise<boolean> {
    const [, ...changeable] = userColumns
    const set = assignments(changeable, change)
    const { table, exists } = this.#statements
    if (set === null) return (await this.#session.reader.query(exists, [id])).length > 0
    return this.#session.write(
      async (connection) =>
        (await connection.execute(`UPDATE ${table} SET ${set.text} WHERE ID = ?`, [...set.values, id])) > 0,
    )
  }

  delete(id: number, heir?: number): Promise<boolean> {
    return this.#session.write(async (connection) => {
      const { effects } = this.#statements
      if (heir !== undefined) await effects?.givingToUser(connection, id, heir)
      // Also without a row of the user: metadata that a user of the same id has left must not belong to a new user.
      await connection.execute(this.#statements.meta.removeAll, [id])
      const removed = await connection.execute(this.#statements.remove, [id])
      if (removed === 0) return false
      if (heir === undefined) await effects?.deletedUser(connection, id)
      await effects?.changedUsers(connection)
      return true
    })
  }

  firstFreeNicename(nicenames: readonly string[], exceptId: number): Promise<string | null> {
    const { table, dialect } = this.#statements
    const condition = { text: ' AND ID <> ?', values: [exceptId] }
    const rows = { from: table, column: 'user_nicename', condition, outside: null }
    return firstFreeName(nicenames, rows, this.#session, dialect)
  }
}
