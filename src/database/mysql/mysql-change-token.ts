import { VersionsWithToken } from '../sql/versions-with-token.js'
import type { MysqlConnections } from './mysql-connections.js'
import { isLostConnection } from './mysql-fault.js'
import { total } from './mysql-versions.js'

/**
 * The change token: the sum of the counters that triggers raise in the transaction of every write. It grows with each commit.
 * After a crash or a failover the server may be in an older state, with older sums; both end every connection, so a lost
 * connection makes all later tokens new ones. So does another connection, which may lead to another server.
 *
 * While the server answers one read, all further callers share the next one, which begins after their calls.
 */
export class MysqlChangeToken {
  readonly versions = new VersionsWithToken()
  readonly #connections: MysqlConnections
  readonly #query: string
  readonly #allQuery: string | null
  #running: Promise<string> | null = null
  #next: Promise<string> | null = null

  /**
   * @param query a query for one value that every commit changes.
   * @param allQuery a query for that value and the versions of all kinds, with their tags; null: they are not read together.
   */
  constructor(connections: MysqlConnections, query: string, allQuery: string | null) {
    this.#connections = connections
    this.#query = query
    this.#allQuery = allQuery
  }

  /** @throws StorageError when the server cannot be reached: cached data must not be used then either. */
  read(): Promise<string> {
    if (this.#running === null) return this.#start()
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    )
    return this.#next
  }

  #start(): Promise<string> {
    this.#next = null
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = null
    })
    this.#running = running
    return running
  }

  async #read(): Promise<string> {
    try {
      return await this.#readOnce()
    } catch (error) {
      if (!isLostConnection(error)) throw error
      return this.#readOnce()
    }
  }

  async #readOnce(): Promise<string> {
    return this.#connections.token.use(async (connection) => {
      const query = this.versions.shouldBeRead ? this.#allQuery : null
      const { rows } = await connection.run(query ?? this.#query)
      const sum = query === null ? rows[0]?.[0] : rows.find(([tag]) => tag === total)?.[1]
      const token = `${this.#connections.losses}/${connection.id}/${sum ?? null}`
      this.versions.read(token, query === null ? null : rows.filter(([tag]) => tag !== total))
      return token
    })
  }
}
