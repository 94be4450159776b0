import type { ServerFacts } from './connect.js'
import type { PostgresConnection } from './postgres-connection.js'
import type { PostgresConnections } from './postgres-connections.js'
import { isLostConnection } from './postgres-fault.js'
import { VersionsWithToken } from '../sql/versions-with-token.js'

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
  readonly versions = new VersionsWithToken()
  readonly #connections: PostgresConnections
  readonly #versionsQuery: string
  #source: Promise<Source> | null = null

  /** @param versionsQuery see `SqlDialect.versions`. */
  constructor(connections: PostgresConnections, versionsQuery: string) {
    this.#connections = connections
    this.#versionsQuery = versionsQuery
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
    const query = 'SELECT pg_current_snapshot()::text'
    const [read, versions = null] = this.versions.areWanted
      ? await connection.runTogether([[query], [this.#versionsQuery]])
      : [await connection.run(query)]
    const token = `${facts.incarnation}/${this.#connections.losses}/${read?.rows[0]?.[0]}`
    this.versions.read(token, versions === null ? null : versions.rows)
    return token
  }

  async #open(): Promise<Source> {
    const source = this.#source
    if (source !== null) {
      const opened = await source
      const hasExpired = this.#connections.hasExpired(opened.connection)
      if (opened.connection.isOpen && !hasExpired) return opened
      if (this.#source === source) {
        this.#source = null
        if (hasExpired) this.#connections.retire(opened.connection)
      }
    }
    const opening = (this.#source ??= this.#connections.open('token'))
    opening.catch(() => {
      if (this.#source === opening) this.#source = null
    })
    return opening
  }
}
