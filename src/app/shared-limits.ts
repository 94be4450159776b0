import { DatabaseCounters } from '../auth/database-counters.js'
import { FailureSharingLimiter } from '../auth/failure-sharing-limiter.js'
import { SharedLimiter } from '../auth/shared-limiter.js'
import type { OpenedStorage } from '../database/store-adapter.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import type { CreateLimiter } from './authentication.js'
import { durationClock } from './duration-clock.js'
import type { ResolvedOptions } from './options.js'
import { isOnServer } from './stores.js'

/**
 * Limiters that count the attempts at all processes of a database; null for one that a single machine uses, and for that of a
 * WordPress site, where there is no table for the counters.
 */
export function sharedLimits(storage: OpenedStorage, options: ResolvedOptions, log: Log): CreateLimiter | null {
  const { database, clock, wordpressConfig } = options
  if (!isOnServer(database) || wordpressConfig !== null) return null
  const onFailure = (err: unknown): void => logError(log, 'attempt-not-counted', { err })
  const counters = new DatabaseCounters(storage.attempts, clock === Date.now ? null : clock, onFailure)
  return (name, onLockOut) => {
    const how = { clock: durationClock(clock), onLockOut, onFailure }
    // Programs send an application password with each request, and the check takes less time than a question to the database.
    return name === 'applicationPasswords'
      ? new FailureSharingLimiter(name, counters, how)
      : new SharedLimiter(name, counters, how)
  }
}
