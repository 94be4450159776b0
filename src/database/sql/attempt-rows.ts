import { AsyncResource } from 'node:async_hooks'
import type { AttemptFilling, AttemptReading, AttemptRow, AttemptRows } from '../attempt-rows.js'
import { number, placeholders, text } from './row-values.js'
import type { SqlValue } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableNames } from './table-names.js'

/** Maximum number of rows that one statement deletes. */
const maxDeleted = 1000

const columns = ['name', 'kind', 'empty_at', 'networks']

/** The values of rows in an insert of counters, as placeholders. */
export const counterRows = (rows: number): string =>
  Array<string>(rows)
    .fill(`(${placeholders(columns.length)})`)
    .join(', ')

/** The counters of failed logins and of requests, in a table that the processes of a service share. */
export class SqlAttemptRows implements AttemptRows {
  readonly #database: SqlDatabase
  readonly #table: string
  /** A write of a request is dropped when its client leaves, but what the client has tried still counts. */
  readonly #outsideRequests = new AsyncResource('AttemptRows')

  constructor(database: SqlDatabase, { attempts }: TableNames) {
    this.#database = database
    this.#table = attempts
  }

  async read(names: readonly string[]): Promise<AttemptReading> {
    const { reader, dialect } = this.#database
    const rows = await reader.query(
      `SELECT '' AS name, ${dialect.now} AS empty_at, '' AS networks UNION ALL
      SELECT name, empty_at, networks FROM ${this.#table} WHERE name IN (${placeholders(names.length)})`,
      names,
    )
    const entries = rows.map(([name, emptyAt, networks]): [string, AttemptRow] => [
      text(name),
      { emptyAt: number(emptyAt), networks: text(networks) },
    ])
    const all = new Map(entries)
    const now = all.get('')?.emptyAt ?? 0
    all.delete('')
    return { now, rows: all }
  }

  async raise(counters: readonly AttemptFilling[], now: number): Promise<void> {
    // Writers that lock the same rows in one order wait for each other only.
    const inOrder = counters.toSorted((one, other) => (one.name < other.name ? -1 : 1))
    const rows = inOrder.flatMap(({ name, kind, milliseconds }): SqlValue[] => [name, kind, now + milliseconds, ''])
    await this.#execute(this.#database.dialect.fillCounters(this.#table, counters.length), [...rows, now, now])
  }

  async drain(name: string, milliseconds: number): Promise<void> {
    await this.#execute(`UPDATE ${this.#table} SET empty_at = empty_at - ? WHERE name = ?`, [milliseconds, name])
  }

  async write(name: string, { kind, emptyAt, networks }: AttemptRow & { readonly kind: string }): Promise<void> {
    const write = this.#database.dialect.insertOrOverwrite(this.#table, 'name', columns)
    await this.#execute(write, [name, kind, emptyAt, networks])
  }

  async sweep(kind: string, now: number, max: number): Promise<boolean> {
    await this.#delete('kind = ? AND empty_at <= ?', [kind, now], maxDeleted)
    const row = await this.#database.reader.row(`SELECT COUNT(*) FROM ${this.#table} WHERE kind = ?`, [kind])
    const excess = Math.min(number(row?.[0]) - max, maxDeleted)
    if (excess <= 0) return false
    await this.#delete('kind = ?', [kind], excess)
    return true
  }

  /** Deletes those of the rows that are empty first. MySQL limits no query inside `IN`, unless it is one level further in. */
  #delete(condition: string, values: readonly SqlValue[], limit: number): Promise<number> {
    return this.#execute(
      `DELETE FROM ${this.#table} WHERE name IN (SELECT name FROM (
        SELECT name FROM ${this.#table} WHERE ${condition} ORDER BY empty_at LIMIT ?) first)`,
      [...values, limit],
    )
  }

  #execute(statement: string, values: readonly SqlValue[]): Promise<number> {
    const { writer, write } = this.#database
    return this.#outsideRequests.runInAsyncScope(async () =>
      writer ? writer.execute(statement, values) : write((connection) => connection.execute(statement, values)),
    )
  }
}
