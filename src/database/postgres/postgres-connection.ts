import type { SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import type { DriverClient } from './postgres-driver.js'
import { isLostConnection, toStorageError } from './postgres-fault.js'
import { PostgresQuery, type PreparedStatement, type SentStatement, type StatementResult } from './postgres-query.js'
import { boundValues } from './postgres-text.js'
import { unnamed, type ServerStatement, type Statements } from './statements.js'

/** Maximum number of statements that wait for the response of one connection. */
const maxInFlight = 2000
/** Milliseconds between two checks of a connection. */
const watchInterval = 500

/** A statement and its values. */
export type BoundStatement = readonly [text: string, values?: readonly SqlValue[]]

export const noResult: StatementResult = { rows: [], matched: 0, command: '' }

/** An open connection. Statements are sent without waiting for earlier results, and answered in their order. */
export class PostgresConnection {
  readonly #client: DriverClient
  readonly #statements: Statements
  readonly #watch: NodeJS.Timeout
  readonly #onLost: (connection: PostgresConnection) => void
  readonly #prepared = new Map<ServerStatement, PreparedStatement>()
  #expires: number
  #inFlight = 0
  /** When the server last answered, or got a statement while nothing was in flight. */
  #lastReplyAt = 0
  #state: 'open' | 'closing' | 'lost' = 'open'
  /** The largest number of statements that were sent together. */
  #maxSentTogether = 1
  /** Whether statements are held back, in order to be written together when the running task has ended. */
  #isGathering = false

  /**
   * @param limits `silenceLimit`: milliseconds without a response after which the connection is given up, by the number of
   *   statements that are sent together: the server sends nothing before it has run all of them. `lifetime`: milliseconds after
   *   which the connection is expired.
   * @param onLost called once when the connection ends without `close`.
   */
  constructor(
    client: DriverClient,
    statements: Statements,
    { silenceLimit, lifetime }: { readonly silenceLimit: (statements: number) => number; readonly lifetime: number },
    onLost: (connection: PostgresConnection) => void,
  ) {
    this.#client = client
    this.#statements = statements
    this.#onLost = onLost
    this.#expires = performance.now() + lifetime
    client.on('error', () => this.#lost())
    client.on('end', () => this.#lost())
    const check = (): void => {
      if (this.silence > silenceLimit(this.#maxSentTogether)) this.#giveUp()
    }
    // `setImmediate`: after a long task of this process, responses wait in the sockets.
    this.#watch = setInterval(() => setImmediate(check), watchInterval).unref()
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** For how long the server has left running statements without a response, in milliseconds; 0 without one. */
  get silence(): number {
    return this.#inFlight === 0 ? 0 : performance.now() - this.#lastReplyAt
  }

  /** For how long nothing has used the connection, in milliseconds; 0 while a statement runs. */
  get idleTime(): number {
    return this.#inFlight === 0 ? performance.now() - this.#lastReplyAt : 0
  }

  /** Whether it is to be closed once nothing uses it. */
  get isExpired(): boolean {
    return performance.now() >= this.#expires
  }

  /** Lets the connection be closed once nothing uses it. */
  expire(): void {
    this.#expires = -Infinity
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
   * Runs statements as one transaction in one round trip: all or none take effect. The time limit of the server holds for each.
   * Until the promise is settled, the caller must not send a statement whose text is used here for the first time: after a
   * failure the server has not prepared it.
   * @throws StorageError of the statement that fails. When the connection is lost, they may have taken effect. For a value that
   *   cannot be bound nothing was sent.
   */
  runTogether(statements: readonly BoundStatement[]): Promise<readonly StatementResult[]> {
    return new Promise((resolve, reject) => {
      const sent = statements.map(([text, values = []]) => this.#sent(this.#statements.of(text), boundValues(values)))
      this.#submit(sent, resolve, reject)
    })
  }

  #send(statement: ServerStatement, bound: readonly (string | null)[]): Promise<StatementResult> {
    return new Promise((resolve, reject) =>
      this.#submit([this.#sent(statement, bound)], ([result = noResult]) => resolve(result), reject),
    )
  }

  #submit(
    sent: readonly SentStatement[],
    resolve: (results: readonly StatementResult[]) => void,
    reject: (error: StorageError) => void,
  ): void {
    if (this.#state === 'lost') return reject(lostError())
    if (this.#inFlight >= maxInFlight)
      return reject(new StorageError('busy', 'Too many statements wait for the response of the database.'))
    if (this.#inFlight === 0) this.#lastReplyAt = performance.now()
    this.#inFlight += 1
    this.#gather()
    this.#maxSentTogether = Math.max(this.#maxSentTogether, sent.length)
    const query = new PostgresQuery(sent, (error, results) => {
      this.#inFlight -= 1
      this.#lastReplyAt = performance.now()
      if (error === null) return resolve(results)
      if (isLostConnection(error)) this.#giveUp()
      reject(toStorageError(error))
    })
    this.#client.query(query)
  }

  #sent(statement: ServerStatement, values: readonly (string | null)[]): SentStatement {
    return { statement: this.#preparedOf(statement), values }
  }

  #preparedOf(statement: ServerStatement): PreparedStatement {
    const prepared = this.#prepared.get(statement)
    if (prepared !== undefined) return prepared
    const added = { ...statement, columns: null }
    if (statement.name !== '') this.#prepared.set(statement, added)
    return added
  }

  /** Statements that are sent in one task are written with one system call. */
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

  /** Ends the connection immediately, because its state is unknown. Its statements fail, and `onLost` is not called. */
  abandon(): void {
    if (this.#state === 'open') this.#state = 'closing'
    this.#giveUp()
  }

  /** Ends the connection immediately, because the server does not answer. Its statements fail, and `onLost` is called. */
  giveUp(): void {
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
