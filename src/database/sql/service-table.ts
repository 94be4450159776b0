import { AsyncResource } from 'node:async_hooks'
import type { SqlFragment, SqlValue } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'

/** A table of the service's own, whose rows are not content: attempts, or stored responses. */
export class ServiceTable {
  readonly #database: SqlDatabase
  readonly #table: string
  /** A waiting write of a request is dropped when its client leaves. Writes to this table run outside of requests and are kept. */
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

  /** See `SqlDialect.deleteFirst`. @returns the number of deleted rows. */
  deleteFirst(condition: SqlFragment, order: string, limit: number): Promise<number> {
    const { text, values } = this.#database.dialect.deleteFirst(this.#table, condition, order, limit)
    return this.execute(text, values)
  }
}
