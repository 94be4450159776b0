import type { SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import type { DriverClient } from './postgres-driver.js'
import { isLostConnection, toStorageError } from './postgres-fault.js'
import { PostgresQuery, type KnownStatement, type SentStatement, type StatementResult } from './postgres-query.js'
import { boundValues } from './postgres-text.js'
import { unnamed, type ServerStatement, type Statements } from './statements.js'

/** Maximum number of statements that wait for the response of one connection. */
const maxInFlight = 2000
/** How often a connection is looked at, in milliseconds. */
const watchInterval = 500

/** A statement and its values. */
export type BoundStatement = readonly [text: string, values?: readonly SqlValue[]]

export const noResult: StatementResult = { rows: [], matched: 0, command: '' }

/** An open connection. Statements are sent at once and answered in their order. */
export class PostgresConnection {
  readonly #client: DriverClient
  readonly #statements: Statements
  readonly #watch: NodeJS.Timeout
  readonly #onLost: (connection: PostgresConnection) => void
  readonly #prepared = new Map<ServerStatement, KnownStatement>()
  #expires: number
  #inFlight = 0
  /** When the server last answered, or was asked while nothing was in flight. */
  #lastReplyAt = 0
  #state: 'open' | 'closing' | 'lost' = 'open'
  /** The largest number of statements that were sent together. */
  #maxSentTogether = 1
  /** Whether statements are gathered, which are written together once the running task has ended. */
  #isGathering = false

  /**
   * @param limits `silenceLimit`: how long the server may leave so many statements that are sent together without any response before
   *   the connection is given up, in milliseconds. The server sends nothing before it has run all of them. `lifetime`: milliseconds
   *   after which the connection is expired.
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
    this.#watch = setInterval(() => {
      if (this.#inFlight > 0 && performance.now() - this.#lastReplyAt > silenceLimit(this.#maxSentTogether))
        this.#giveUp()
    }, watchInterval).unref()
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

  /** For how long nothing has been asked, in milliseconds; 0 while a statement runs. */
  get idleTime(): number {
    return this.#inFlight === 0 ? performance.now() - this.#lastReplyAt : 0
  }

  /** Whether it is to be closed once nothing uses it. */
  get isExpired(): boolean {
    return performance.now() >= this.#expires
  }

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
   * Runs statements as one transaction in one round trip: all or none take effect. The time limit of the server is that of each.
   * What is sent behind it without waiting must not use a statement that is used here first: after a failure the server has
   * not prepared it.
   * @throws StorageError that of the one that fails. When the connection is lost, they may have taken effect. For a value that
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

  #preparedOf(statement: ServerStatement): KnownStatement {
    const prepared = this.#prepared.get(statement)
    if (prepared !== undefined) return prepared
    const added = { ...statement, columns: null }
    if (statement.name !== '') this.#prepared.set(statement, added)
    return added
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

  /** Ends the connection at once, because the server does not answer; its statements fail. */
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
