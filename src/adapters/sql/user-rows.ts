import type { UserKey, UserRow, UserRows, UserWithMeta } from '../../storage/storage.js'
import { metaStatements, SqlMetaRows, type MetaStatements } from './meta-rows.js'
import { countOrNone, metadata, number, placeholders, text } from './row-values.js'
import type { SqlRow } from './sql-database.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'
import { equalWithoutCase, isAscii } from './text-comparison.js'
import { assignments } from './assignments.js'

const COLUMNS = [
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

const SEARCHED = ['user_login', 'user_email', 'user_nicename', 'display_name']

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

const userWithMetaOf = (row: SqlRow): UserWithMeta => ({ user: userOf(row), meta: metadata(row[COLUMNS.length]) })

export interface UserStatements {
  readonly dialect: SqlDialect
  readonly table: string
  readonly meta: MetaStatements
  /** `SELECT` and `FROM`, without and with the metadata as the last column. */
  readonly select: string
  readonly selectWithMeta: string
  readonly insert: string
  readonly insertWithId: string
  readonly exists: string
  readonly remove: string
}

export function userStatements({ users, usermeta }: TableNames, dialect: SqlDialect): UserStatements {
  const columns = COLUMNS.map((column) => `u.${column}`).join(', ')
  const json = dialect.metadataAsJson(usermeta, 'umeta_id', 'user_id', 'u.ID')
  const [, ...withoutId] = COLUMNS
  return {
    dialect,
    table: users,
    meta: metaStatements(usermeta, 'umeta_id', 'user_id'),
    select: `SELECT ${columns} FROM ${users} u`,
    selectWithMeta: `SELECT ${columns}, ${json} FROM ${users} u`,
    insert: `INSERT INTO ${users} (${withoutId.join(', ')}) VALUES (${placeholders(withoutId.length)})`,
    insertWithId: `INSERT INTO ${users} (${COLUMNS.join(', ')}) VALUES (${placeholders(COLUMNS.length)})`,
    exists: `SELECT 1 FROM ${users} WHERE ID = ?`,
    remove: `DELETE FROM ${users} WHERE ID = ?`,
  }
}

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
    const row = await this.#row(this.#statements.select, key)
    return row === null ? null : userOf(row)
  }

  async findWithMeta(key: UserKey): Promise<UserWithMeta | null> {
    const row = await this.#row(this.#statements.selectWithMeta, key)
    return row === null ? null : userWithMetaOf(row)
  }

  async #row(select: string, key: UserKey): Promise<SqlRow | null> {
    const { reader } = this.#session
    if ('id' in key) return (await reader.query(`${select} WHERE u.ID = ?`, [key.id]))[0] ?? null
    const [column, wanted] =
      'login' in key ? (['user_login', key.login] as const) : (['user_email', key.email] as const)
    const [row] = await reader.query(`${select} WHERE u.${column} = ? ORDER BY u.ID LIMIT 1`, [wanted])
    if (row !== undefined) return row
    const outside = this.#statements.dialect.comparedOutside(column)
    if (outside === null || isAscii(wanted)) return null
    const candidates = await reader.query(`SELECT ID, ${column} FROM ${this.#statements.table} WHERE ${outside}`)
    const same = candidates.find(([, stored]) => equalWithoutCase(text(stored), wanted))
    return same === undefined ? null : this.#row(select, { id: number(same[0]) })
  }

  async list(query: { search?: string; limit: number; offset: number }): Promise<readonly UserWithMeta[]> {
    const { dialect, selectWithMeta } = this.#statements
    const found =
      query.search === undefined
        ? null
        : dialect.contains(
            SEARCHED.map((c) => `u.${c}`),
            query.search,
          )
    const rows = await this.#session.reader.query(
      `${selectWithMeta}${found === null ? '' : ` WHERE ${found.text}`} ORDER BY u.ID ${dialect.page}`,
      [...(found?.values ?? []), countOrNone(query.limit), countOrNone(query.offset)],
    )
    return rows.map(userWithMetaOf)
  }

  insert(row: Omit<UserRow, 'ID'> & { readonly ID?: number }): Promise<number> {
    const [, ...withoutId] = COLUMNS
    const values = withoutId.map((column) => row[column])
    const { insert, insertWithId } = this.#statements
    return this.#session.write((connection) =>
      row.ID === undefined
        ? connection.insert(insert, values, 'ID')
        : connection.insert(insertWithId, [row.ID, ...values], 'ID'),
    )
  }

  async update(id: number, change: Partial<Omit<UserRow, 'ID'>>): Promise<boolean> {
    const [, ...changeable] = COLUMNS
    const set = assignments(changeable, change)
    const { table, exists } = this.#statements
    if (set === null) return (await this.#session.reader.query(exists, [id])).length > 0
    return this.#session.write(
      async (connection) =>
        (await connection.execute(`UPDATE ${table} SET ${set.text} WHERE ID = ?`, [...set.values, id])) > 0,
    )
  }

  delete(id: number): Promise<boolean> {
    return this.#session.write(async (connection) => {
      await connection.execute(this.#statements.meta.removeAll, [id])
      return (await connection.execute(this.#statements.remove, [id])) > 0
    })
  }
}
