import { ConnectionOpener } from '../server/connection-opener.js'
import { ConnectionQueue } from '../server/connection-queue.js'
import { SilenceWatch } from '../server/silence-watch.js'
import { StorageError } from '../storage-error.js'
import { connect, type ConnectionKind, type ConnectionSettings, type ServerFacts } from './connect.js'
import type { PostgresConnection } from './postgres-connection.js'
import { codeOf, isLostConnection } from './postgres-fault.js'

/** Milliseconds that a connection is used; its successor finds out whether the address leads to another server by now. */
const lifetime = 30 * 60_000

/** A connection, and when its successor is opened. */
interface Reader {
  readonly connection: PostgresConnection
  readonly expires: number
}

export interface PoolSizes {
  readonly readers: number
  readonly writers: number
}

/**
 * The connections of one storage. A reader is shared by all reads: their statements follow each other without waiting for
 * results. A writer belongs to one piece of work at a time. Connections are opened when they are needed.
 */
export class PostgresConnections {
  readonly #settings: ConnectionSettings
  readonly #sizes: PoolSizes
  readonly #readers: Reader[] = []
  #openingReader: Promise<PostgresConnection> | null = null
  readonly #idleWriters: PostgresConnection[] = []
  readonly #expiry = new WeakMap<PostgresConnection, number>()
  readonly #open = new Set<PostgresConnection>()
  #writers = 0
  readonly #queue = new ConnectionQueue<PostgresConnection>()
  #losses = 0
  readonly #opener = new ConnectionOpener()
  readonly #watch: SilenceWatch<PostgresConnection>
  /** Asks for signs of life. Its statement waits for no lock, as those of the others may. */
  #probe: PostgresConnection | null = null
  #closed = false

  constructor(settings: ConnectionSettings, sizes: PoolSizes) {
    this.#settings = settings
    this.#sizes = sizes
    this.#watch = new SilenceWatch(
      this.#open,
      () => this.#hasAnswered(),
      (connection) => connection.giveUp(),
    )
  }

  /** The number of connections that ended without being closed. What was read before the last loss may be of another history. */
  get losses(): number {
    return this.#losses
  }

  /** Opens a connection besides those of the pool. @throws see `ConnectionOpener`. */
  async open(kind: ConnectionKind): Promise<{ connection: PostgresConnection; facts: ServerFacts }> {
    if (this.#closed) throw new StorageError('unavailable', 'The database is closed.')
    const connected = await this.#opener.open(() =>
      connect(this.#settings, kind, (connection) => this.#lost(connection)),
    )
    const { connection } = connected
    this.#open.add(connection)
    this.#expiry.set(connection, performance.now() + lifetime * (0.9 + Math.random() * 0.2))
    if (this.#closed) await connection.close()
    return connected
  }

  /** The reader with the fewest statements in flight. Another one is opened while all are in use. */
  reader(): PostgresConnection | Promise<PostgresConnection> {
    let best: PostgresConnection | null = null
    for (const { connection } of this.#readers)
      if (best === null || connection.inFlight < best.inFlight) best = connection
    if (best === null) return (this.#openingReader ??= this.#openReader())
    const isBusy = best.inFlight > 0 && this.#readers.length < this.#sizes.readers
    if ((isBusy || this.#hasExpired()) && this.#openingReader === null) {
      this.#openingReader = this.#openReader()
      this.#openingReader.catch(() => undefined)
    }
    return best
  }

  /** Closes a reader that is lost, or whose prepared statements are outdated. */
  discardReader(connection: PostgresConnection): void {
    const reader = this.#readers.findIndex((each) => each.connection === connection)
    if (reader >= 0) this.#readers.splice(reader, 1)
    this.#retire(connection)
  }

  /** Runs work on a writer that no other work uses meanwhile. */
  withWriter<T>(work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
    const writer = this.#takeWriter()
    return writer instanceof Promise
      ? writer.then((connection) => this.#usedFor(work, connection))
      : this.#usedFor(work, writer)
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
    this.#queue.failAll(new StorageError('unavailable', 'The database is closed.'))
    await Promise.all([...this.#open].map((connection) => connection.close()))
  }

  /** Whether a connection has been used for so long that its successor has to find out where the address leads. */
  hasExpired(connection: PostgresConnection): boolean {
    return (this.#expiry.get(connection) ?? 0) <= performance.now()
  }

  /** Closes a connection that `open` has opened, when its statements are answered. */
  retire(connection: PostgresConnection): void {
    this.#retire(connection)
  }

  async #hasAnswered(): Promise<boolean> {
    try {
      if (this.#probe?.isOpen !== true || this.hasExpired(this.#probe)) {
        if (this.#probe !== null) this.#retire(this.#probe)
        this.#probe = (await this.open('token')).connection
      }
      await this.#probe.run('SELECT 1')
      return true
    } catch (error) {
      // An error of the server is a sign of life, that of a connection is none.
      return !isLostConnection(error) && /^[0-9A-Z]{5}$/.test(codeOf(error))
    }
  }

  async #openReader(): Promise<PostgresConnection> {
    try {
      const { connection } = await this.open('reader')
      const now = performance.now()
      const oldest = this.#readers.findIndex(({ expires }) => expires < now)
      this.#readers.push({ connection, expires: this.#expiry.get(connection) ?? now })
      if (oldest >= 0) this.#retire(...this.#readers.splice(oldest, 1).map((reader) => reader.connection))
      return connection
    } finally {
      this.#openingReader = null
    }
  }

  #hasExpired(): boolean {
    const now = performance.now()
    return this.#readers.some(({ expires }) => expires < now)
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
      // Work in the queue gets connections that are given back. Without an open connection none ever is.
      if (this.#writers === 0) this.#queue.failAll(error)
      throw error
    }
  }

  #giveBack(connection: PostgresConnection): void {
    const isUsable = connection.isOpen && (this.#expiry.get(connection) ?? 0) > performance.now()
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
    const reader = this.#readers.findIndex((each) => each.connection === connection)
    if (reader >= 0) this.#readers.splice(reader, 1)
    const idle = this.#idleWriters.indexOf(connection)
    if (idle >= 0) {
      this.#idleWriters.splice(idle, 1)
      this.#writers -= 1
    }
  }
}
