import { number } from '../sql/row-values.js'
import type { StorageError } from '../storage-error.js'
import { DatabaseFiles } from './database-files.js'
import type { SqliteConnection } from './sqlite-connection.js'

/** Milliseconds between two checks of the files. */
const interval = 1000
/**
 * Milliseconds between two checks of all files before commits. Before other commits only the path of the database is checked,
 * which takes 2 µs.
 */
const commitInterval = 50

export interface WatchedDatabase {
  readonly path: string
  readonly writer: SqliteConnection
  readonly reader: SqliteConnection
  /** The table whose page differs between any two states of the data. */
  readonly contents: string
  /** Called with the reason each time a check finds that the files were replaced or overwritten. */
  readonly onReplaced: (sentence: string) => void
}

/**
 * Refuses all statements while the files of a database are not those that were opened. They are checked once a second, at each
 * `ping`, and before each commit, so that no write to a removed file is acknowledged.
 */
export class FileWatch {
  readonly #database: WatchedDatabase
  readonly #files: DatabaseFiles
  readonly #timer: NodeJS.Timeout
  #fault: StorageError | null = null
  /** By the clock of `performance.now`. */
  #checkedAt = 0

  constructor(database: WatchedDatabase) {
    this.#database = database
    this.#files = new DatabaseFiles(database.path)
    database.writer.beforeCommit(() => this.#beforeCommit())
    this.#timer = setInterval(() => void this.check().catch(() => undefined), interval).unref()
    void this.check().catch(() => undefined)
  }

  /** @throws StorageError `unavailable` when the files were replaced or overwritten. */
  async check(): Promise<void> {
    if (this.#fault === null) this.#files.setPage(await this.#page())
    this.#setFault(this.#files.fault())
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #beforeCommit(): void {
    const now = performance.now()
    if (now - this.#checkedAt < commitInterval) return this.#setFault(this.#files.pathFault())
    this.#checkedAt = now
    this.#setFault(this.#files.fault())
  }

  /** The page of the table `contents`. It is read for each check, because VACUUM moves it. */
  async #page(): Promise<number> {
    const { reader, contents } = this.#database
    return number((await reader.row('SELECT rootpage FROM sqlite_master WHERE name = ?', [contents]))?.[0]) || 1
  }

  #setFault(fault: StorageError | null): void {
    const isNew = fault !== null && this.#fault === null
    this.#fault = fault
    for (const connection of [this.#database.writer, this.#database.reader]) connection.refuse(fault)
    if (isNew) this.#database.onReplaced(fault.message)
    if (fault !== null) throw fault
  }
}
