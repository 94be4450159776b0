import { UnavailableError } from './unavailable.js'
import { StorageError, type StorageFault } from '../database/storage-error.js'

/** Seconds until another attempt may succeed, by temporary fault of the database. */
const retryAfter: Partial<Record<StorageFault, number>> = {
  busy: 1,
  unavailable: 10,
  // An administrator has to make room, or to make the file writable.
  full: 60,
  'read-only': 60,
}

/** Seconds for the header `Retry-After`; null when the error is not temporary. */
export function secondsToWait(error: unknown): number | null {
  if (error instanceof UnavailableError) return error.retryAfter
  return error instanceof StorageError ? (retryAfter[error.fault] ?? null) : null
}

/** Whether a queue was full, or the database was busy for too long. Clients can cause any number of such errors. */
export function isReachedLimit(error: unknown): error is Error {
  return error instanceof UnavailableError || (error instanceof StorageError && error.fault === 'busy')
}
