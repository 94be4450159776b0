import type { SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import type { DriverClient } from './postgres-driver.js'
import { isLostConnection, toStorageError } from './postgres-fault.js'
import { PostgresQuery, type KnownStatement, type StatementResult } from './postgres-query.js'
import { boundValues } from './postgres-text.js'
import { unnamed, type ServerStatement, type Statements } from './statements.js'

/** Maximum number of statements that wait for the answer of one connection. */
const maxInFlight = 2000
/** How often a connection is looked at, in milliseconds. */
const watchInterval = 500

/** A statement and its values. */
export type BoundStatement = readonly [text: string, values?: readonly SqlValue[]]

/** Called with the error or with the result of a statement. */
type Answered = (error: StorageError | null, result: StatementResult | null) => void

/** An open connection. Statements are sent at once and answered in their order. */
export class PostgresConnection {
  readonly #client: DriverClient
  readonly #statements: Statements
  readonly #watch: NodeJS.Timeout
  readonly #onLost: (connection: PostgresConnection) => void
  readonly #prepared = new Map<ServerStatement, KnownStatement>()
  #inFlight = 0
  /** When the server last answered, or was asked while nothing was in flight. */
  #answeredAt = 0
  #state: 'open' | 'closing' | 'lost' = 'open'
  /** Whether statements are gathered, which are written together once the running task has ended. */
  #isGathering = false

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
    return this.#send(unnamed(text), [])
  }

  /**
   * Sends statements together.
   * @param failureOf what to throw for the error of the statement with this index.
   * @returns their results, once all are answered. @throws StorageError that of the first one that fails, as soon.
   * @throws StorageError synchronously for a value that cannot be bound; then nothing was sent.
   */
  runTogether(
    statements: readonly BoundStatement[],
    failureOf = (_index: number, error: StorageError): StorageError => error,
  ): Promise<readonly StatementResult[]> {
    const bound = statements.map(([text, values = []]) => [this.#statements.of(text), boundValues(values)] as const)
    return new Promise((resolve, reject) => {
      const results: StatementResult[] = []
      let failure: StorageError | null = null
      let left = bound.length
      for (const [index, [statement, values]] of bound.entries())
        this.#submit(statement, values, (error, result) => {
          if (result !== null) results[index] = result
          if (error !== null) failure ??= failureOf(index, error)
          left -= 1
          if (left > 0) return
          if (failure === null) resolve(results)
          else reject(failure)
        })
    })
  }

  #send(statement: ServerStatement, bound: readonly (string | null)[]): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      this.#submit(statement, bound, (error, result) => {
        if (result !== null) resolve(result)
        else reject(error as StorageError)
      })
    })
  }

  #submit(statement: ServerStatement, bound: readonly (string | null)[], answered: Answered): void {
    if (this.#state === 'lost') return answered(lostError(), null)
    if (this.#inFlight >= maxInFlight)
      return answered(new StorageError('busy', 'Too many statements wait for the answer of the database.'), null)
    if (this.#inFlight === 0) this.#answeredAt = performance.now()
    this.#inFlight += 1
    this.#gather()
    const query = new PostgresQuery(this.#known(statement), bound, (error, result) => {
      this.#inFlight -= 1
      this.#answeredAt = performance.now()
      if (error === null) return answered(null, result)
      if (isLostConnection(error)) this.#giveUp()
      answered(toStorageError(error), null)
    })
    this.#client.query(query)
  }

  #known(statement: ServerStatement): KnownStatement {
    const known = this.#prepared.get(statement)
    if (known !== undefined) return known
    const unknown = { ...statement, columns: null }
    if (statement.name !== '') this.#prepared.set(statement, unknown)
    return unknown
  }

  /** What all callers of one task send is written with one call of the system. */
  #gather(): void {
    if (this.#isGathering) return
    this.#isGathering = true
    const { stream } = this.#client.connection
    stream.cork()
    process.nextTick(() => {
      this.#isGathering = false
      stream.uncork()
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
