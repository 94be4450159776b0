import { ConnectionOpener } from '../server/connection-opener.js'
import { ConnectionQueue } from '../server/connection-queue.js'
import { oldConnections } from '../server/old-connections.js'
import { SilenceWatch } from '../server/silence-watch.js'
import { startUpkeep } from '../server/upkeep.js'
import { StorageError } from '../storage-error.js'
import { connect, readOnlyQuery, type Connected, type ConnectionKind, type ConnectionSettings } from './connect.js'
import type { PostgresConnection } from './postgres-connection.js'
import { codeOf, isLostConnection } from './postgres-fault.js'

export interface PoolSizes {
  readonly readers: number
  readonly writers: number
}

/**
 * The connections of one storage. All reads share the readers: statements follow each other on a reader without waiting for
 * results. A writer is used by one transaction at a time. Connections are opened when they are needed.
 */
export class PostgresConnections {
  readonly #settings: ConnectionSettings
  readonly #sizes: PoolSizes
  readonly #readers: PostgresConnection[] = []
  #openingReader: Promise<PostgresConnection> | null = null
  readonly #idleWriters: PostgresConnection[] = []
  readonly #open = new Set<PostgresConnection>()
  #writers = 0
  readonly #queue = new ConnectionQueue<PostgresConnection>()
  #losses = 0
  readonly #opener = new ConnectionOpener()
  readonly #watch: SilenceWatch<PostgresConnection>
  readonly #endUpkeep: () => void
  #token: Promise<Connected> | null = null
  /** The connection that pings the server. Its statement waits for no lock, unlike those of other connections. */
  #probe: PostgresConnection | null = null
  #closed = false

