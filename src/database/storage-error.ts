import type { ThrownErrorCode } from '../base/thrown-errors.js'

/** The kinds of failures of a database, independent of the kind of database. */
export type StorageFault =
  /** Another process has locked the database for too long. Trying again may help. */
  | 'busy'
  /** The disk is full. The failed write was rolled back. */
  | 'full'
  /** The database can be read, but not written. */
  | 'read-only'
  /** A key that must be unique exists already, or a value is not allowed. */
  | 'constraint'
  /** A newer version created the database, or it is not a database of this package. */
  | 'incompatible'
  /** The database cannot be opened or reached, or it is closed. */
  | 'unavailable'
  /** A transaction that took too long, was used after its end, or ended while a write of its own was running. */
  | 'transaction'
  /** Any other failure; see the message and `cause`. */
  | 'failed'

/** The error of a `Storage` when the database fails. `cause` is the error of the driver. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  /** Stable: `storage-busy`. */
  readonly code: `storage-${StorageFault}`

  constructor(
    readonly fault: StorageFault,
    message: string,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options)
    this.code = `storage-${fault}` satisfies ThrownErrorCode
  }
}

/** The error of a statement after the end of its transaction, or of its part of one. */
export const transactionOver = (): StorageError =>
  new StorageError('transaction', 'The transaction is over: await everything that its work starts.')

/** The error of a process whose lock, for a first start or a migration, is lost. */
export const lostLock = (): StorageError =>
  new StorageError(
    'busy',
    'This process has lost its lock: the server was out of reach, or did not respond for too long. Another process may have taken the lock, so this one goes no further. Run it again.',
  )
