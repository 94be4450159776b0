import { ConnectionQueue } from '../server/connection-queue.js'
import { oldConnections } from '../server/old-connections.js'
import { StorageError } from '../storage-error.js'
import type { MysqlConnection } from './mysql-connection.js'

/** Connections of one kind. Each is used for one transaction or statement at a time. They are opened when they are needed. */
export class ConnectionPool {
  readonly #open: () => Promise<MysqlConnection>
  readonly #size: number
  readonly #minOpen: number
  readonly #idle: MysqlConnection[] = []
  readonly #queue = new ConnectionQueue<MysqlConnection>()
  /** The connections that are open or being opened. */
  #count = 0
  #closed = false

  /** @param minOpen the number of connections that stay open even when nothing uses them. */
  constructor(open: () => Promise<MysqlConnection>, size: number, minOpen: number) {
    this.#open = open
    this.#size = size
    this.#minOpen = minOpen
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Runs work on a connection that no other work uses meanwhile. */
  use<T>(work: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new StorageError('unavailable', 'The database is closed.'))
    const taken = this.#take()
    return taken instanceof Promise
      ? taken.then((connection) => this.#usedFor(work, connection))
      : this.#usedFor(work, taken)
  }

  async #usedFor<T>(work: (connection: MysqlConnection) => Promise<T>, connection: MysqlConnection): Promise<T> {
    try {
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  /** Closes connections that nothing uses: see `oldConnections`. */
  closeOld(idleTimeout: number): void {
    for (const connection of oldConnections(this.#idle, idleTimeout, this.#count - this.#minOpen)) {
      this.#idle.splice(this.#idle.indexOf(connection), 1)
      this.#drop(connection)
    }
  }

  /** Refuses further work. Connections are closed by their owner. */
  close(): void {
    this.#closed = true
    this.#queue.failAll(new StorageError('unavailable', 'The database is closed.'))
  }

  #take(): MysqlConnection | Promise<MysqlConnection> {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen && !idle.isExpired) return idle
      this.#drop(idle)
    }
    if (this.#count < this.#size) return this.#openOne()
    return this.#queue.wait()
  }

  async #openOne(): Promise<MysqlConnection> {
    this.#count += 1
    try {
      return await this.#open()
    } catch (error) {
      this.#count -= 1
      // The server cannot be reached. The callers that wait for another connection fail now.
      this.#queue.failAll(error)
      throw error
    }
  }

  #giveBack(connection: MysqlConnection): void {
    const isUsable = connection.isOpen && !connection.isExpired
    if (!isUsable) this.#drop(connection)
    const next = !isUsable && this.#count >= this.#size ? null : this.#queue.next()
    if (next === null) {
      if (isUsable) this.#idle.push(connection)
    } else if (isUsable) next.resolve(connection)
    else this.#openOne().then(next.resolve, next.reject)
  }

  #drop(connection: MysqlConnection): void {
    this.#count -= 1
    void connection.close()
  }
}
