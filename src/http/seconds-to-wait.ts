import { Unavailable } from './unavailable.js'
import { StorageError, type StorageFault } from '../database/storage-error.js'

/** Faults of the database that end by themselves, and after how many seconds it makes sense to try again. */
const waits: Partial<Record<StorageFault, number>> = { busy: 1, unavailable: 10 }

/** For `Retry-After`, in seconds; null when waiting does not help. */
export function secondsToWait(error: unknown): number | null {
  if (error instanceof Unavailable) return error.retryAfter
  return error instanceof StorageError ? (waits[error.fault] ?? null) : null
}
