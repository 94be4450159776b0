import type { MaybePromise } from '../../base/maybe-promise.js'
import { StorageError } from '../storage-error.js'
import type { Freshness } from './row-cache.js'
import type { SqlConnection, SqlTransaction, SqlValue } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'

/** How the tables of one storage reach the database: directly, or inside a transaction. */
export interface SqlSession {
  readonly reader: SqlConnection
  /** See `SqlTransaction.locking`; '' outside a transaction. */
  readonly locking: string
  /** 0 outside a transaction, 1 in one, 2 in a nested one, and so on. */
  readonly depth: number
  /** Null inside a transaction: it reads its own writes, which are in no cached row. */
  readonly freshness: Freshness | null
  /** See `Storage.lock`. */
  lock(names: readonly string[]): MaybePromise<boolean>
  /** Runs work atomically. */
  write<T>(work: (connection: SqlTransaction) => T | Promise<T>): Promise<T>
  /** One statement, which is atomic by itself. @returns how many rows matched it. */
  execute(text: string, values: readonly SqlValue[]): MaybePromise<number>
  /** See `SqlDatabase`. Left out inside a transaction as well. */
  readonly insertUnlessFound?: SqlDatabase['insertUnlessFound']
  /** As `execute`. @returns the value of `idColumn`. */
  insert(text: string, values: readonly SqlValue[], idColumn: string): MaybePromise<number>
}

/** How the tables of a running transaction reach the database. */
export interface TransactionSession extends SqlSession {
  /** Whether a write runs or waits. */
  isWriting(): boolean
  /** @param prepare see `Storage.write`. */
  write<T>(work: (connection: SqlTransaction) => T | Promise<T>, prepare?: () => Promise<void>): Promise<T>
}

/** Each write is atomic, and durable when it resolves. */
export function databaseSession(
  { reader, writer, write, insertUnlessFound }: SqlDatabase,
  freshness: Freshness,
): SqlSession {
  return {
    reader,
    locking: '',
    depth: 0,
    freshness,
    lock: async () => {
      throw new StorageError(
        'transaction',
        'A lock is held until a transaction ends, so it can be taken in a transaction only: call records.transaction.',
      )
    },
    write,
    insertUnlessFound,
    execute: writer
      ? async (text, values) => writer.execute(text, values)
      : (text, values) => write((connection) => connection.execute(text, values)),
    insert: writer
      ? async (text, values, idColumn) => writer.insert(text, values, idColumn)
      : (text, values, idColumn) => write((connection) => connection.insert(text, values, idColumn)),
  }
}

/**
 * The session of a running transaction. Writes run one after the other, so that a failed one does not roll back others that
 * were started at the same time. Only writes of several statements have a savepoint: the database copies each page that is
 * changed under one, and a single statement rolls back by itself.
 * @param depth see `SqlSession.depth`.
 */
export function transactionSession(connection: SqlTransaction, depth = 1): TransactionSession {
  /** The end of the last running or waiting write; null without one. */
  let last: Promise<void> | null = null
  const inTurn = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const before = last
    let end = (): void => undefined
    const turn = new Promise<void>((resolve) => (end = resolve))
    last = turn
    try {
      await before
      return await work()
    } finally {
      if (last === turn) last = null
      end()
    }
  }
  const afterRunningWrites = <T>(statement: () => MaybePromise<T>): MaybePromise<T> =>
    last === null ? statement() : inTurn(statement)
  return {
    reader: connection,
    locking: connection.locking ?? '',
    depth,
    freshness: null,
    lock: (names) => afterRunningWrites(() => connection.lock([...new Set(names)].sort())),
    isWriting: () => last !== null,
    write: (work, prepare) => {
      const write = () => inSavepoint(connection, `step${depth}`, () => work(connection))
      return inTurn(() => (prepare ? prepare().then(write) : write()))
    },
    execute: (text, values) => afterRunningWrites(() => connection.execute(text, values)),
    insert: (text, values, idColumn) => afterRunningWrites(() => connection.insert(text, values, idColumn)),
  }
}

/** @param name differs from those of the savepoints around it: MySQL replaces a savepoint by one of its name. */
async function inSavepoint<T>(connection: SqlConnection, name: string, work: () => T | Promise<T>): Promise<T> {
  await connection.execute(`SAVEPOINT ${name}`)
  try {
    const result = await work()
    await connection.execute(`RELEASE SAVEPOINT ${name}`)
    return result
  } catch (error) {
    try {
      await connection.execute(`ROLLBACK TO SAVEPOINT ${name}`)
      await connection.execute(`RELEASE SAVEPOINT ${name}`)
    } catch {
      // The transaction was rolled back; `error` is the reason.
    }
    throw error
  }
}
