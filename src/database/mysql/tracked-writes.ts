import { historyOfToken } from '../server/token-history.js'
import { readVersions } from '../sql/read-versions.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import type { TableNames } from '../sql/table-names.js'
import type { RowVersion } from '../storage.js'
import type { MysqlConnections } from './mysql-connections.js'
import { MysqlChangeToken } from './mysql-change-token.js'
import { numberOf } from './mysql-fault.js'
import { untrackedWrites, type ReportedWrites } from './untracked-writes.js'
import { trackedTotalQuery, trackedVersionsQuery, trackingGone, visibleTriggers } from './wordpress-tracking.js'

/** Milliseconds after which triggers that another program has dropped are noticed. */
const maxAge = 1000

/** Whether the server has no such table. */
const isWithoutTable = (error: unknown): boolean => numberOf(error) === 1146

export interface TrackedWritesOptions {
  readonly connections: MysqlConnections
  readonly tables: TableNames
  /** Called once, when writes are no longer counted. */
  readonly onGone: () => void
  readonly reported: ReportedWrites | null
}

/**
 * A database whose writes are counted by triggers that others may drop at any time. From then on its writes count as untracked
 * until the next start. `remove-tracking` deletes the row that is read with the counters before it drops a trigger.
 */
export function trackedWrites(
  database: SqlDatabase,
  { connections, tables, onGone, reported }: TrackedWritesOptions,
): SqlDatabase {
  const token = new MysqlChangeToken(connections, trackedTotalQuery(tables), null)
  const query = trackedVersionsQuery(tables)
  let isTracking = true
  let checkedAt = performance.now()
  let checking: Promise<void> | null = null
  // While the triggers count writes, other processes need no report.
  const untracked = untrackedWrites(
    database,
    reported && { count: () => reported.count(), written: () => isTracking || reported.written() },
  )
  const stopTracking = (): void => {
    if (!isTracking) return
    isTracking = false
    onGone()
  }
  const checkTriggers = async (): Promise<void> => {
    const now = performance.now()
    const { missing } = await visibleTriggers(database.reader, tables)
    checkedAt = now
    if (missing.length > 0) stopTracking()
  }
  /** Null where writes are not counted. */
  const counted = async <T>(read: () => Promise<T>): Promise<T | null> => {
    try {
      return isTracking ? await read() : null
    } catch (error) {
      if (!isWithoutTable(error)) throw error
      stopTracking()
      return null
    }
  }
  const currentToken = async (): Promise<string | null> => {
    if (performance.now() - checkedAt > maxAge) await (checking ??= checkTriggers().finally(() => (checking = null)))
    if (!isTracking) return null
    const text = await token.read()
    if (!text.endsWith(`/${trackingGone}`)) return text
    stopTracking()
    return null
  }
  return {
    ...untracked,
    changeToken: async () => (isTracking ? await counted(currentToken) : null) ?? untracked.changeToken(),
    historyOf: (value) => (typeof value === 'string' ? historyOfToken(value) : String(value)),
    async versions(): Promise<ReadonlyMap<string, RowVersion>> {
      const versions = await counted(async () => readVersions(database.reader, query))
      return versions ?? (await untracked.versions?.()) ?? new Map()
    },
  }
}
