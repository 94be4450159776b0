import type { MaybePromise } from '../../base/maybe-promise.js'
import type { ChangeToken, RowVersion } from '../storage.js'
import type { SqlConnection, SqlRow, SqlTransaction, SqlValue } from './sql-connection.js'
import type { SqlDialect } from './sql-dialect.js'

/** The interface of a database client for `sqlStorage`. */
export interface SqlDatabase {
  readonly dialect: SqlDialect
  /** Reads committed data only, each in one statement. */
  readonly reader: SqlConnection
  /**
   * Runs short work of this package atomically. It may share a commit with other waiting work. Resolves when it is durable.
   */
  write<T>(work: (connection: SqlTransaction) => T | Promise<T>): Promise<T>
  /** As `write`, for changes of the schema: no statement has a time limit. Left out: those of `write` have none either. */
  migrate?<T>(work: (connection: SqlTransaction) => Promise<T>): Promise<T>
  /** Runs single statements, each in a separate transaction, where that is cheaper than `write`. */
  readonly writer?: Pick<SqlConnection, 'execute' | 'insert'>
  /**
   * Locks a name (see `Storage.lock`) and runs a statement of `SqlDialect.insertUnlessFound`, in a separate transaction and in
   * one round trip. Left out: the database does not support it.
   * @returns the new id; null when the transaction was rolled back or has inserted nothing.
   * @throws StorageError `unavailable` when the connection is lost before the server has answered.
   */
  insertUnlessFound?(name: string, text: string, values: readonly SqlValue[]): Promise<number | null>
  /** As `write`, for work of unknown length: it has a separate transaction and a time limit. */
  transaction<T>(work: (connection: SqlTransaction) => Promise<T>): Promise<T>
  /** See `Storage.changeToken`. */
  changeToken(): Promise<ChangeToken>
  /** See `Storage.versions`. Left out: those of a query of the dialect. */
  versions?(): MaybePromise<ReadonlyMap<string, RowVersion>>
  /**
   * The rows of `SqlDialect.versions` that were read with a change token or after it, before they were requested; null when
   * they were not. A database whose token costs a round trip thus saves a second one while writes follow each other.
   */
  versionRowsAt?(token: ChangeToken): readonly SqlRow[] | null
  /**
   * The part of a change token that stays the same while no older state of the database can have come back: on the same server,
   * without a lost connection. Left out: all tokens belong to one history.
   */
  historyOf?(token: ChangeToken): string
  close(): Promise<void>
}
