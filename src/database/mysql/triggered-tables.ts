import type { TableNames } from '../sql/table-names.js'
import type { MysqlConnections } from './mysql-connections.js'

/** Milliseconds within which they are not opened twice: a trigger of another program may be faulty for good. */
const interval = 10_000

/** The tables with our triggers. */
export class TriggeredTables {
  readonly #connections: MysqlConnections
  readonly #ways: readonly (readonly string[])[]
  #openedAt = -Infinity
  #opening: Promise<boolean> | null = null

  /** @param ways each is a list of statements; the next one is tried where the server refuses one. */
  constructor(connections: MysqlConnections, ways: readonly (readonly string[])[]) {
    this.#connections = connections
    this.#ways = ways
  }

  /**
   * Lets the server open them again, and so read their triggers again. See `isOfUnreadTrigger`.
   * @returns whether a statement that has failed may succeed now.
   */
  openAgain(): Promise<boolean> {
    if (this.#opening === null) {
      if (performance.now() - this.#openedAt < interval) return Promise.resolve(true)
      this.#opening = this.#open().finally(() => {
        this.#openedAt = performance.now()
        this.#opening = null
      })
    }
    return this.#opening
  }

  async #open(): Promise<boolean> {
    for (const statements of this.#ways) {
      try {
        for (const statement of statements)
          await this.#connections.writers.use((connection) => connection.run(statement))
        return true
      } catch {
        // The user lacks the right, or the connection is lost, which the next attempt shows.
      }
    }
    return false
  }
}

/** A statement that needs the right RELOAD, and has an effect on one server only. */
export const flushOf = (tables: TableNames): readonly string[] => [
  `FLUSH LOCAL TABLES ${withTriggers(tables).join(', ')}`,
]

/** Statements that need the right ALTER, for tables without a comment: they change nothing. */
export const alterationsOf = (tables: TableNames): readonly string[] =>
  withTriggers(tables).map((table) => `ALTER TABLE ${table} COMMENT = ''`)

const withTriggers = (t: TableNames): readonly string[] => [
  t.posts,
  t.postmeta,
  t.users,
  t.usermeta,
  t.terms,
  t.termmeta,
  t.term_taxonomy,
  t.term_relationships,
  t.options,
]
