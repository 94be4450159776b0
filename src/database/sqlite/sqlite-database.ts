import type { SqlConnection } from '../sql/sql-connection.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import { withinTime } from '../sql/within-time.js'
import type { SqliteChangeToken } from './sqlite-change-token.js'
import type { SqliteOptions } from './open-sqlite.js'
import type { SqliteConnection } from './sqlite-connection.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { SqliteWriter } from './sqlite-writer.js'
import { closeUnlinked } from './held-descriptors.js'

/** Milliseconds that a running transaction may go on after `close`: its request has ended or was cut off. */
const timeToEnd = 1000

/**
 * A database client of SQLite.
 * @param connections a file is read through a second connection, which reads committed data only. A database in memory has
 *   one connection, whose reads wait while a transaction is open.
 * @param options see `SqliteOptions`.
 */
export function sqliteDatabase(
  connections: { readonly writer: SqliteConnection; readonly reader: SqliteConnection },
  {
    busyTimeout,
    transactionTimeout,
    currentClientWork,
  }: Required<Pick<SqliteOptions, 'busyTimeout' | 'transactionTimeout'>> & Pick<SqliteOptions, 'currentClientWork'>,
  changeToken: SqliteChangeToken,
): SqlDatabase {
  const { writer, reader } = connections
  const queue = new SqliteWriter(writer, busyTimeout, currentClientWork)
  const stopped = new AbortController()
  return {
    dialect: sqliteDialect,
    reader: reader === writer ? readerBetweenTransactions(writer, queue) : reader,
    write: (work) => queue.submit(work, { alone: false }),
    transaction: (work) =>
      queue.submit((connection) => withinTime(work(connection), transactionTimeout, stopped.signal), {
        alone: true,
      }),
    changeToken: () => changeToken.read(),
    async close() {
      const timer = setTimeout(() => stopped.abort(), timeToEnd)
      await queue.close()
      clearTimeout(timer)
      if (reader !== writer) reader.close()
      // The log's content goes into the file and reaches the disk, whatever `synchronous` says.
      try {
        await writer.query('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Acknowledged writes are in the log. The next process that opens the file copies them.
      }
      writer.close()
      closeUnlinked()
    },
  }
}

function readerBetweenTransactions(connection: SqliteConnection, queue: SqliteWriter): SqlConnection {
  const afterTransactions =
    <A extends readonly unknown[], T>(work: (...values: A) => T | Promise<T>) =>
    async (...values: A): Promise<T> => {
      await queue.idle()
      return work(...values)
    }
  return {
    query: afterTransactions((text, values) => connection.query(text, values)),
    row: afterTransactions((text, values) => connection.row(text, values)),
    execute: afterTransactions((text, values) => connection.execute(text, values)),
    insert: afterTransactions((text, values) => connection.insert(text, values)),
  }
}
