import type { ServerFacts } from './connect.js'
import type { PostgresConnection } from './postgres-connection.js'
import type { PostgresConnections } from './postgres-connections.js'
import { isLostConnection } from './postgres-fault.js'

interface Source {
  readonly connection: PostgresConnection
  readonly facts: ServerFacts
}

/**
 * The change token of a primary: the transactions that are visible, and the history that they belong to. A snapshot alone
 * comes back: after a crash of the server, and after the promotion of a standby that lacked the last transactions, numbers of
 * transactions are given again. Both end every connection, so each lost connection makes all later tokens new ones.
 */
export class PostgresChangeToken {
  readonly #connections: PostgresConnections
  #source: Promise<Source> | null = null

  constructor(connections: PostgresConnections) {
    this.#connections = connections
  }

  /** @throws StorageError when the server cannot be reached: cached data must not be used then either. */
  async read(): Promise<string> {
    try {
      return await this.#readOnce()
    } catch (error) {
      if (!isLostConnection(error)) throw error
      this.#source = null
      return this.#readOnce()
    }
  }

  async #readOnce(): Promise<string> {
    const { connection, facts } = await this.#open()
    const { rows } = await connection.run('SELECT pg_current_snapshot()::text')
    return `${facts.incarnation}/${this.#connections.losses}/${rows[0]?.[0]}`
  }

  async #open(): Promise<Source> {
    const source = this.#source
    if (source !== null) {
      const opened = await source
      if (opened.connection.isOpen) return opened
      if (this.#source === source) this.#source = null
    }
    const opening = (this.#source ??= this.#connections.open('token'))
    opening.catch(() => {
      if (this.#source === opening) this.#source = null
    })
    return opening
  }
}
