import type { OptionRows } from '../storage.js'
import { mapMaybePromise } from '../../base/maybe-promise.js'
import type { RowCache } from './row-cache.js'
import type { RowEffects } from './row-effects.js'
import { placeholders, text } from './row-values.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlRow } from './sql-connection.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'

/** The statements about `wp_options`. A storage composes them once and shares them with its transactions. */
export interface OptionStatements {
  readonly rowCache: RowCache | null
  readonly effects: RowEffects | null
  readonly table: string
  readonly read: string
  readonly write: string
  readonly writeOnce: string
  readonly remove: string
}

/** @param rowCache null: every row is read from the database. */
export function optionStatements(
  { options }: TableNames,
  dialect: SqlDialect,
  rowCache: RowCache | null,
  effects: RowEffects | null = null,
): OptionStatements {
  const columns = ['option_name', 'option_value', 'autoload']
  return {
    rowCache,
    effects,
    table: options,
    read: `SELECT option_value FROM ${options} WHERE option_name = ?`,
    write: dialect.insertOrOverwrite(options, 'option_name', columns),
    writeOnce: dialect.insertUnlessExists(options, columns),
    remove: `DELETE FROM ${options} WHERE option_name = ?`,
  }
}

const optionTags = ['options']

/** The rows of `wp_options`, by SQL and the row cache. */
export class SqlOptionRows implements OptionRows {
  readonly #statements: OptionStatements
  readonly #session: SqlSession

  constructor(statements: OptionStatements, session: SqlSession) {
    this.#statements = statements
    this.#session = session
  }

  async read(name: string): Promise<string | null> {
    const { reader, locking, freshness } = this.#session
    const { rowCache, read } = this.#statements
    if (rowCache === null || freshness === null) {
      const row = await reader.row(read + locking, [name])
      return row && text(row[0])
    }
    const { rows } = await rowCache.rows(
      {
        key: `option ${name}`,
        read: () => mapMaybePromise(reader.row(read, [name]), (row) => (row === null ? '' : `=${text(row[0])}`)),
        decode: (value) => (value === '' ? [] : [value.slice(1)]),
        tagsOf: () => optionTags,
        isReadAgain: true,
      },
      freshness,
    )
    return rows[0] ?? null
  }

  async readMany(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map()
    const { reader, freshness } = this.#session
    const { rowCache, table } = this.#statements
    const select = `SELECT option_name, option_value FROM ${table} WHERE option_name IN (${placeholders(names.length)})`
    const pairsOf = (rows: readonly SqlRow[]) => rows.map(([name, value]) => [text(name), text(value)] as const)
    if (rowCache === null || freshness === null) return new Map(pairsOf(await reader.query(select, names)))
    const { rows } = await rowCache.rows(
      {
        key: `options ${JSON.stringify(names)}`,
        read: () => mapMaybePromise(reader.query(select, names), (rows) => JSON.stringify(pairsOf(rows))),
        decode: (json) => JSON.parse(json) as readonly (readonly [string, string])[],
        tagsOf: () => optionTags,
        isReadAgain: true,
      },
      freshness,
    )
    return new Map(rows)
  }

  async write(name: string, value: string, isAutoloaded = true): Promise<void> {
    const { effects } = this.#statements
    if (effects !== null)
      return this.#session.write((connection) => effects.writeOption(connection, name, value, isAutoloaded))
    await this.#session.execute(this.#statements.write, [name, value, 'auto'])
  }

  writeOnce(name: string, value: string): Promise<string> {
    return this.#session.write(async (connection) => {
      await connection.execute(this.#statements.writeOnce, [name, value, 'auto'])
      return text((await connection.row(this.#statements.read, [name]))?.[0])
    })
  }

  async remove(name: string): Promise<boolean> {
    return (await this.#session.execute(this.#statements.remove, [name])) > 0
  }
}
