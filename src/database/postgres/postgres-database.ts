import { setTimeout as sleep } from 'node:timers/promises'
import { backoffDelay } from '../backoff.js'
import { clientCheck } from '../sql/client-check.js'
import type { SqlConnection, SqlRow, SqlTransaction, SqlValue } from '../sql/sql-connection.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import { withinTime } from '../sql/within-time.js'
import type { SqlDialect } from '../sql/sql-dialect.js'
import type { StoreOptions } from '../store-adapter.js'
import { lockKey } from './lock-key.js'
import { historyOfToken } from '../server/token-history.js'
import { PostgresChangeToken } from './postgres-change-token.js'
import type { PostgresConnection } from './postgres-connection.js'
import type { StatementResult } from './postgres-query.js'
import type { PostgresConnections } from './postgres-connections.js'
import { isConflict, isDeadlock, isLostConnection, isOfOldPlan, unknownOutcome } from './postgres-fault.js'
import { requireWholeNumbers } from './postgres-text.js'
import { PostgresTransaction, type TransactionMode } from './postgres-transaction.js'

/** Maximum number of attempts at work that conflicts with other writers. */
const maxAttempts = 10
/** Milliseconds that a write waits for a row: longer than the server takes to look for a deadlock, which is a second. */
const rowTimeout = 1500
/** The same for a write that excludes all others. */
const rowTimeoutAlone = 250
/** The name of the lock that writes share. After conflicts, a write holds it exclusively. */
const queueOfWrites = 'writes'

export interface PostgresDatabaseOptions {
  /** Milliseconds until `transaction` gives up. */
  readonly transactionTimeout: number
  /** Milliseconds after which work that conflicts with other writers is not tried again. */
  readonly conflictTimeout: number
  /** Prefix of the names of locks, so that other schemas and table prefixes of the same database have separate locks. */
  readonly lockScope: string
  /** See `SqlDialect.versions`. */
  readonly versionsQuery: string
  /** Returns the request that a write is submitted for; null for none. */
  readonly currentClientWork: NonNullable<StoreOptions['currentClientWork']>
}

/** A database client of PostgreSQL: reads on shared connections, and writes in transactions that are repeated after conflicts. */
export function postgresDatabase(
  connections: PostgresConnections,
  dialect: SqlDialect,
  { transactionTimeout, conflictTimeout, lockScope, versionsQuery, currentClientWork }: PostgresDatabaseOptions,
): SqlDatabase {
  const token = new PostgresChangeToken(connections, versionsQuery)
  const writesKey = String(lockKey(`${lockScope} ${queueOfWrites}`))
  const single = (text: string, values: readonly SqlValue[]): Promise<StatementResult> => {
    if (text.startsWith('INSERT')) requireWholeNumbers(values)
    const requireClient = clientCheck(currentClientWork())
    return repeated(conflictTimeout, () =>
      connections.withWriter((connection) => {
        requireClient()
        return singleStatement(connection, text, values)
      }),
    )
  }
  const inTransaction = <T>(
    modeOf: ModeOf,
    work: (connection: SqlTransaction) => Promise<T>,
    use: PostgresConnections['withWriter'] = (attempt) => connections.withWriter(attempt),
  ): Promise<T> => {
    const requireClient = clientCheck(currentClientWork())
    const names = new Set<string>()
    let hasSavepoints = false
    let earlier: EarlierAttempts = { conflicts: 0, isDeadlocked: false }
    return repeated(conflictTimeout, () =>
      use(async (connection) => {
        requireClient()
        const mode = modeOf(earlier)
        const transaction = new PostgresTransaction(connection, {
          ...mode,
          scope: lockScope,
          names,
          hasSavepoints: mode.hasSavepoints || hasSavepoints,
        })
        const attempt = await attempted(connection, transaction, work)
        hasSavepoints ||= transaction.needsSavepoints
        if ('error' in attempt && isConflict(attempt.error))
          earlier = { conflicts: earlier.conflicts + 1, isDeadlocked: isDeadlock(attempt.error) }
        return attempt
      }),
    )
  }
  return {
    dialect,
    reader: readerOf(connections),
    writer: {
      execute: async (text, values = []) => (await single(text, values)).matched,
      insert: async (text, values, idColumn) =>
        Number((await single(`${text} RETURNING ${idColumn}`, values)).rows[0]?.[0]),
    },
    insertUnlessFound(name, text, values) {
      requireWholeNumbers(values)
      const requireClient = clientCheck(currentClientWork())
      const keys = [writesKey, String(lockKey(`${lockScope} ${name}`))]
      return connections.withWriter((connection) => {
        requireClient()
        return insertedAtOnce(connection, keys, text, values)
      })
    },
    write: (work) => inTransaction(modeOfWrite, async (connection) => work(connection)),
    migrate: (work) => inTransaction(modeOfWrite, work, (attempt) => connections.withMigration(attempt)),
    transaction: (work) =>
      inTransaction(modeOfTransaction, (connection) => withinTime(work(connection), transactionTimeout)),
    changeToken: () => token.read(),
    versionRowsAt: (at) => token.versions.at(at),
    historyOf: historyOfToken,
    close: () => connections.close(),
  }
}

