import { setTimeout as sleep } from 'node:timers/promises'
import { backoffDelay } from '../server/backoff.js'
import type { SqlConnection, SqlRow, SqlTransaction, SqlValue } from '../sql/sql-connection.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import { withinTime } from '../sql/within-time.js'
import type { SqlDialect } from '../sql/sql-dialect.js'
import { historyOfToken } from '../server/token-history.js'
import { PostgresChangeToken } from './postgres-change-token.js'
import type { PostgresConnection, StatementResult } from './postgres-connection.js'
import type { PostgresConnections } from './postgres-connections.js'
import { isConflict, isLostConnection, isOfOldPlan, unknownOutcome } from './postgres-fault.js'
import { requireWholeNumbers } from './postgres-text.js'
import { PostgresTransaction } from './postgres-transaction.js'

/** How often work is tried that other writers are in the way of. */
const maxAttempts = 10
/** From this attempt on, such work of all processes runs one after the other. */
const firstQueuedAttempt = 3
/** Milliseconds after which no further attempt begins. */
const maxConflictTime = 10_000

export interface PostgresDatabaseOptions {
  /** Milliseconds until `transaction` gives up. */
  readonly transactionTimeout: number
  /** Other schemas and prefixes of the same database have locks of their own. */
  readonly lockScope: string
}

export function postgresDatabase(
  connections: PostgresConnections,
  dialect: SqlDialect,
  { transactionTimeout, lockScope }: PostgresDatabaseOptions,
): SqlDatabase {
  const token = new PostgresChangeToken(connections)
  const single = (text: string, values: readonly SqlValue[]): Promise<StatementResult> => {
    if (text.startsWith('INSERT')) requireWholeNumbers(values)
    return repeated(() => connections.withWriter((connection) => singleStatement(connection, text, values)))
  }
  const inTransaction = <T>(work: (connection: SqlTransaction) => Promise<T>): Promise<T> =>
    repeated((attempt) =>
      connections.withWriter((connection) => attempted(connection, lockScope, work, attempt >= firstQueuedAttempt)),
    )
  return {
    dialect,
    reader: readerOf(connections),
    writer: {
      execute: async (text, values = []) => (await single(text, values)).matched,
      insert: async (text, values, idColumn) =>
        Number((await single(`${text} RETURNING ${idColumn}`, values)).rows[0]?.[0]),
    },
    write: (work) => inTransaction(async (connection) => work(connection)),
    transaction: (work) => inTransaction((connection) => withinTime(work(connection), transactionTimeout)),
    changeToken: () => token.read(),
    historyOf: historyOfToken,
    close: () => connections.close(),
  }
}

/** Reads have no effect, so one is repeated when its connection is lost or its plan is outdated. */
function readerOf(connections: PostgresConnections): SqlConnection {
  const run = async (text: string, values: readonly SqlValue[]): Promise<StatementResult> => {
    const reader = connections.reader()
    const connection = reader instanceof Promise ? await reader : reader
    try {
      return await connection.run(text, values)
    } catch (error) {
      if (!isLostConnection(error) && !isOfOldPlan(error)) throw error
      if (isOfOldPlan(error)) connections.discardReader(connection)
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
 * Tries until an attempt succeeds or fails for good. A lost connection is no reason for more than one further attempt: the
 * statement itself may end the server.
 * @throws StorageError `busy` when other writers were in the way of every attempt.
 */
async function repeated<T>(attempt: (number: number) => Promise<Attempt<T>>): Promise<T> {
  const end = performance.now() + maxConflictTime
  let losses = 0
  for (let number = 1; ; number += 1) {
    const result = await attempt(number)
    if ('value' in result) return result.value
    const { error } = result
    if (isLostConnection(error) && (losses += 1) > 1) throw error
    if (number >= maxAttempts || performance.now() > end) throw error
    if (number > 1) await sleep(backoffDelay(number - 1, { first: 4, longest: 100 }))
  }
}

/** Runs the work in a transaction. Work whose connection is lost before its commit has changed nothing. */
async function attempted<T>(
  connection: PostgresConnection,
  lockScope: string,
  work: (connection: SqlTransaction) => Promise<T>,
  isQueued: boolean,
): Promise<Attempt<T>> {
  const transaction = new PostgresTransaction(connection, lockScope)
  try {
    if (isQueued) await transaction.lock(['conflicting work'])
    const value = await work(transaction)
    await transaction.commit()
    return { value }
  } catch (error) {
    await transaction.rollBack()
    const reason = transaction.failure ?? error
    if (isOfOldPlan(reason)) connection.abandon()
    if (isConflict(reason) || isLostConnection(reason) || isOfOldPlan(reason)) return { error: reason }
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
