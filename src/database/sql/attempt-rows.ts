import type { AttemptFilling, AttemptReading, AttemptRow, AttemptRows } from '../attempt-rows.js'
import { number, placeholders, text } from './row-values.js'
import { ServiceTable } from './service-table.js'
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
  readonly #rows: ServiceTable

  constructor(database: SqlDatabase, { attempts }: TableNames) {
    this.#database = database
    this.#table = attempts
    this.#rows = new ServiceTable(database, this.#table)
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
    // Writers that lock the same rows in one order cannot wait for each other in a cycle.
    const inOrder = counters.toSorted((left, right) => (left.name < right.name ? -1 : 1))
    const rows = inOrder.flatMap(({ name, kind, milliseconds }): SqlValue[] => [name, kind, now + milliseconds, ''])
    await this.#rows.execute(this.#database.dialect.fillCounters(this.#table, counters.length), [...rows, now, now])
  }

  async raiseWithin({ name, milliseconds }: AttemptFilling, capacity: number, now: number): Promise<boolean> {
    const update = `UPDATE ${this.#table} SET empty_at = CASE WHEN empty_at > ? THEN empty_at ELSE ? END + ?
      WHERE name = ? AND empty_at <= ?`
    return (await this.#rows.execute(update, [now, now, milliseconds, name, now + capacity - milliseconds])) > 0
  }

  async drain(name: string, milliseconds: number): Promise<void> {
    await this.#rows.execute(`UPDATE ${this.#table} SET empty_at = empty_at - ? WHERE name = ?`, [milliseconds, name])
  }

  async lower(name: string, emptyAt: number): Promise<void> {
    const lower = `UPDATE ${this.#table} SET empty_at = ? WHERE name = ? AND empty_at > ?`
    await this.#rows.execute(lower, [emptyAt, name, emptyAt])
  }

  async write(name: string, { kind, emptyAt, networks }: AttemptRow & { readonly kind: string }): Promise<void> {
    const write = this.#database.dialect.insertOrOverwrite(this.#table, 'name', columns)
    await this.#rows.execute(write, [name, kind, emptyAt, networks])
  }

  async sweep(kind: string, now: number, max: number): Promise<boolean> {
    await this.#rows.deleteFirst(
      { text: 'kind = ? AND empty_at <= ?', values: [kind, now] },
      'kind, empty_at',
      maxDeleted,
    )
    const row = await this.#database.reader.row(`SELECT COUNT(*) FROM ${this.#table} WHERE kind = ?`, [kind])
    const excess = Math.min(number(row?.[0]) - max, maxDeleted)
    if (excess <= 0) return false
    await this.#rows.deleteFirst({ text: 'kind = ?', values: [kind] }, 'kind, empty_at', excess)
    return true
  }
}