/** The outcome of the earlier attempts at the work. */
interface EarlierAttempts {
  /** The number of conflicts with other writers. */
  readonly conflicts: number
  /** Whether the last conflict was a deadlock, which may form again. */
  readonly isDeadlocked: boolean
}

type ModeOf = (earlier: EarlierAttempts) => Omit<TransactionMode, 'scope' | 'names'>

/**
 * Writes lock what they depend on, so `READ COMMITTED` is enough: of 8 writers at once, each takes half the time of the
 * server that it takes with `SERIALIZABLE`, and none is refused because another one has read the same page of an index.
 *
 * When the lock of a name is taken, the work runs again with that name locked from the beginning. The cause of any other
 * conflict is unknown, so after a second conflict the work waits until no other write of any process is running, and excludes
 * later ones. It then waits for a row only briefly: another program that holds the row must not stop all writes.
 */
const modeOfWrite: ModeOf = ({ conflicts, isDeadlocked }) => {
  const isAlone = isDeadlocked || conflicts > 1
  return {
    isolation: 'READ COMMITTED',
    queue: { name: queueOfWrites, isExclusive: isAlone },
    rowTimeout: isAlone ? rowTimeoutAlone : rowTimeout,
    waitsForNames: isAlone,
    hasSavepoints: false,
  }
}

/**
 * Work of unknown length excludes no writes: when it runs again, it excludes only other such work. It may have effects outside
 * of the database, so a statement that fails is no reason to run it again.
 */
const modeOfTransaction: ModeOf = ({ conflicts }) => ({
  isolation: 'SERIALIZABLE',
  queue: conflicts > 0 ? { name: 'transactions', isExclusive: true } : null,
  rowTimeout: null,
  waitsForNames: conflicts > 1,
  hasSavepoints: true,
})

/** Reads have no effect, so one is repeated when its connection is lost or its plan is outdated. */
function readerOf(connections: PostgresConnections): SqlConnection {
  const run = async (text: string, values: readonly SqlValue[]): Promise<StatementResult> => {
    const reader = connections.reader()
    const connection = reader instanceof Promise ? await reader : reader
    try {
      return await connection.run(text, values)
    } catch (error) {
      if (!isLostConnection(error) && !isOfOldPlan(error)) throw error
      connections.discardReader(connection)
      return (await connections.reader()).run(text, values)
    }
  }
  return {
    query: async (text, values = []) => (await run(text, values)).rows,
    row: async (text, values = []): Promise<SqlRow | null> => (await run(text, values)).rows[0] ?? null,
    execute: async (text, values = []) => (await run(text, values)).matched,
    insert: async (text, values, idColumn) => Number((await run(`${text} RETURNING ${idColumn}`, values)).rows[0]?.[0]),
  }
}

