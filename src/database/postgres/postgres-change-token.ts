import type { PostgresConnections } from './postgres-connections.js'
import { isLostConnection } from './postgres-fault.js'
import { VersionsWithToken } from '../sql/versions-with-token.js'

/**
 * The change token of a primary: the visible transactions, and the history to which they belong. A snapshot alone may repeat:
 * after a crash of the server, and after the promotion of a standby that lacked the last transactions, the server uses numbers
 * of transactions again. Both end every connection, so each lost connection makes all later tokens different.
 */
export class PostgresChangeToken {
  readonly versions = new VersionsWithToken()
  readonly #connections: PostgresConnections
  readonly #versionsQuery: string

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
      return this.#readOnce()
    }
  }

  async #readOnce(): Promise<string> {
    const { connection, facts } = await this.#connections.token()
    const query = 'SELECT pg_current_snapshot()::text'
    const [read, versions = null] = this.versions.shouldBeRead
      ? await connection.runTogether([[query], [this.#versionsQuery]])
      : [await connection.run(query)]
    const token = `${facts.incarnation}/${this.#connections.losses}/${read?.rows[0]?.[0]}`
    this.versions.read(token, versions === null ? null : versions.rows)
    return token
  }
}
