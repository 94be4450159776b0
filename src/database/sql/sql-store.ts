import type { StoreAdapter, StoreOptions, Waiting } from '../store-adapter.js'
import type { HeldLock } from './first-start.js'
import type { SqlReader } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'
import type { TableNames } from './table-names.js'

/** An adapter whose databases can also be opened as tables. */
export interface SqlStoreAdapter extends StoreAdapter {
  /**
   * Opens a database as it is: tables are neither created nor brought up to date nor required.
   * @param options with the purpose `read`, no file is created, and every write is refused.
   * @throws StorageError
   */
  openTables(address: string, options: StoreOptions): Promise<SqlStore>
}

/** A property of a server with which a service does not work, and its remedy, as sentences. */
export interface ServerFault {
  readonly sentence: string
  readonly remedy: string
}

/** An open database as tables, for the commands that look after it. */
export interface SqlStore {
  /** The address without a password, for messages. */
  readonly name: string
  readonly database: SqlDatabase
  readonly tables: TableNames
  /** Sentences about settings of the server under which some writes fail. */
  readonly warnings: readonly string[]
  /** The faults that keep services from starting on the server, or from noticing writes. */
  serverFaults(): Promise<readonly ServerFault[]>
  /** A sentence that says how an administrator removes the tables. */
  readonly removal: string
  /** Waits for the initialisation lock, and takes it. */
  takeLock(waiting?: Waiting): Promise<HeldLock>
  /** Whether a process has that lock. Writes nothing. */
  isLockTaken(): Promise<boolean>
  /** Waits for the lock that a process holds while it creates or changes tables, and takes it. */
  takeMigrationLock(waiting?: Waiting): Promise<HeldLock>
  /** Runs work that reads the database as of one moment, whatever others write meanwhile. */
  readSnapshot<T>(work: (reader: SqlReader) => Promise<T>): Promise<T>
}
