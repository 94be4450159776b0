import type { OptionRows } from '../storage.js'
import { placeholders, text } from './row-values.js'
import type { SqlDialect } from './sql-dialect.js'
import type { SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'

export interface OptionStatements {
  readonly table: string
  readonly read: string
  readonly write: string
  readonly writeOnce: string
  readonly remove: string
}

export function optionStatements({ options }: TableNames, dialect: SqlDialect): OptionStatements {
  const columns = ['option_name', 'option_value', 'autoload']
  return {
    table: options,
    read: `SELECT option_value FROM ${options} WHERE option_name = ?`,
    write: dialect.insertOrOverwrite(options, 'option_name', columns),
    writeOnce: dialect.insertUnlessExists(options, columns),
    remove: `DELETE FROM ${options} WHERE option_name = ?`,
  }
}

export class SqlOptionRows implements OptionRows {
  readonly #statements: OptionStatements
  readonly #session: SqlSession

  constructor(statements: OptionStatements, session: SqlSession) {
    this.#statements = statements
    this.#session = session
  }

  async read(name: string): Promise<string | null> {
    const { reader, locking } = this.#session
    const row = await reader.row(this.#statements.read + locking, [name])
    return row && text(row[0])
  }

  async readMany(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (names.length === 0) return new Map()
    const rows = await this.#session.reader.query(
      `SELECT option_name, option_value FROM ${this.#statements.table} WHERE option_name IN (${placeholders(names.length)})`,
      names,
    )
    return new Map(rows.map(([name, value]) => [text(name), text(value)]))
  }

  async write(name: string, value: string): Promise<void> {
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
