import type { SqlRow, SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import type { DriverClient, DriverResult } from './postgres-driver.js'
import { isLostConnection, toStorageError } from './postgres-fault.js'
import { boundValues } from './postgres-text.js'
import type { ServerStatement, Statements } from './statements.js'

/** Maximum number of statements that wait for the answer of one connection. */
const maxInFlight = 2000
/** How often a connection is looked at, in milliseconds. */
const watchInterval = 500

/** The rows of a statement, and how many rows it matched. */
export interface StatementResult {
  readonly rows: readonly SqlRow[]
  readonly matched: number
  /** The first word that the server answers with: `COMMIT`, `ROLLBACK`. */
  readonly command: string
}

/** An open connection. Statements are sent at once and answered in their order. */
export class PostgresConnection {
  readonly #client: DriverClient
  readonly #statements: Statements
  readonly #watch: NodeJS.Timeout
  readonly #onLost: (connection: PostgresConnection) => void
  #inFlight = 0
  /** When the server last answered, or was asked while nothing was in flight. */
  #answeredAt = 0
  #state: 'open' | 'closing' | 'lost' = 'open'

  /**
   * @param silenceLimit how long a statement may wait without any answer of the server before the connection is given up,
   *   in milliseconds.
   * @param onLost called once when the connection ends without `close`.
   */
  constructor(
    client: DriverClient,
    statements: Statements,
    silenceLimit: number,
    onLost: (connection: PostgresConnection) => void,
  ) {
    this.#client = client
    this.#statements = statements
    this.#onLost = onLost
    client.on('error', () => this.#lost())
    client.on('end', () => this.#lost())
    this.#watch = setInterval(() => {
      if (this.#inFlight > 0 && performance.now() - this.#answeredAt > silenceLimit) this.#giveUp()
    }, watchInterval).unref()
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** @throws StorageError synchronously for a value that cannot be bound; then nothing was sent. */
  run(text: string, values: readonly SqlValue[] = []): Promise<StatementResult> {
    return this.#send(this.#statements.of(text), boundValues(values))
  }

  /** Runs a statement that is not prepared under a name. It has no values. */
  runUnnamed(text: string): Promise<StatementResult> {
    return this.#send({ text, name: null }, [])
  }

  #send(statement: ServerStatement, bound: readonly (string | null)[]): Promise<StatementResult> {
    if (this.#state === 'lost') return Promise.reject(lostError())
    if (this.#inFlight >= maxInFlight)
      return Promise.reject(new StorageError('busy', 'Too many statements wait for the answer of the database.'))
    if (this.#inFlight === 0) this.#answeredAt = performance.now()
    this.#inFlight += 1
    return new Promise((resolve, reject) => {
      this.#client.query({
        text: statement.text,
        values: bound,
        rowMode: 'array',
        ...(statement.name !== null && { name: statement.name }),
        callback: (error, result) => {
          this.#inFlight -= 1
          this.#answeredAt = performance.now()
          if (error === null) return resolve(resultOf(result))
          if (isLostConnection(error)) this.#giveUp()
          reject(toStorageError(error))
        },
      })
    })
  }

  /** Ends the connection when its statements are answered. May be called twice. */
  async close(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    clearInterval(this.#watch)
    await this.#client.end().catch(() => undefined)
  }

  /** Ends the connection at once, because nothing is known of its state; its statements fail. */
  abandon(): void {
    if (this.#state === 'open') this.#state = 'closing'
    this.#giveUp()
  }

  #giveUp(): void {
    this.#lost()
    this.#client.connection.stream.destroy()
  }

  #lost(): void {
    if (this.#state === 'lost') return
    const isUnexpected = this.#state === 'open'
    this.#state = 'lost'
    clearInterval(this.#watch)
    if (isUnexpected) this.#onLost(this)
  }
}

export const lostError = (): StorageError =>
  new StorageError('unavailable', 'The connection to the database is lost.', {
    cause: Object.assign(new Error('The connection is lost.'), { code: '08006' }),
  })

const resultOf = ({ rows, rowCount, command }: DriverResult): StatementResult => ({
  rows: rows as unknown as readonly SqlRow[],
  matched: rowCount ?? 0,
  command: command ?? '',
})
