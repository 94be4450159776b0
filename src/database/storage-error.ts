import type { ThrownErrorCode } from '../base/thrown-errors.js'

/** Why a database did not do what it was asked, in words that do not depend on the database. */
export type StorageFault =
  /** Somebody else holds the database and did not let go in time; trying again may help. */
  | 'busy'
  /** No room left on the disk. Nothing of the failed write was kept. */
  | 'full'
  /** It can be read, but not written: a file without the right to, or a copy. */
  | 'read-only'
  /** A key that must be unique exists already, or a value is not allowed. */
  | 'constraint'
  /** The database was made by a newer version, or is not one of ours. */
  | 'incompatible'
  /** It cannot be opened or reached, or is closed. */
  | 'unavailable'
  /** A transaction that took too long, or was used after its end. */
  | 'transaction'
  /** Anything else; the message and `cause` say what. */
  | 'failed'

/** What every call of a `Storage` rejects with when the database fails. `cause` is the driver's own error. */
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
