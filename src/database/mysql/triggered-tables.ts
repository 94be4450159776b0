import { toStorageError } from './mysql-fault.js'
import type { TableNames } from '../sql/table-names.js'
import type { MysqlConnections } from './mysql-connections.js'

/** Milliseconds within which a table is not opened twice: a trigger may be faulty for good. */
const interval = 10_000

/** Tells in a sentence what was done for a table, or what its administrator must do. */
export type TellOpened = (sentence: string) => void

/** The tables with our triggers. */
export class TriggeredTables {
  readonly #connections: MysqlConnections
  readonly #tables: readonly string[]
  readonly #tell: TellOpened
  readonly #openings = new Map<string, { readonly begunAt: number; readonly isOpened: Promise<boolean> }>()

  /** @param tables none on a WordPress site, whose tables are its own. */
  constructor(connections: MysqlConnections, tables: readonly string[], tell: TellOpened) {
    this.#connections = connections
    this.#tables = tables
    this.#tell = tell
  }

  /**
   * Lets the server open the table of a trigger again, and so read its triggers again. See `unreadTrigger`.
   * @returns whether the table was opened within the last seconds, so that a statement may succeed now.
   */
  openAgain(trigger: string): Promise<boolean> {
    const table = this.#tables.find((name) => trigger.startsWith(`${name}_`))
    if (table === undefined) return Promise.resolve(false)
    const last = this.#openings.get(table)
    if (last !== undefined && performance.now() - last.begunAt < interval) return last.isOpened
    const isOpened = this.#open(table, trigger)
    this.#openings.set(table, { begunAt: performance.now(), isOpened })
    return isOpened
  }

  async #open(table: string, trigger: string): Promise<boolean> {
    const statement = `FLUSH LOCAL TABLES ${table}`
    try {
      await this.#connections.writers.use((connection) => connection.run(statement))
      this.#tell(`${trigger}: the service has run ${statement}.`)
      return true
    } catch (error) {
      const reason = toStorageError(error).message
      this.#tell(`${trigger}: ${statement} was refused (${reason}).`)
      return false
    }
  }
}

/** The tables that have triggers in our own schema. */
export const tablesWithTriggers = (t: TableNames): readonly string[] => [
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
