import { StorageError } from '../storage-error.js'
import type { MysqlConnection } from './mysql-connection.js'

/** Maximum number of statements that wait for a connection. */
const maxWaiting = 2000
/** Milliseconds that work waits for a connection. */
const maxWait = 5000

interface Waiting {
  readonly resolve: (connection: MysqlConnection) => void
  readonly reject: (error: unknown) => void
}

/** Connections of one kind. Each belongs to one piece of work at a time. They are opened when they are needed. */
export class ConnectionPool {
  readonly #open: () => Promise<MysqlConnection>
  readonly #size: number
  readonly #idle: MysqlConnection[] = []
  readonly #waiting = new Set<Waiting>()
  /** The connections that are open or being opened. */
  #count = 0
  #closed = false

  constructor(open: () => Promise<MysqlConnection>, size: number) {
    this.#open = open
    this.#size = size
  }

  /** Runs work on a connection that no other work uses meanwhile. */
  async use<T>(work: (connection: MysqlConnection) => Promise<T>): Promise<T> {
    const connection = await this.#take()
    try {
      return await work(connection)
    } finally {
      this.#giveBack(connection)
    }
  }

  /** Refuses further work. Connections are closed by their owner. */
  close(): void {
    this.#closed = true
    this.#failWaiting(new StorageError('unavailable', 'The database is closed.'))
  }

  #take(): MysqlConnection | Promise<MysqlConnection> {
    if (this.#closed) throw new StorageError('unavailable', 'The database is closed.')
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isOpen && !idle.isExpired) return idle
      this.#drop(idle)
    }
    if (this.#count < this.#size) return this.#openOne()
    if (this.#waiting.size >= maxWaiting)
      throw new StorageError('busy', 'Too many statements wait for a connection to the database.')
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting)
        reject(new StorageError('busy', `All connections to the database have been in use for ${maxWait} ms.`))
      }, maxWait)
      const waiting: Waiting = {
        resolve(connection) {
          clearTimeout(timer)
          resolve(connection)
        },
        reject(error) {
          clearTimeout(timer)
          reject(error as Error)
        },
      }
      this.#waiting.add(waiting)
    })
  }

  async #openOne(): Promise<MysqlConnection> {
    this.#count += 1
    try {
      return await this.#open()
    } catch (error) {
      this.#count -= 1
      // The server cannot be reached: whoever waits for another connection learns it now.
      this.#failWaiting(error)
      throw error
    }
  }

  #giveBack(connection: MysqlConnection): void {
    if (connection.isOpen && !connection.isExpired) {
      const [next] = this.#waiting
      if (next === undefined) this.#idle.push(connection)
      else this.#resolve(next, connection)
      return
    }
    this.#drop(connection)
    const [next] = this.#waiting
    if (next === undefined || this.#count >= this.#size) return
    this.#waiting.delete(next)
    this.#openOne().then(next.resolve, next.reject)
  }

  #resolve(waiting: Waiting, connection: MysqlConnection): void {
    this.#waiting.delete(waiting)
    waiting.resolve(connection)
  }

  #drop(connection: MysqlConnection): void {
    this.#count -= 1
    void connection.close()
  }

  #failWaiting(error: unknown): void {
    for (const { reject } of this.#waiting) reject(error)
    this.#waiting.clear()
  }
}
