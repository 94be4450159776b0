import type { SqlReader, SqlRow, SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import type { DriverCallback, DriverConnection, DriverOutcome } from './mysql-driver.js'
import { isLostConnection, isOfOldPlan, toStorageError } from './mysql-fault.js'
import { boundValues, decodedRows } from './mysql-values.js'

/** The rows of a statement; how many rows it matched; the key that it generated. */
export interface StatementResult {
  readonly rows: readonly SqlRow[]
  readonly matched: number
  readonly insertId: number
  /** Whether the session has a transaction after the statement; null after a statement with rows, for which the driver has no status. */
  readonly hasTransaction: boolean | null
}

/** SERVER_STATUS_IN_TRANS of the protocol. */
const transactionFlag = 1

let count = 0

/** An open connection. It runs one statement at a time; others wait. */
export class MysqlConnection {
  /** Unique in this process. */
  readonly id = (count += 1)
  readonly #driver: DriverConnection
  readonly #onLost: (connection: MysqlConnection) => void
  #expires: number
  /** Milliseconds that the server may leave a statement without a response. Then the connection is given up. */
  readonly maxSilence: number
  #state: 'open' | 'closing' | 'lost' = 'open'
  /** When the last statement was sent or answered, by the clock of `performance.now`. */
  #lastActiveAt = 0
  /** The functions that reject the statements without a response. */
  readonly #running = new Set<(error: StorageError) => void>()

  /**
   * @param limits `lifetime`: milliseconds after which it is expired. `maxSilence`: see the property.
   * @param onLost called once when the connection ends without `close`.
   */
  constructor(
    driver: DriverConnection,
    { lifetime, maxSilence }: { readonly lifetime: number; readonly maxSilence: number },
    onLost: (connection: MysqlConnection) => void,
  ) {
    this.#driver = driver
    this.#onLost = onLost
    this.#expires = performance.now() + lifetime
    this.maxSilence = maxSilence
    driver.on('error', () => this.#lose())
    driver.on('end', () => this.#lose())
  }

  get isOpen(): boolean {
    return this.#state === 'open'
  }

  /** Whether it is to be closed once nothing uses it. */
  get isExpired(): boolean {
    return performance.now() >= this.#expires
  }

  expire(): void {
    this.#expires = -Infinity
  }

  /** For how long nothing has used the connection, in milliseconds; 0 while a statement runs. */
  get idleTime(): number {
    return this.#running.size === 0 ? performance.now() - this.#lastActiveAt : 0
  }

  /** For how long the server has left the running statement without a response, in milliseconds; 0 without one. */
  get silence(): number {
    return this.#running.size === 0 ? 0 : performance.now() - this.#lastActiveAt
  }

  /** @throws StorageError also for a value that cannot be bound; then nothing was sent. */
  run(text: string, values: readonly SqlValue[] = []): Promise<StatementResult> {
    return new Promise((resolve, reject) => {
      const bound = boundValues(values)
      this.#send(text, bound, resolve, (error) => {
        // With a space added, the driver prepares the text as a new statement.
        if (isOfOldPlan(error)) this.#send(`${text} `, bound, resolve, reject)
        else reject(error)
      })
    })
  }

  #send(
    text: string,
    values: readonly SqlValue[],
    resolve: (result: StatementResult) => void,
    reject: (error: StorageError) => void,
  ): void {
    if (this.#state === 'lost') return reject(lostConnection())
    this.#running.add(reject)
    const answered: DriverCallback = (error, result, columns) => {
      this.#running.delete(reject)
      this.#lastActiveAt = performance.now()
      if (error !== null) {
        if (isLostConnection(error)) this.#lose()
        reject(toStorageError(error))
      } else if (Array.isArray(result)) {
        // The result of a block is a list: the rows of its query, and its outcome.
        const sentRows = isBlock(text) ? (result[0] as unknown[][]) : (result as unknown[][])
        const rows = decodedRows(sentRows, isBlock(text) ? [] : (columns ?? []))
        resolve({ rows, matched: rows.length, insertId: 0, hasTransaction: null })
      } else {
        const { affectedRows = 0, insertId = 0, serverStatus = 0 } = (result ?? {}) as Partial<DriverOutcome>
        const hasTransaction = (serverStatus & transactionFlag) !== 0
        resolve({ rows: [], matched: affectedRows, insertId: Number(insertId), hasTransaction })
      }
    }
    if (this.#running.size === 1) this.#lastActiveAt = performance.now()
    if (isPrepared(text)) this.#driver.execute({ sql: text, values }, answered)
    else this.#driver.query({ sql: text }, answered)
  }

  /** Ends the connection when its statement is answered. May be called twice. */
  async close(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 1000)
      this.#driver.end(() => {
        clearTimeout(timer)
        resolve()
      })
    })
    this.#lose()
  }

  /** Ends the connection immediately. Its statement fails. */
  abandon(): void {
    this.#lose()
  }

  #lose(): void {
    if (this.#state === 'lost') return
    const isUnexpected = this.#state === 'open'
    this.#state = 'lost'
    this.#driver.destroy()
    for (const reject of this.#running) reject(lostConnection())
    this.#running.clear()
    if (isUnexpected) this.#onLost(this)
  }
}

/** Statements that define tables or end transactions are not prepared: they are used once, or have no plan. */
const isPrepared = (text: string): boolean => /^(?:SELECT|INSERT|UPDATE|DELETE|EXPLAIN|BEGIN NOT ATOMIC)\b/.test(text)

/** Several statements that the server runs as one. */
const isBlock = (text: string): boolean => text.startsWith('BEGIN NOT ATOMIC')

export const lostConnection = (): StorageError =>
  new StorageError('unavailable', 'The connection to the database is lost.', {
    cause: Object.assign(new Error('The connection is lost.'), { code: 'PROTOCOL_CONNECTION_LOST' }),
  })

/** The reads of one connection. */
export const readerOn = (connection: MysqlConnection): SqlReader => ({
  query: async (text, values = []) => (await connection.run(text, values)).rows,
  row: async (text, values = []) => (await connection.run(text, values)).rows[0] ?? null,
})
