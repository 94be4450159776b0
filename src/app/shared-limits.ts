import { DatabaseCounters } from '../auth/database-counters.js'
import { FailureSharingLimiter } from '../auth/failure-sharing-limiter.js'
import { ProcessAttemptRows } from '../auth/process-attempt-rows.js'
import type { SharedCounters } from '../auth/shared-counters.js'
import { RefusalCache } from '../auth/refusal-cache.js'
import type { RequestCounters } from '../auth/request-counters.js'
import { SharedLimiter } from '../auth/shared-limiter.js'
import type { OpenedStorage } from '../database/store-adapter.js'
import { logError } from '../log/log-error.js'
import type { Log } from '../log/log.js'
import type { CreateLimiter } from './authentication.js'
import { durationClock, configuredClock } from './duration-clock.js'
import type { ResolvedOptions } from './options.js'
import { isOnServer } from './stores.js'

/** Limiters whose counters several processes share. */
export interface SharedLimits {
  readonly createLimiter: CreateLimiter
  readonly requestCounters: RequestCounters
  /** Ends the connection to Redis. */
  close(): void
}

/** Whether processes on several machines count attempts together. @throws StorageError */
export const sharesLimits = (options: ResolvedOptions): boolean =>
  options.redis_url !== undefined || sharesLimitsInDatabase(options)

/** Whether the counters have tables on a server. */
function sharesLimitsInDatabase({ database, service_database, wordpressConfig }: ResolvedOptions): boolean {
  if (wordpressConfig === null) return isOnServer(database)
  // The database of a WordPress site gets no table of ours.
  return service_database !== undefined && isOnServer(service_database)
}

/**
 * The limiters of a service whose processes share their counters: in Redis, or in the database. Null when each process
 * counts for itself.
 * @param storage the one with tables of this package; null on the database of a WordPress site without another one.
 */
export async function sharedLimits(
  storage: Pick<OpenedStorage, 'attempts'> | null,
  options: ResolvedOptions,
  log: Log,
): Promise<SharedLimits | null> {
  if (!sharesLimits(options)) return null
  const { redis_url, clock } = options
  const rows = storage?.attempts ?? new ProcessAttemptRows()
  const onFailure = (err: unknown): void => logError(log, 'attempt-not-counted', { err })
  const databaseCounters = new DatabaseCounters(rows, configuredClock(clock), onFailure)
  const { counters, close } =
    redis_url === undefined
      ? { counters: databaseCounters, close: () => undefined }
      : await countersInRedis(redis_url, databaseCounters, options, log)
  return {
    createLimiter(name, onLockOut) {
      const settings = { clock: durationClock(clock), onLockOut, onFailure }
      // Programs send an application password with each request, and the check takes less time than a call of a server.
      return name === 'applicationPasswords'
        ? new FailureSharingLimiter(name, counters, settings)
        : new SharedLimiter(name, counters, settings)
    },
    requestCounters: new RefusalCache(counters, durationClock(clock)),
    close,
  }
}

/** Counters in Redis. While it does not answer, those of the database take their place. */
async function countersInRedis(
  url: string,
  databaseCounters: SharedCounters,
  { table_prefix: scope, clock }: ResolvedOptions,
  log: Log,
): Promise<{ readonly counters: SharedCounters; close(): void }> {
  const { redisClient } = await import('../auth/redis-driver.js')
  const { RedisCounters } = await import('../auth/redis-counters.js')
  const { inTime, ReplacedCounters } = await import('../auth/replaced-counters.js')
  const client = await redisClient(url)
  const redisCounters = new RedisCounters(client, scope, configuredClock(clock))
  const counters = new ReplacedCounters(redisCounters, databaseCounters, () => redisCounters.probe(), {
    onLost: (err) => logError(log, 'redis-lost', { err }),
    onReturned: () => log.info({}, 'Redis counts attempts to log in again'),
  })
  await inTime(client.connect()).catch((error: unknown) => counters.lose(error))
  return {
    counters,
    close() {
      counters.close()
      client.disconnect()
    },
  }
}
