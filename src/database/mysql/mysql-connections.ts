import { ConnectionOpener } from '../server/connection-opener.js'
import type { SqlValue } from '../sql/sql-connection.js'
import { StorageError } from '../storage-error.js'
import { ConnectionPool } from './connection-pool.js'
import type { MysqlConnection, StatementResult } from './mysql-connection.js'
import { connect, type Connected, type ConnectionSettings } from './mysql-connect.js'
import { isLostConnection, numberOf } from './mysql-fault.js'
import type { ServerFacts } from './server-facts.js'

/** How often connections are looked at, in milliseconds. */
const watchInterval = 500
/** Milliseconds after which a statement without an answer makes the watch ask the server for a sign of life. */
const suspiciousSilence = 500
/** Milliseconds that the server may take for that sign. */
const deadSilence = 2000

export interface PoolSizes {
  readonly readers: number
  readonly writers: number
}

/** The connections of one storage: for reads, for transactions, one for the change token, and one that asks for signs of life. */
export class MysqlConnections {
  readonly readers: ConnectionPool
  readonly writers: ConnectionPool
  readonly token: ConnectionPool
  /** Its statement, a ROLLBACK of nothing, waits for no table and no other node, as one for the change token may. */
  readonly #probes: ConnectionPool
  readonly #settings: ConnectionSettings
  readonly #open = new Set<MysqlConnection>()
  readonly #watch: NodeJS.Timeout
  #losses = 0
  readonly #opener = new ConnectionOpener()
  /** The server of the open connections; null before the first, and in a Galera cluster. */
  #server: string | null = null
  #isProbing = false
  #closed = false

  constructor(settings: ConnectionSettings, sizes: PoolSizes) {
    this.#settings = settings
    const open = () => this.open()
    this.readers = new ConnectionPool(open, sizes.readers)
    this.writers = new ConnectionPool(open, sizes.writers)
    this.token = new ConnectionPool(open, 1)
    this.#probes = new ConnectionPool(open, 1)
    this.#watch = setInterval(() => this.#look(), watchInterval).unref()
  }

  /** The number of connections that ended without being closed. What was read before the last loss may be of another history. */
  get losses(): number {
    return this.#losses
  }

  /** Opens a connection besides those of the pools. @throws see `ConnectionOpener`. */
  async open(): Promise<MysqlConnection> {
    return (await this.#connect()).connection
  }

  /** Opens a connection, reads the facts of the server, and closes the connection. */
  async facts(): Promise<ServerFacts> {
    const { connection, facts } = await this.#connect()
    await connection.close()
    return facts
  }

  async #connect(): Promise<Connected> {
    if (this.#closed) throw new StorageError('unavailable', 'The database is closed.')
    const connected = await this.#opener.open(() => connect(this.#settings, (lost) => this.#lost(lost)))
    this.#leaveOtherServer(connected.facts)
    this.#open.add(connected.connection)
    if (this.#closed) await connected.connection.close()
    return connected
  }

  /**
   * A server that is left, such as a primary that has become a replica, answers from before the next write. All nodes of a Galera cluster
   * have the same rows.
   */
  #leaveOtherServer({ identity, isGalera }: ServerFacts): void {
    const server = isGalera ? null : identity
    if (this.#server !== null && server !== this.#server) for (const connection of this.#open) connection.abandon()
    this.#server = server
  }

  /** A read has no effect, so it is repeated when its connection is lost. */
  async read(text: string, values: readonly SqlValue[]): Promise<StatementResult> {
    const once = (): Promise<StatementResult> => this.readers.use((connection) => connection.run(text, values))
    try {
      return await once()
    } catch (error) {
      if (!isLostConnection(error) || this.#opener.isFailing) throw error
      return once()
    }
  }

  /** Lets running statements finish, and closes all connections. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#watch)
    for (const pool of [this.readers, this.writers, this.token, this.#probes]) pool.close()
    await Promise.all([...this.#open].map((connection) => connection.close()))
  }

  #lost(connection: MysqlConnection): void {
    this.#losses += 1
    this.#opener.connectionLost()
    this.#open.delete(connection)
  }

  /** A server that has stopped, or a network that loses everything, closes no connection. */
  #look(): void {
    for (const connection of this.#open) if (!connection.isOpen) this.#open.delete(connection)
    const silence = Math.max(0, ...[...this.#open].map((connection) => connection.silence))
    if (silence > suspiciousSilence && !this.#isProbing) void this.#probe()
    this.#abandonSilent(this.#settings.limits.statementTimeout + 5000)
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    const probe = this.#probes
      .use((connection) => connection.run('ROLLBACK'))
      .then(
        () => true,
        // An error of the server is a sign of life, that of a connection is none.
        (error: unknown) => numberOf(error) > 0,
      )
    let timer: NodeJS.Timeout | undefined
    const silent = new Promise<boolean>((resolve) => {
      // `setImmediate`: after a long task of this process, its answers wait in the sockets.
      timer = setTimeout(() => setImmediate(resolve, false), deadSilence)
    })
    const answers = await Promise.race([probe, silent])
    clearTimeout(timer)
    this.#isProbing = false
    if (!answers) this.#abandonSilent(suspiciousSilence)
  }

  #abandonSilent(limit: number): void {
    for (const connection of this.#open) if (connection.silence > limit) connection.abandon()
  }
}
