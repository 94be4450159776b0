import type { MaybePromise } from '../../base/maybe-promise.js'
import type { MetaEntry, MetaRows } from '../storage.js'
import type { SqlConnection, SqlValue } from './sql-connection.js'
import type { SqlSession } from './sql-session.js'

/** The statements of one metadata table; `postmeta`, `usermeta` and `termmeta` differ in names only. */
export interface MetaStatements {
  readonly table: string
  readonly idColumn: string
  readonly read: string
  readonly all: string
  readonly owners: string
  readonly ofKey: string
  readonly insert: string
  /** An insert of `count` rows. */
  insertMany(count: number): string
  readonly updateAll: string
  readonly updateOne: string
  readonly removeOne: string
  readonly removeKey: string
  readonly removeValue: string
  readonly removeAll: string
}

export function metaStatements(table: string, idColumn: string, ownerColumn: string): MetaStatements {
  const insertInto = `INSERT INTO ${table} (${ownerColumn}, meta_key, meta_value) VALUES`
  const manyTexts = new Map<number, string>()
  const byKey = `WHERE ${ownerColumn} = ? AND meta_key = ?`
  return {
    table,
    idColumn,
    read: `SELECT meta_key, meta_value FROM ${table} ${byKey} ORDER BY ${idColumn}`,
    all: `SELECT meta_key, meta_value FROM ${table} WHERE ${ownerColumn} = ? ORDER BY ${idColumn}`,
    owners: `SELECT DISTINCT ${ownerColumn} FROM ${table} WHERE meta_key = ? AND meta_value = ? ORDER BY ${ownerColumn} LIMIT ?`,
    ofKey: `SELECT ${idColumn}, meta_key, meta_value FROM ${table} ${byKey} ORDER BY ${idColumn}`,
    insert: `${insertInto} (?, ?, ?)`,
    insertMany(count) {
      const text =
        manyTexts.get(count) ?? `${insertInto} ${Array.from({ length: count }, () => '(?, ?, ?)').join(', ')}`
      manyTexts.set(count, text)
      return text
    },
    updateAll: `UPDATE ${table} SET meta_value = ? ${byKey}`,
    updateOne: `UPDATE ${table} SET meta_value = ? WHERE ${idColumn} = ?`,
    removeOne: `DELETE FROM ${table} WHERE ${idColumn} = ?`,
    removeKey: `DELETE FROM ${table} ${byKey}`,
    removeValue: `DELETE FROM ${table} ${byKey} AND meta_value = ?`,
    removeAll: `DELETE FROM ${table} WHERE ${ownerColumn} = ?`,
  }
}

/** Maximum number of rows of one insert, which keeps the number of different statements small. */
export const maxMetaRows = 16

/** Inserts the entries in their order. Several statements are not atomic. */
export function insertEntries(
  connection: Pick<SqlConnection, 'insert'>,
  { insertMany, idColumn }: MetaStatements,
  objectId: number,
  entries: readonly MetaEntry[],
): MaybePromise<unknown> {
  const insertPart = (part: readonly MetaEntry[]): MaybePromise<number> => {
    const values = part.flatMap(({ key, value }) => [objectId, key, value])
    return connection.insert(insertMany(part.length), values, idColumn)
  }
  return entries.length <= maxMetaRows ? insertPart(entries) : inParts(entries, insertPart)
}

async function inParts<T>(rows: readonly T[], insertPart: (part: readonly T[]) => MaybePromise<number>): Promise<void> {
  for (let start = 0; start < rows.length; start += maxMetaRows)
    await insertPart(rows.slice(start, start + maxMetaRows))
}

const textOrNull = (value: SqlValue | undefined): string | null => (value == null ? null : String(value))

export class SqlMetaRows implements MetaRows {
  readonly #statements: MetaStatements
  readonly #session: SqlSession

  constructor(statements: MetaStatements, session: SqlSession) {
    this.#statements = statements
    this.#session = session
  }

  async read(objectId: number, key: string): Promise<readonly (string | null)[]> {
    const { reader, locking } = this.#session
    const rows = await reader.query(this.#statements.read + locking, [objectId, key])
    return rows.filter(([storedKey]) => storedKey === key).map(([, value]) => textOrNull(value))
  }

  async all(objectId: number): Promise<readonly MetaEntry[]> {
    const rows = await this.#session.reader.query(this.#statements.all, [objectId])
    return rows.map(([key, value]) => ({ key: String(key ?? ''), value: textOrNull(value) }))
  }

  async ownersOf(key: string, value: string, limit: number): Promise<readonly number[]> {
    const rows = await this.#session.reader.query(this.#statements.owners, [key, value, limit])
    return rows.map(([id]) => Number(id))
  }

  async add(objectId: number, key: string, value: string | null): Promise<void> {
    const { insert, idColumn } = this.#statements
    await this.#session.insert(insert, [objectId, key, value], idColumn)
  }

  write(objectId: number, key: string, value: string | null): Promise<void> {
    const { table, updateAll, insert, idColumn } = this.#statements
    return this.#session.write(async (connection) => {
      await connection.lockMissing?.(`${table} ${objectId}`)
      const matched = await connection.execute(updateAll, [value, objectId, key])
      if (matched === 0) await connection.insert(insert, [objectId, key, value], idColumn)
    })
  }

  replace(objectId: number, key: string, expected: string | null, value: string | null): Promise<boolean> {
    const { table, ofKey, insert, updateOne, removeOne, idColumn } = this.#statements
    return this.#session.write(async (connection) => {
      await connection.lockMissing?.(`${table} ${objectId}`)
      const rows = await connection.query(ofKey + (connection.locking ?? ''), [objectId, key])
      const row = rows.find(([, name]) => name === key)
      if (row === undefined) {
        if (expected !== null) return false
        if (value !== null) await connection.insert(insert, [objectId, key, value], idColumn)
        return true
      }
      const [id, , current] = row
      if (id === undefined || expected === null || textOrNull(current) !== expected) return false
      if (value === null) await connection.execute(removeOne, [id])
      else await connection.execute(updateOne, [value, id])
      return true
    })
  }

  async remove(objectId: number, key: string, value?: string): Promise<boolean> {
    const { removeKey, removeValue } = this.#statements
    const removed =
      value === undefined
        ? this.#session.execute(removeKey, [objectId, key])
        : this.#session.execute(removeValue, [objectId, key, value])
    return (await removed) > 0
  }
}