  constructor(settings: ConnectionSettings, sizes: PoolSizes) {
    this.#settings = settings
    this.#sizes = sizes
    this.#watch = new SilenceWatch(
      this.#open,
      () => this.#ping(),
      (connection) => connection.giveUp(),
    )
    this.#endUpkeep = startUpkeep(async () => {
      this.#closeOld()
      await this.#closeOldToken()
      // Without a connection nothing is checked: the next one is opened to a server that takes writes.
      if (this.#token !== null && !this.#opener.isFailing) await this.requireWritable()
    })
  }

  /** The number of connections that ended without being closed. Rows that were read before the last loss may be of another history. */
  get losses(): number {
    return this.#losses
  }

  /** Opens a connection besides those of the pool. @throws see `ConnectionOpener`. */
  async open(kind: ConnectionKind): Promise<Connected> {
    if (this.#closed) throw new StorageError('unavailable', 'The database is closed.')
    const connected = await this.#opener.open(() =>
      connect(this.#settings, kind, (connection) => this.#lost(connection)),
    )
    const { connection } = connected
    this.#open.add(connection)
    if (this.#closed) await connection.close()
    return connected
  }

  /** The reader with the fewest statements in flight. Another one is opened while all are in use. */
  reader(): PostgresConnection | Promise<PostgresConnection> {
    let best: PostgresConnection | null = null
    for (const connection of this.#readers) if (best === null || connection.inFlight < best.inFlight) best = connection
    if (best === null) return (this.#openingReader ??= this.#openReader())
    const isBusy = best.inFlight > 0 && this.#readers.length < this.#sizes.readers
    if (isBusy) this.#openFurtherReader()
    return best
  }

  /** Closes a reader that is lost, or whose prepared statements are outdated. */
  discardReader(connection: PostgresConnection): void {
    removeFrom(this.#readers, connection)
    this.#retire(connection)
  }

  /** The connection that reads the change token. It is opened again when it is lost or has expired. */
  async token(): Promise<Connected> {
    const token = this.#token
    if (token !== null) {
      const opened = await token
      const { isOpen, isExpired } = opened.connection
      if (isOpen && !isExpired) return opened
      if (this.#token === token) {
        this.#token = null
        this.#retire(opened.connection)
      }
    }
    const opening = (this.#token ??= this.open('token'))
    opening.catch(() => {
      if (this.#token === opening) this.#token = null
    })
    return opening
  }

  /**
   * Leaves a server that has become read-only, for a host of the address that takes writes.
   * @throws StorageError `read-only` when there is none.
   */
  async requireWritable(): Promise<void> {
    if (this.#settings.isReadOnly || !(await this.#isReadOnly())) return
    this.#leaveServer()
    // The new connection leads to a server that takes writes, or this throws.
    await this.token()
  }

  async #isReadOnly(): Promise<boolean> {
    const once = async (): Promise<boolean> => {
      const { connection } = await this.token()
      return (await connection.run(readOnlyQuery)).rows[0]?.[0] === 1
    }
    try {
      return await once()
    } catch (error) {
      if (!isLostConnection(error) || this.#opener.isFailing) throw error
      return once()
    }
  }

  /** Closes all connections once nothing uses them. */
  #leaveServer(): void {
    this.#opener.connectionLost()
    for (const connection of this.#open) connection.expire()
    this.#retire(...this.#readers.splice(0))
    this.#closeOld()
  }

  /** Runs work on a writer that no other work uses meanwhile. */
  withWriter<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const writer = this.#takeWriter()
    return writer instanceof Promise
      ? writer.then((connection) => this.#usedFor(work, connection))
      : this.#usedFor(work, writer)
  }

  /** Runs work on a separate connection whose statements have no time limit. */
  async withMigration<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const { connection } = await this.open('migration')
    try {
      return await work(connection)
    } finally {
      this.#retire(connection)
    }
  }

  async #usedFor<T>(work: (connection: PostgresConnection) => Promise<T>, connection: PostgresConnection): Promise<T> {
    try {
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  /** Lets running work finish, and closes all connections. */
  async close(): Promise<void> {
    this.#closed = true
    this.#watch.end()
    this.#endUpkeep()
    this.#queue.failAll(new StorageError('unavailable', 'The database is closed.'))
    await Promise.all([...this.#open].map((connection) => connection.close()))
  }

  /** Whether the server answers. */
  async #ping(): Promise<boolean> {
    try {
      if (this.#probe?.isOpen !== true || this.#probe.isExpired) {
        if (this.#probe !== null) this.#retire(this.#probe)
        this.#probe = (await this.open('token')).connection
      }
      await this.#probe.run('SELECT 1')
      return true
    } catch (error) {
      // An error that the server sends shows that it answers; an error of the connection does not.
      return !isLostConnection(error) && /^[0-9A-Z]{5}$/.test(codeOf(error))
    }
  }

  /** Opens another reader in the background. Reads use the other readers meanwhile, and when it fails. */
  #openFurtherReader(): void {
    if (this.#openingReader !== null) return
    this.#openingReader = this.#openReader()
    this.#openingReader.catch(() => undefined)
  }

  async #openReader(): Promise<PostgresConnection> {
    try {
      const { connection } = await this.open('reader')
      const expired = this.#readers.findIndex(({ isExpired }) => isExpired)
      this.#readers.push(connection)
      if (expired >= 0) this.#retire(...this.#readers.splice(expired, 1))
      return connection
    } finally {
      this.#openingReader = null
    }
  }

  #takeWriter(): PostgresConnection | Promise<PostgresConnection> {
    const idle = this.#idleWriters.pop()
    if (idle !== undefined) return idle
    if (this.#writers < this.#sizes.writers) return this.#openWriter()
    return this.#queue.wait()
  }

  async #openWriter(): Promise<PostgresConnection> {
    this.#writers += 1
    try {
      return (await this.open('writer')).connection
    } catch (error) {
      this.#writers -= 1
      // Work in the queue waits for a connection to be given back. Without an open connection none would be.
      if (this.#writers === 0) this.#queue.failAll(error)
      throw error
    }
  }

  #giveBack(connection: PostgresConnection): void {
    const isUsable = connection.isOpen && !connection.isExpired
    if (!isUsable) {
      this.#writers -= 1
      this.#retire(connection)
    }
    const next = !isUsable && this.#writers >= this.#sizes.writers ? null : this.#queue.next()
    if (next === null) {
      if (isUsable) this.#idleWriters.push(connection)
    } else if (isUsable) next.resolve(connection)
    else this.#openWriter().then(next.resolve, next.reject)
  }

  /** Closes connections that nothing uses: see `oldConnections`. The last reader and the last writer stay open. */
  #closeOld(): void {
    const { idleTimeout } = this.#settings.limits
    const freeReaders = this.#readers.filter(({ inFlight }) => inFlight === 0)
    for (const reader of oldConnections(freeReaders, idleTimeout, this.#readers.length - 1)) this.discardReader(reader)
    // A reader that is never free is replaced while it is used.
    if (this.#readers.some(({ isExpired }) => isExpired)) this.#openFurtherReader()
    for (const writer of oldConnections(this.#idleWriters, idleTimeout, this.#writers - 1)) {
      removeFrom(this.#idleWriters, writer)
      this.#writers -= 1
      this.#retire(writer)
    }
    if (this.#probe?.inFlight === 0)
      for (const probe of oldConnections([this.#probe], idleTimeout, 1)) {
        this.#probe = null
        this.#retire(probe)
      }
  }

  async #closeOldToken(): Promise<void> {
    const token = this.#token
    const opened = await token?.catch(() => null)
    if (!opened?.connection.isExpired || opened.connection.inFlight > 0 || this.#token !== token) return
    this.#token = null
    this.#retire(opened.connection)
  }

  #retire(...connections: readonly PostgresConnection[]): void {
    for (const connection of connections) {
      this.#open.delete(connection)
      connection.close().catch(() => undefined)
    }
  }

  #lost(connection: PostgresConnection): void {
    this.#losses += 1
    this.#opener.connectionLost()
    this.#open.delete(connection)
    removeFrom(this.#readers, connection)
    if (removeFrom(this.#idleWriters, connection)) this.#writers -= 1
  }
}

/** @returns whether the list had it. */
function removeFrom<T>(list: T[], entry: T): boolean {
  const index = list.indexOf(entry)
  if (index >= 0) list.splice(index, 1)
  return index >= 0
}
