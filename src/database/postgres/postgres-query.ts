import type { SqlRow } from '../sql/sql-connection.js'
import { columnReader, type ColumnReader } from './postgres-text.js'
import type { ServerStatement } from './statements.js'

/** A connection of the driver. Each message is written into the stream. */
export interface DriverConnection {
  readonly stream: {
    destroy(error?: Error): void
    /** Holds back all writes until `uncork`. */
    cork(): void
    uncork(): void
  }
  /** The texts of the statements that are prepared, by name. The driver adds them when the server has answered. */
  readonly parsedStatements: Readonly<Record<string, string>>
  /** The texts of the statements that were sent and not answered, by name. The driver removes them. */
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { readonly text: string; readonly name: string; readonly types: readonly number[] }): void
  bind(values: { readonly portal: ''; readonly statement: string; readonly values: readonly (string | null)[] }): void
  describe(what: { readonly type: 'P'; readonly name: '' }): void
  execute(what: { readonly portal: ''; readonly rows: 0 }): void
  sync(): void
}

/** A statement of one connection, with the types of its columns. */
export interface PreparedStatement extends ServerStatement {
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

/** A statement with the values that it is sent with. */
export interface SentStatement {
  readonly statement: PreparedStatement
  readonly values: readonly (string | null)[]
}

/** Called once: with the error, or with the results of all statements. */
export type ResultsCallback = (error: Error | null, results: readonly StatementResult[]) => void

/**
 * Statements on their way through the driver, which calls the `handle` methods with the messages of the server. Several are one
 * transaction: the server commits when all have succeeded, and runs none after one that fails.
 *
 * The driver's own class sends one statement, asks for a description of its columns at each use, and builds an object of their
 * names: a tenth of the time of a request that adds a record.
 */
export class PostgresQuery {
  readonly #sent: readonly SentStatement[]
  readonly #onResults: ResultsCallback
  readonly #results: StatementResult[] = []
  #rows: SqlRow[] = []
  #fault: Error | null = null

  constructor(sent: readonly SentStatement[], onResults: ResultsCallback) {
    this.#sent = sent
    this.#onResults = onResults
  }

  /** The statement whose response comes next; undefined after the last one. */
  get #current(): PreparedStatement | undefined {
    return this.#sent[this.#results.length]?.statement
  }

  /** The name under which the driver remembers that the server has prepared the current statement. */
  get name(): string {
    return this.#current?.name ?? ''
  }

  get text(): string {
    return this.#current?.text ?? ''
  }

  /** Sends the statements. @returns an error when they cannot be sent. */
  submit(connection: DriverConnection): Error | null {
    try {
      for (const { statement, values } of this.#sent) {
        const { name, text, columns } = statement
        if (!isPrepared(name, connection)) {
          connection.parse({ text, name, types: [] })
          if (name !== '') connection.submittedNamedStatements[name] = text
        }
        connection.bind({ portal: '', statement: name, values })
        if (columns === null) connection.describe({ type: 'P', name: '' })
        connection.execute({ portal: '', rows: 0 })
      }
    } catch (error) {
      // A value is longer than a message can be. Statements of this query may be sent already, and must not take effect.
      connection.stream.destroy()
      return error as Error
    }
    connection.sync()
    return null
  }

  handleRowDescription({ fields }: { readonly fields: readonly { readonly dataTypeID: number }[] }): void {
    const statement = this.#current
    if (statement !== undefined) statement.columns = fields.map(({ dataTypeID }) => columnReader(dataTypeID))
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const columns = this.#current?.columns ?? []
    try {
      this.#rows.push(fields.map((text, index) => (text === null ? null : readerAt(columns, index)(text))))
    } catch (error) {
      this.#fault = error as Error
    }
  }

  /** @param text `INSERT 0 1`, `SELECT 10`, `COMMIT`, `CREATE TABLE`. */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const end = text.indexOf(' ')
    const matched = end < 0 ? 0 : Number(text.slice(text.lastIndexOf(' ') + 1)) || 0
    this.#completed({ rows: this.#rows, matched, command: end < 0 ? text : text.slice(0, end) })
  }

  handleEmptyQuery(): void {
    this.#completed({ rows: this.#rows, matched: 0, command: '' })
  }

  #completed(result: StatementResult): void {
    const statement = this.#current
    // The driver does not pass on the description of a statement without columns.
    if (statement !== undefined) statement.columns ??= []
    this.#results.push(result)
    this.#rows = []
  }

  handleReadyForQuery(): void {
    this.#onResults(this.#fault, this.#results)
  }

  /** Removes the statement that failed, and the later ones, which the server has skipped, from those that the driver has sent. */
  handleError(error: Error, { submittedNamedStatements }: DriverConnection): void {
    for (const { statement } of this.#sent.slice(this.#results.length)) delete submittedNamedStatements[statement.name]
    this.#onResults(error, [])
  }
}

/** @throws Error for a column that the server has not described. */
function readerAt(columns: readonly ColumnReader[], index: number): ColumnReader {
  const reader = columns[index]
  if (reader === undefined) throw new Error(`Column ${index + 1} of the response was not described.`)
  return reader
}

const isPrepared = (name: string, { parsedStatements, submittedNamedStatements }: DriverConnection): boolean =>
  name !== '' && (parsedStatements[name] !== undefined || submittedNamedStatements[name] !== undefined)

/**
 * Makes queries acceptable to the driver, which refuses objects of other classes where statements are pipelined.
 * @param driverClass its class of queries.
 */
export function acceptQueries(driverClass: { readonly prototype: object }): void {
  Object.setPrototypeOf(PostgresQuery.prototype, driverClass.prototype)
}
