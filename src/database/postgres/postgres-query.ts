import type { SqlRow } from '../sql/sql-connection.js'
import { columnReader, type ColumnReader } from './postgres-text.js'
import type { ServerStatement } from './statements.js'

/** A connection of the driver. Each message is written into the stream. */
export interface DriverConnection {
  readonly stream: {
    destroy(): void
    /** Keeps what is written back until `uncork`. */
    cork(): void
    uncork(): void
  }
  /** The texts of the statements that are prepared, by name. The driver adds them when the server has answered. */
  readonly parsedStatements: Readonly<Record<string, string>>
  /** Of those that the server has not answered. The driver removes them. */
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { readonly text: string; readonly name: string; readonly types: readonly number[] }): void
  bind(values: { readonly portal: ''; readonly statement: string; readonly values: readonly (string | null)[] }): void
  describe(what: { readonly type: 'P'; readonly name: '' }): void
  execute(what: { readonly portal: ''; readonly rows: 0 }): void
  sync(): void
}

/** What a connection knows of a statement. */
export interface KnownStatement extends ServerStatement {
  /** How its columns are read; null until the server has described them. */
  columns: readonly ColumnReader[] | null
}

/** The rows of a statement, and how many rows it matched. */
export interface StatementResult {
  readonly rows: readonly SqlRow[]
  readonly matched: number
  /** The first word that the server answers with: `COMMIT`, `ROLLBACK`. */
  readonly command: string
}

/** Called once: with the error, or with the result. */
export type Answered = (error: Error | null, result: StatementResult | null) => void

/**
 * A statement on its way through the driver, which calls the `handle` methods with the messages of the server. The driver's
 * own class asks for a description of the columns at each use, and builds an object of their names: together a tenth of the
 * time of a request that adds a record.
 */
export class PostgresQuery {
  /** The driver notes under this name what it has prepared. */
  readonly name: string
  readonly text: string
  readonly #statement: KnownStatement
  readonly #values: readonly (string | null)[]
  readonly #answered: Answered
  readonly #rows: SqlRow[] = []
  #matched = 0
  #command = ''
  #fault: Error | null = null

  constructor(statement: KnownStatement, values: readonly (string | null)[], answered: Answered) {
    this.name = statement.name
    this.text = statement.text
    this.#statement = statement
    this.#values = values
    this.#answered = answered
  }

  /** Sends the statement. @returns an error when it cannot be sent. */
  submit(connection: DriverConnection): Error | null {
    const { name, text } = this
    const isPrepared =
      name !== '' &&
      (connection.parsedStatements[name] !== undefined || connection.submittedNamedStatements[name] !== undefined)
    if (!isPrepared) {
      connection.parse({ text, name, types: [] })
      if (name !== '') connection.submittedNamedStatements[name] = text
    }
    try {
      connection.bind({ portal: '', statement: name, values: this.#values })
    } catch (error) {
      return error as Error
    }
    if (this.#statement.columns === null) connection.describe({ type: 'P', name: '' })
    connection.execute({ portal: '', rows: 0 })
    connection.sync()
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    this.#statement.columns = fields.map(({ dataTypeID }) => columnReader(dataTypeID))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.#statement.columns ?? []
    try {
      this.#rows.push(fields.map((text, index) => (text === null ? null : (columns[index]?.(text) ?? null))))
    } catch (error) {
      this.#fault = error as Error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    // `INSERT 0 1`, `SELECT 10`, `COMMIT`, `CREATE TABLE`.
    const end = text.indexOf(' ')
    this.#command = end < 0 ? text : text.slice(0, end)
    this.#matched = end < 0 ? 0 : Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    // A statement without columns is described by a message that is not passed on.
    this.#statement.columns ??= []
  }

  handleEmptyQuery(): void {
    this.#statement.columns ??= []
  }

  handleReadyForQuery(): void {
    if (this.#fault === null) this.#answered(null, { rows: this.#rows, matched: this.#matched, command: this.#command })
    else this.#answered(this.#fault, null)
  }

  handleError(error: Error): void {
    this.#answered(error, null)
  }
}

/**
 * Makes queries acceptable to the driver, which refuses objects of other classes where statements are pipelined.
 * @param driverClass its class of queries.
 */
export function acceptQueries(driverClass: { readonly prototype: object }): void {
  Object.setPrototypeOf(PostgresQuery.prototype, driverClass.prototype)
}
