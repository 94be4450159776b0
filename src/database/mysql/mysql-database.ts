import { setTimeout as sleep } from 'node:timers/promises'
import { backoffDelay, type Backoff } from '../backoff.js'
import { clientCheck } from '../sql/client-check.js'
import { historyOfToken } from '../server/token-history.js'
import type { SqlConnection, SqlTransaction, SqlValue } from '../sql/sql-connection.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import { withinTime } from '../sql/within-time.js'
import type { SqlDialect } from '../sql/sql-dialect.js'
import type { StoreOptions } from '../store-adapter.js'
import type { MysqlConnection, StatementResult } from './mysql-connection.js'
import type { MysqlConnections } from './mysql-connections.js'
import { isConflict, isLostConnection, isRefusedByNode, numberOf, unreadTrigger } from './mysql-fault.js'
import { idOf, MysqlTransaction, unknownOutcome, type Isolation } from './mysql-transaction.js'
import { requireWholeNumbers } from './mysql-values.js'
import { TriggeredTables, type TellOpened } from './triggered-tables.js'
import { SerialQueue } from './serial-queue.js'
import type { WriterLocks } from './writer-locks.js'

export interface MysqlDatabaseOptions {
  readonly locks: WriterLocks
  /** The slot of a name, the first value of a statement of `insertUnlessFound`. Left out: the server has no such statement. */
  readonly slotOf?: ((name: string) => number) | undefined
  /** See `Storage.changeToken`. */
  readonly changeToken: SqlDatabase['changeToken']
  /** See `SqlDatabase`. Left out: they are never read with the token. */
  readonly versionRowsAt?: SqlDatabase['versionRowsAt']
  /**
   * The tables with triggers of our schema, which `TriggeredTables` reopens when the server has marked a trigger as invalid.
   * Default: none.
   */
  readonly triggered?: { readonly tables: readonly string[]; readonly tell: TellOpened }
  /** Milliseconds until `transaction` gives up. */
  readonly transactionTimeout: number
  /** Milliseconds after which work that conflicts with other writers is not tried again. */
  readonly conflictTimeout: number
  /** Returns the request that a write is submitted for; null for none. */
  readonly currentClientWork: NonNullable<StoreOptions['currentClientWork']>
}

/** A database client of MariaDB or MySQL: reads from a pool, and writes in transactions that are repeated after conflicts. */
export function mysqlDatabase(
  connections: MysqlConnections,
  dialect: SqlDialect,
  {
    locks,
    slotOf,
    changeToken,
    versionRowsAt,
    triggered = { tables: [], tell: () => {} },
    transactionTimeout,
    conflictTimeout,
    currentClientWork,
  }: MysqlDatabaseOptions,
): SqlDatabase {
  const triggers = new TriggeredTables(connections, triggered.tables, triggered.tell)
  const repeat: Repeat = (attempt, inTurn) => repeated(conflictTimeout, triggers, attempt, inTurn)
  const transactions = new Transactions((work) => connections.writers.use(work), locks, repeat)
  const migrations = new Transactions((work) => connections.useForMigration(work), locks, repeat)
  const single = (text: string, values: readonly SqlValue[]): Promise<StatementResult> => {
    const requireClient = clientCheck(currentClientWork())
    const execute = () =>
      connections.writers.use((connection) => {
        requireClient()
        return singleStatement(connection, text, values)
      })
    return repeat(execute, (repetitions) => repetitions())
  }
  return {
    dialect,
    reader: readerOf(connections),
    writer: {
      async execute(text, values = []) {
        if (text.startsWith('INSERT')) requireWholeNumbers(values)
        return (await single(text, values)).matched
      },
      async insert(text, values, idColumn) {
        requireWholeNumbers(values)
        return idOf(await single(text, values), text, values, idColumn)
      },
    },
    ...(slotOf && {
      insertUnlessFound(name, text, values) {
        requireWholeNumbers(values)
        const requireClient = clientCheck(currentClientWork())
        return connections.writers.use((connection) => {
          requireClient()
          return insertedAtOnce(connection, text, [slotOf(name), ...values])
        })
      },
    }),
    write: (work) =>
      transactions.run('READ COMMITTED', clientCheck(currentClientWork()), async (inside) => work(inside)),
    migrate: (work) => migrations.run('READ COMMITTED', () => {}, work),
    transaction: (work) =>
      transactions.run('SERIALIZABLE', clientCheck(currentClientWork()), (inside) =>
        withinTime(work(inside), transactionTimeout),
      ),
    changeToken,
    ...(versionRowsAt && { versionRowsAt }),
    historyOf: historyOfToken,
    close: () => connections.close(),
  }
}

function readerOf(connections: MysqlConnections): SqlConnection {
  return {
    query: async (text, values = []) => (await connections.read(text, values)).rows,
    row: async (text, values = []) => (await connections.read(text, values)).rows[0] ?? null,
    execute: async (text, values = []) => (await connections.read(text, values)).matched,
    insert: async (text, values, idColumn) => idOf(await connections.read(text, values), text, values, idColumn),
  }
}

/** Runs attempts until one succeeds or fails for good. */
type Repeat = <T>(attempt: (isRepeated: boolean) => Promise<T>, inTurn: InTurn) => Promise<T>

/** Runs work now or later. @returns its result. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Runs work on a connection that no other work uses meanwhile. */
type UseConnection = <T>(work: (connection: MysqlConnection) => Promise<T>) => Promise<T>

