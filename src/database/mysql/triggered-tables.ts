import { isLostConnection, toStorageError } from './mysql-fault.js'
import type { TableNames } from '../sql/table-names.js'
import type { MysqlConnections } from './mysql-connections.js'

/**
 * Maximum number of times that a table is opened again within `interval` milliseconds, because a trigger may be faulty for good.
 * Under many conflicts, more than five openings were needed.
 */
const maxOpenings = 20
const interval = 10_000

/**
 * Number of times that a table is opened at once. The server opens a table separately for each statement that uses it at the same
 * time, and reads its triggers each time.
 */
const copies = 32

/** Reports in a sentence that a table was opened again, or that the server has refused it. */
export type TellOpened = (sentence: string) => void

interface Opening {
  /** By the clock of `performance.now`; infinite while it runs. */
  endedAt: number
  isRefused: boolean
  readonly isOpened: Promise<boolean>
}

/** The tables with our triggers, which it reopens when the server has marked a trigger as invalid. */
export class TriggeredTables {
  readonly #connections: MysqlConnections
  readonly #tables: readonly string[]
  readonly #tell: TellOpened
  /** The openings of the last seconds, by table. */
  readonly #openings = new Map<string, readonly Opening[]>()

  /** @param tables none on a WordPress site, whose tables are its own. */
  constructor(connections: MysqlConnections, tables: readonly string[], tell: TellOpened) {
    this.#connections = connections
    this.#tables = tables
    this.#tell = tell
  }

  /**
   * Lets the server open the table of a trigger again, and so read its triggers again. See `unreadTrigger`.
   * @param startedAt the moment at which the failed work began: an opening that ended later is shared.
   * @returns whether the table was opened, so that a statement may succeed now. A refusal holds for some seconds.
   */
  openAgain(trigger: string, startedAt: number): Promise<boolean> {
    const table = this.#tables.find((name) => trigger.startsWith(`${name}_`))
    if (table === undefined) return Promise.resolve(false)
    const now = performance.now()
    const recent = (this.#openings.get(table) ?? []).filter(({ endedAt }) => now - endedAt < interval)
    const last = recent.at(-1)
    if (last !== undefined && (last.isRefused || startedAt <= last.endedAt)) return last.isOpened
    if (recent.length >= maxOpenings) return Promise.resolve(false)
    const opening: Opening = {
      endedAt: Infinity,
      isRefused: false,
      isOpened: this.#open(table, trigger).then((isOpened) => {
        opening.endedAt = performance.now()
        opening.isRefused = !isOpened
        return isOpened
      }),
    }
    this.#openings.set(table, [...recent, opening])
    return opening.isOpened
  }

  async #open(table: string, trigger: string): Promise<boolean> {
    const statement = `FLUSH LOCAL TABLES ${table}`
    try {
      await this.#connections.writers.use((connection) => connection.run(statement))
      this.#tell(`${trigger}: the service has run ${statement}.`)
    } catch (error) {
      // The server may have opened the table before.
      if (isLostConnection(error)) return true
      const reason = toStorageError(error).message
      this.#tell(`${trigger}: ${statement} was refused (${reason}).`)
      return false
    }
    // When this fails, the next writes read the triggers, and fail again while the conflicts go on.
    await readTriggers(this.#connections, [table]).catch(() => undefined)
    return true
  }
}

/**
 * Lets the server read the triggers of tables before transactions need them: a conflict with another node of a Galera cluster ends a
 * transaction, and also the reading of triggers for it. See `unreadTrigger`.
 * @throws StorageError
 */
export async function readTriggers(connections: MysqlConnections, tables: readonly string[]): Promise<void> {
  // The server keeps the queries as prepared statements until the connection ends.
  const connection = await connections.open()
  try {
    for (const table of tables)
      await connection.run(
        Array.from({ length: copies }, () => `SELECT 1 FROM ${table} WHERE 1 = 0`).join(' UNION ALL '),
      )
  } finally {
    await connection.close()
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