/** The result of an attempt, or the error after which another one may succeed. */
type Attempt<T> = { readonly value: T } | { readonly error: unknown }

/**
 * Tries until an attempt succeeds or fails for good. After a lost connection there is only one further attempt: the statement
 * itself may crash the server.
 * @param limit milliseconds after which no further attempt begins.
 * @throws StorageError `busy` when every attempt conflicted with other writers.
 */
async function repeated<T>(limit: number, attempt: () => Promise<Attempt<T>>): Promise<T> {
  const end = performance.now() + limit
  let losses = 0
  for (let number = 1; ; number += 1) {
    const result = await attempt()
    if ('value' in result) return result.value
    const { error } = result
    if (isLostConnection(error) && (losses += 1) > 1) throw error
    if (number >= maxAttempts || performance.now() > end) throw error
    if (number > 1) await sleep(backoffDelay(number - 1, { first: 4, max: 500 }))
  }
}

/** Runs the work in a transaction. Work whose connection is lost before its commit has changed nothing. */
async function attempted<T>(
  connection: PostgresConnection,
  transaction: PostgresTransaction,
  work: (connection: SqlTransaction) => Promise<T>,
): Promise<Attempt<T>> {
  let workError: unknown = null
  try {
    const value = await work(transaction).catch((error: unknown) => {
      workError = error
      throw error
    })
    await transaction.commit()
    return { value }
  } catch (error) {
    await transaction.rollBack()
    const reason = transaction.failure ?? error
    if (isOfOldPlan(reason)) connection.abandon()
    if (isConflict(reason) || isLostConnection(reason) || isOfOldPlan(reason)) return { error: reason }
    // Another attempt helps only when the work has caught the error of the statement. Otherwise it would fail again.
    if (transaction.needsSavepoints && (transaction.hasGoneOn || workError !== reason)) return { error }
    throw error
  }
}

/** Runs a statement that is a transaction by itself. */
async function singleStatement(
  connection: PostgresConnection,
  text: string,
  values: readonly SqlValue[],
): Promise<Attempt<StatementResult>> {
  const wasOpen = connection.isOpen
  try {
    return { value: await connection.run(text, values) }
  } catch (error) {
    if (isOfOldPlan(error)) connection.abandon()
    if (isLostConnection(error) && wasOpen) throw unknownOutcome(error)
    if (isConflict(error) || isLostConnection(error) || isOfOldPlan(error)) return { error }
    throw error
  }
}

/** Takes the shared lock of writes and the lock of one name, and sets the time limit for rows, as `modeOfWrite` does. */
const locksAtOnce = `SELECT pg_advisory_xact_lock_shared(?::bigint), pg_advisory_xact_lock(?::bigint),
  set_config('lock_timeout', '${rowTimeout}', true)`

/**
 * Runs a transaction in one round trip. Its second statement begins when the locks are held, so it sees what their previous
 * holders have committed.
 * @returns the id; null when the server has rolled back, or nothing was inserted.
 * @throws StorageError `unavailable` when the connection is lost meanwhile: it may have been committed.
 */
function insertedAtOnce(
  connection: PostgresConnection,
  keys: readonly string[],
  text: string,
  values: readonly SqlValue[],
): Promise<number | null> {
  if (!connection.isOpen) return Promise.resolve(null)
  const statements = [[locksAtOnce, keys] as const, [text, values] as const]
  return connection.runTogether(statements).then(
    ([, inserted]) => {
      const id = inserted?.rows[0]?.[0]
      return id === undefined ? null : Number(id)
    },
    (error: unknown) => {
      if (isLostConnection(error)) throw unknownOutcome(error)
      if (isOfOldPlan(error)) connection.abandon()
      return null
    },
  )
}
