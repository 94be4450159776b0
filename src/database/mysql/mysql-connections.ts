import { ConnectionOpener } from '../server/connection-opener.js'
import type { SqlValue } from '../sql/sql-connection.js'
import { SilenceWatch } from '../server/silence-watch.js'
import { startUpkeep } from '../server/upkeep.js'
import { StorageError } from '../storage-error.js'
import { ConnectionPool } from './connection-pool.js'
import type { MysqlConnection, StatementResult } from './mysql-connection.js'
import { connect, type Connected, type ConnectionSettings } from './mysql-connect.js'
import { isLostConnection, numberOf } from './mysql-fault.js'
import { isReadOnly, type ServerFacts } from './server-facts.js'

export interface PoolSizes {
  readonly readers: number
  readonly writers: number
}

/** The connections of one storage: for reads, for transactions, one for the change token, and one that pings the server. */
export class MysqlConnections {
  readonly readers: ConnectionPool
  readonly writers: ConnectionPool
  readonly token: ConnectionPool
  /** Runs the ping: a ROLLBACK of nothing, which waits for no table and no other node, unlike a read of the change token. */
  readonly #probes: ConnectionPool
  readonly #pools: readonly ConnectionPool[]
  readonly #settings: ConnectionSettings
  readonly #open = new Set<MysqlConnection>()
  readonly #watch: SilenceWatch<MysqlConnection>
  readonly #endUpkeep: () => void
  #losses = 0
  readonly #opener = new ConnectionOpener()
  /** The server of the open connections; null before the first, and in a Galera cluster. */
  #server: string | null = null
  #closed = false

  constructor(settings: ConnectionSettings, sizes: PoolSizes) {
    this.#settings = settings
    const open = () => this.open()
    this.readers = new ConnectionPool(open, sizes.readers, 1)
    this.writers = new ConnectionPool(open, sizes.writers, 1)
    this.token = new ConnectionPool(open, 1, 1)
    this.#probes = new ConnectionPool(open, 1, 0)
    this.#pools = [this.readers, this.writers, this.token, this.#probes]
    this.#endUpkeep = startUpkeep(async () => {
      this.#closeOld()
      // Without a connection nothing is checked: the next one is opened to a server that takes writes.
      if (!this.readers.isEmpty && !this.#opener.isFailing) await this.requireWritable()
    })
    this.#watch = new SilenceWatch(
      this.#open,
      () => this.#ping(),
      (connection) => connection.abandon(),
    )
  }

  /** The number of connections that ended without being closed. Rows that were read before the last loss may be of another history. */
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

  /** Runs work on a separate connection whose statements have no time limit. */
  async useForMigration<T>(work: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    const limits = { ...this.#settings.limits, statementTimeout: 0 }
    const { connection } = await this.#connect({ ...this.#settings, limits })
    try {
      return await work(connection)
    } finally {
      await connection.close()
    }
  }

  async #connect(settings = this.#settings): Promise<Connected> {
    if (this.#closed) throw new StorageError('unavailable', 'The database is closed.')
    const connected = await this.#opener.open(() => connect(settings, (lost) => this.#lost(lost)))
    for (const connection of this.#open) if (!connection.isOpen) this.#open.delete(connection)
    this.#leaveOtherServer(connected.facts)
    this.#open.add(connected.connection)
    if (this.#closed) await connected.connection.close()
    return connected
  }

  /**
   * Abandons the connections to an earlier server, such as a primary that has become a replica: it does not have the next writes
   * yet. In a Galera cluster they stay, because all nodes have the same rows.
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

  /**
   * Leaves a server that has become read-only, for a host of the address that takes writes.
   * @throws StorageError `read-only` when there is none.
   */
  async requireWritable(): Promise<void> {
    if (this.#settings.isReadOnly || !(await this.#isReadOnly())) return
    this.#opener.connectionLost()
    for (const connection of this.#open) connection.expire()
    this.#closeOld()
    // The new connection leads to a server that takes writes, or this throws.
    await this.#isReadOnly()
  }

  async #isReadOnly(): Promise<boolean> {
    return isReadOnly.of((await this.read(isReadOnly.query, [])).rows)
  }

  /** Lets running statements finish, and closes all connections. */
  async close(): Promise<void> {
    this.#closed = true
    this.#watch.end()
    this.#endUpkeep()
    for (const pool of this.#pools) pool.close()
    await Promise.all([...this.#open].map((connection) => connection.close()))
  }

  #closeOld(): void {
    for (const pool of this.#pools) pool.closeOld(this.#settings.limits.idleTimeout)
  }

  #lost(connection: MysqlConnection): void {
    this.#losses += 1
    this.#opener.connectionLost()
    this.#open.delete(connection)
  }

  /** Whether the server answers. */
  async #ping(): Promise<boolean> {
    try {
      await this.#probes.use((connection) => connection.run('ROLLBACK'))
      return true
    } catch (error) {
      // An error that the server sends shows that it answers; an error of the connection does not.
      return numberOf(error) > 0
    }
  }
}
