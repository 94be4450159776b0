import type { SqlConnection } from './sql-database.js'

/** How the tables of one storage reach the database: directly, or inside a transaction. */
export interface SqlSession {
  readonly reader: SqlConnection
  /** Runs work so that all or none of its statements count. */
  write<T>(work: (connection: SqlConnection) => Promise<T>): Promise<T>
}

/**
 * The session of a running transaction. Writes run one after the other, each in a savepoint, so that one that fails
 * takes nothing of its neighbours with it even when they were started at the same time.
 */
export function transactionSession(connection: SqlConnection): SqlSession {
  let last: Promise<unknown> = Promise.resolve()
  return {
    reader: connection,
    write(work) {
      const run = last.then(() => inSavepoint(connection, () => work(connection)))
      last = run.catch(() => undefined)
      return run
    },
  }
}

/** Savepoints of one name nest: the innermost is meant. */
async function inSavepoint<T>(connection: SqlConnection, work: () => Promise<T>): Promise<T> {
  await connection.execute('SAVEPOINT step')
  try {
    const result = await work()
    await connection.execute('RELEASE SAVEPOINT step')
    return result
  } catch (error) {
    try {
      await connection.execute('ROLLBACK TO SAVEPOINT step')
      await connection.execute('RELEASE SAVEPOINT step')
    } catch {
      // The transaction is lost, and `error` says why.
    }
    throw error
  }
}
