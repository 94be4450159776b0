import type { ClientWork } from '../base/client-presence.js'
import type { MetaKeyOfType, Storage } from './storage.js'
import type { StoredResponseRows } from './stored-response-rows.js'
import type { AttemptRows } from './attempt-rows.js'

/** A kind of database that a service can keep its data in. Each kind has one adapter; `src/app/stores.ts` lists them. */
export interface StoreAdapter {
  /** The addresses of its databases begin with one of these and a colon. */
  readonly schemes: readonly string[]
  /**
   * The location of the data that an address names.
   * @throws StorageError `unavailable` when the address names none.
   */
  locate(address: string): StoreLocation
  /**
   * Whether an application has been started on the database: it exists, with its tables. Changes nothing.
   * @param prefix of the tables.
   * @throws StorageError
   */
  hasTables(address: string, prefix: string): Promise<boolean>
  /**
   * Copies the database into a new file, as of one moment, while other processes may use it.
   * @param file absolute path. It appears when the copy is complete.
   * @throws StorageError `constraint` when the file exists.
   */
  backUp(address: string, file: string): Promise<void>
  /**
   * Opens the database. Creates it and brings its tables up to date as the purpose allows.
   * @throws StorageError
   * @throws the reason of `waiting.signal`
   */
  open(address: string, options: StoreOptions): Promise<OpenedStorage>
}

export interface StoreLocation {
  /** Absolute path of the file with the data; null where the data are not in a file. */
  readonly file: string | null
  /** The address without a password, for messages. */
  readonly name: string
  /** Whether the data end with the process. */
  readonly isTemporary: boolean
}

/**
 * - `read`: for tools that change nothing. No file or table is created or brought up to date, and every write is refused.
 *   A temporary database is created as always.
 * - `change`: for tools that write. Missing tables are created.
 * - `start`: the start of a service, which fills a database that it creates and then calls `finishFirstStart`. Other
 *   processes that start meanwhile wait for it. A database whose first start never finished is refused.
 */
export type Purpose = 'read' | 'change' | 'start'

/** The codes of the warnings of an open database. */
export type StoreWarning =
  | 'wal-index-unusable'
  | 'database-replaced'
  | 'database-triggers-created'
  | 'database-trigger-unread'
  | 'database-waited-for'
  | 'wordpress-tracking-gone'
  | 'wordpress-tracking-incomplete'

export interface StoreOptions {
  /** The names of all tables start with it. Default `wp_`. */
  readonly prefix?: string
  /** Default `change`. */
  readonly purpose?: Purpose
  /**
   * `FULL` (default): an acknowledged write survives a loss of power. `NORMAL`: it survives the death of the process. A
   * store without such a choice ignores it.
   */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** Connections to a server. Default 10. A store in a file ignores it. */
  readonly poolSize?: number
  /** Milliseconds that a statement may take on a server. Default 30,000. A store in a file ignores it. */
  readonly statementTimeout?: number
  /** Milliseconds after which a server ends a transaction in which nothing happens. 0: no limit. Default 60,000. */
  readonly idleTransactionTimeout?: number
  /** Milliseconds without traffic after which TCP sends keep-alive probes to the server. 0: never. Default 10,000. */
  readonly keepAliveDelay?: number
  /** Milliseconds after which a connection to a server that nothing uses is closed. 0: never. Default 600,000. */
  readonly idleTimeout?: number
  /** Milliseconds after which a connection to a server is closed once nothing uses it. 0: never. Default 1,800,000. */
  readonly lifetime?: number
  /** Milliseconds to wait for a server that cannot be reached. Default 30,000 for a start, else 0. A store in a file ignores it. */
  readonly wait?: number
  readonly waiting?: Waiting
  /** The request that a write belongs to, when the write is submitted; null for none. Default: always none. */
  readonly currentClientWork?: () => ClientWork | null
  /** Called with the code of a line for the log and a sentence. Default: no call. */
  readonly onWarning?: (code: StoreWarning, sentence: string) => void
}

/** For a start that waits for the first start of another process, which fills the database and may take long. */
export interface Waiting {
  /** Called once, after a second. */
  readonly onLong?: () => void
  /** Ends the waiting, which then throws the reason of the signal. */
  readonly signal?: AbortSignal
}

/**
 * Lets the database index the records of a type by a number in their metadata, so that lists of any size can be sorted by it.
 * Keys are added and never removed.
 * @param onFill called before existing records are read for a new key, which takes a while.
 * @returns those of the keys that have no index: lists in their order read all records of the type.
 */
export type IndexMeta = (keys: readonly MetaKeyOfType[], onFill: () => void) => Promise<readonly MetaKeyOfType[]>

export type StorageOfStore = Storage & {
  readonly attempts: AttemptRows
  readonly storedResponses: StoredResponseRows
  /** Left out where lists in these orders read all records of the type. */
  readonly indexMeta?: IndexMeta
}

export type OpenedStorage = StorageOfStore & {
  /**
   * Whether this call created the database: it held no table, and no other process created the tables. False for new
   * tables beside those of another program.
   */
  readonly created: boolean
  /** Columns of posts and their metadata that store at most three bytes per character, such as `posts.post_title`. Left out: none. */
  readonly narrowColumns?: ReadonlySet<string>
  /** Ends a first start: the database is complete. Does nothing for any other start. */
  finishFirstStart(): Promise<void>
}
