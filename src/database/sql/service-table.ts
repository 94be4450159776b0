import { AsyncResource } from 'node:async_hooks'
import type { SqlValue } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'

/** Maximum number of rows that one statement deletes. */
export const maxDeleted = 1000

/** A table of the service's own, whose rows are not content: attempts, or kept answers. */
export class ServiceTable {
  readonly #database: SqlDatabase
  readonly #table: string
  /** A write of a request is dropped when its client leaves. What is written here counts all the same. */
  readonly #outsideRequests = new AsyncResource('ServiceTable')

  constructor(database: SqlDatabase, table: string) {
    this.#database = database
    this.#table = table
  }

  /** @returns the number of rows that were changed. */
  execute(statement: string, values: readonly SqlValue[]): Promise<number> {
    const { writer, write } = this.#database
    return this.#outsideRequests.runInAsyncScope(async () =>
      writer ? writer.execute(statement, values) : write((connection) => connection.execute(statement, values)),
    )
  }

  /**
   * Deletes the first `limit` rows that meet a condition, in the order of a column.
   * @returns the number of deleted rows.
   */
  deleteFirst(condition: string, values: readonly SqlValue[], order: string, limit: number): Promise<number> {
    // MySQL limits no query inside `IN`, unless it is one level further in.
    return this.execute(
      `DELETE FROM ${this.#table} WHERE name IN (SELECT name FROM (
        SELECT name FROM ${this.#table} WHERE ${condition} ORDER BY ${order} LIMIT ?) first)`,
      [...values, limit],
    )
  }
}
