import { StorageError, type StorageFault } from '../storage-error.js'

/** SQLite's primary result codes by kind of failure. Every other code is `failed`. */
const faults: ReadonlyMap<number, readonly [fault: StorageFault, message: string]> = new Map([
  [5, ['busy', 'The database is locked by another process']],
  [6, ['busy', 'The database is locked']],
  [8, ['read-only', 'The database cannot be written: the file, its folder or the disk is read-only']],
  [13, ['full', 'The disk is full: nothing was stored']],
  [14, ['unavailable', 'The database file cannot be opened']],
  [19, ['constraint', 'The database refuses the value']],
  [7, ['unavailable', 'There is no memory left for the database']],
  [9, ['unavailable', 'The database was interrupted']],
  [10, ['unavailable', 'The disk cannot be read or written']],
  [11, ['unavailable', 'The database file is damaged']],
  [26, ['incompatible', 'The file is not an SQLite database']],
])

/** `node:sqlite` calls the result code `errcode`, libsql `rawCode`; extended codes keep the primary one in a byte. */
function resultCode(error: unknown): number {
  const { errcode, rawCode } = error as { readonly errcode?: unknown; readonly rawCode?: unknown }
  return Number(errcode ?? rawCode ?? 0) & 0xff
}

export const isBusy = (error: unknown): boolean => error instanceof StorageError && error.fault === 'busy'

/**
 * Whether SQLite may have rolled back the whole transaction with this error, so that each further statement would be a separate
 * transaction.
 */
export const losesTransaction = (error: unknown): boolean =>
  error instanceof StorageError && error.fault !== 'constraint' && error.fault !== 'failed'

/** The error of the driver as a StorageError. A StorageError stays unchanged. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error
  const detail = error instanceof Error ? error.message : String(error)
  const [fault, message] = faults.get(resultCode(error)) ?? ['failed', 'The database failed']
  return new StorageError(fault, `${message} (${detail}).`, { cause: error })
}