/** Runs work in transactions. After a conflict with other writers the work runs again from its beginning. */
class Transactions {
  readonly #use: UseConnection
  readonly #locks: WriterLocks
  readonly #repeat: Repeat
  /**
   * Repeated work has its turn until it succeeds: of ten transactions that change one row at once, nine would fail again, and one
   * that waits behind newer work after each failure may never succeed.
   */
  readonly #queue = new SerialQueue()

  constructor(use: UseConnection, locks: WriterLocks, repeat: Repeat) {
    this.#use = use
    this.#locks = locks
    this.#repeat = repeat
  }

  run<T>(isolation: Isolation, requireClient: () => void, work: (inside: SqlTransaction) => Promise<T>): Promise<T> {
    return this.#repeat(
      (isRepeated) => this.#attempt(isolation, requireClient, work, isRepeated),
      (repetitions) => this.#queue.next(repetitions),
    )
  }

  #attempt<T>(
    isolation: Isolation,
    requireClient: () => void,
    work: (inside: SqlTransaction) => Promise<T>,
    isRepeated: boolean,
  ): Promise<T> {
    return this.#use(async (connection) => {
      requireClient()
      const transaction = new MysqlTransaction(connection, this.#locks)
      await begun(connection, transaction, isolation)
      try {
        // Repeated work of other processes waits as well. Having changed a row, this work also wins against work that has only read.
        if (isRepeated) for (const statement of this.#locks.ofRepeatedWork) await transaction.run(statement)
        const result = await work(transaction)
        await transaction.commit()
        return result
      } catch (error) {
        await transaction.rollBack()
        leaveReadOnlyServer(connection, error)
        throw error
      }
    })
  }
}

/** Begins the transaction. When the server has closed the connection meanwhile, this fails before anything was written. */
async function begun(connection: MysqlConnection, transaction: MysqlTransaction, isolation: Isolation): Promise<void> {
  try {
    await transaction.begin(isolation)
  } catch (error) {
    connection.abandon()
    throw error
  }
}

/** Milliseconds between two attempts. The longer it is, the more other writers of a cluster come first. */
const betweenAttempts: Backoff = { first: 4, max: 100 }

/**
 * Repeats an attempt after a conflict with other writers, once after the loss of the connection, and after a trigger that the server
 * has not read: the server has rolled the transaction back. A cluster refuses conflicting work at once, so its number of attempts says
 * nothing about how long it was tried: only the time is limited.
 * @param limit milliseconds after which no further attempt begins.
 * @param inTurn runs all attempts after the first.
 * @throws StorageError the last error.
 */
async function repeated<T>(
  limit: number,
  triggers: TriggeredTables,
  attempt: (isRepeated: boolean) => Promise<T>,
  inTurn: InTurn,
): Promise<T> {
  const end = performance.now() + limit
  let losses = 0
  /** @returns null when the attempt may be repeated. */
  const attempted = async (isRepeated: boolean): Promise<{ readonly value: T } | null> => {
    const startedAt = performance.now()
    try {
      return { value: await attempt(isRepeated) }
    } catch (error) {
      if (isLostConnection(error)) losses += 1
      const trigger = unreadTrigger(error)
      const isRepeatable =
        isConflict(error) ||
        (isLostConnection(error) && losses === 1) ||
        // In a cluster under many conflicts, a trigger may be left unread several times in a row.
        (trigger !== null && (await triggers.openAgain(trigger, startedAt)))
      if (!isRepeatable || performance.now() > end) throw error
      return null
    }
  }
  const first = await attempted(false)
  if (first !== null) return first.value
  return inTurn(async () => {
    for (let failures = 1; ; failures += 1) {
      await sleep(backoffDelay(failures, betweenAttempts))
      const result = await attempted(true)
      if (result !== null) return result.value
    }
  })
}

/** A statement that the server commits by itself. */
async function singleStatement(
  connection: MysqlConnection,
  text: string,
  values: readonly SqlValue[],
): Promise<StatementResult> {
  const wasOpen = connection.isOpen
  try {
    return await connection.run(text, values)
  } catch (error) {
    leaveReadOnlyServer(connection, error)
    throw wasOpen && isLostConnection(error) && !isRefusedByNode(error) ? unknownOutcome(error) : error
  }
}

/**
 * Runs a block that is a transaction by itself.
 * @returns null when nothing was inserted, or the server has refused a statement: nothing was stored.
 * @throws StorageError `unavailable` when the connection is lost meanwhile: it may have been committed.
 */
function insertedAtOnce(
  connection: MysqlConnection,
  text: string,
  values: readonly SqlValue[],
): Promise<number | null> {
  if (!connection.isOpen) return Promise.resolve(null)
  return connection.run(text, values).then(
    ({ rows }) => {
      const id = rows[0]?.[0] ?? null
      return id === null ? null : Number(id)
    },
    async (error: unknown) => {
      if (isLostConnection(error)) throw unknownOutcome(error)
      leaveReadOnlyServer(connection, error)
      // The transaction of a block that ends with an error goes on.
      await connection.run('ROLLBACK').catch(() => connection.abandon())
      return null
    },
  )
}

/** Abandons the connection to a read-only server: the address may lead to another server now, to which the next connection is opened. */
function leaveReadOnlyServer(connection: MysqlConnection, error: unknown): void {
  if ([1290, 1792, 1836].includes(numberOf(error))) connection.abandon()
}
