import { number } from '../sql/row-values.js'
import type { SqliteConnection } from './sqlite-connection.js'
import { WalIndex } from './wal-index.js'

/** The interval in which the wal-index is compared with the data version of SQLite, in milliseconds. */
const checkInterval = 1000

/** The values of the last check. */
interface Check {
  /** By the clock of `performance.now`. */
  readonly at: number
  /** Read before the data version. */
  readonly changes: number
  readonly dataVersion: number
}

/**
 * The change token of an SQLite database; see `Storage.changeToken`. It is read from the wal-index, which costs about
 * 1 µs in place of 6 for a statement, once it has shown a commit of this process. A statement is used where there is no
 * wal-index (a database in memory, Windows, another journal mode), and as soon as a check finds a commit that the wal-index
 * does not show.
 */
export class SqliteChangeToken {
  readonly #reader: SqliteConnection
  readonly #statement: string
  readonly #onUnusable: (reason: string) => void
  #walIndex: WalIndex | null = null
  #check: Check | null = null
  #lastDataVersion: number | null = null
  #token = 1

  /**
   * @param reader a connection that does not write, or that of a database in memory.
   * @param onUnusable called at most once, when the wal-index was in use and is not any more.
   */
  constructor(reader: SqliteConnection, inMemory: boolean, onUnusable: (reason: string) => void) {
    this.#reader = reader
    // `total_changes` counts the changes of its own connection, the only one that a database in memory has.
    this.#statement = inMemory ? 'SELECT total_changes()' : 'PRAGMA data_version'
    this.#onUnusable = onUnusable
  }

  /**
   * Uses the wal-index from now on, if it shows a commit.
   * @param path of the database file. @param commit makes a commit that changes no data.
   */
  async useWalIndex(path: string, commit: () => Promise<void>): Promise<void> {
    // SQLite creates the wal-index with the first read of a connection.
    await this.#dataVersion()
    const walIndex = WalIndex.open(path)
    if (walIndex === null) return
    const before = walIndex.changes()
    await commit()
    if (walIndex.changes() === before || !walIndex.isCurrent()) return
    this.#walIndex = walIndex
  }

  /** @throws StorageError when statements are refused: cached data must not be used then either. */
  async read(): Promise<number> {
    this.#reader.requireUsable()
    const walIndex = this.#walIndex
    if (walIndex === null) return this.#ofStatement(await this.#dataVersion())
    const now = performance.now()
    if (this.#check === null || now - this.#check.at >= checkInterval) return this.#checked(walIndex, now)
    return this.#ofWalIndex(walIndex)
  }

  #ofWalIndex(walIndex: WalIndex): number {
    return this.#token + walIndex.changes()
  }

  #ofStatement(version: number): number {
    if (version !== this.#lastDataVersion) {
      this.#lastDataVersion = version
      this.#token += 1
    }
    return this.#token
  }

  /**
   * Compares the wal-index with the data version, and stops using the wal-index when a commit has not changed it. `FileWatch`
   * notices when the file was replaced.
   */
  async #checked(walIndex: WalIndex, now: number): Promise<number> {
    const changes = walIndex.changes()
    const before = this.#check
    const dataVersion = await this.#dataVersion()
    // A commit between the two reads of one check may be in the later one only: changes were read first then, and are last now.
    const isMissed = before !== null && before.dataVersion !== dataVersion && before.changes === walIndex.changes()
    if (isMissed) return this.#stopUsing(walIndex, 'a commit did not change it', dataVersion)
    this.#check = { at: now, changes, dataVersion }
    return this.#ofWalIndex(walIndex)
  }

  #stopUsing(walIndex: WalIndex, reason: string, dataVersion: number): number {
    // Tokens of the statement begin above all tokens of the wal-index.
    this.#token = this.#ofWalIndex(walIndex) + 1
    this.#walIndex = null
    this.#onUnusable(reason)
    return this.#ofStatement(dataVersion)
  }

  async #dataVersion(): Promise<number> {
    return number((await this.#reader.row(this.#statement))?.[0])
  }
}
