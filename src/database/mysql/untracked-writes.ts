import type { SqlDatabase } from '../sql/sql-database.js'

/** Writes of other programs and processes that are reported, because the database does not count them. */
export interface ReportedWrites {
  /** The number of reports so far. Each invalidates everything that was cached before. */
  count(): number
  /** Called after each write of this process, for the others. */
  written(): void
}

/**
 * A database that other programs change without a trace, so that no token can show that nothing was written. So each token is
 * different, and rows that were read for one are not used for another. Writes of this process invalidate everything that it has
 * cached; writes of others are seen when rows are read again, or when they are reported.
 */
export function untrackedWrites(database: SqlDatabase, reported: ReportedWrites | null = null): SqlDatabase {
  let tokens = 0
  let writes = 0
  /** A read between the two numbers may show the state before or after the write. */
  const counted = async <T>(work: () => T | Promise<T>): Promise<T> => {
    writes += 1
    try {
      return await work()
    } finally {
      writes += 1
      reported?.written()
    }
  }
  const { writer } = database
  return {
    ...database,
    ...(writer && {
      writer: {
        execute: (text, values) => counted(() => writer.execute(text, values)),
        insert: (text, values, idColumn) => counted(() => writer.insert(text, values, idColumn)),
      },
    }),
    write: (work) => counted(() => database.write(work)),
    transaction: (work) => counted(() => database.transaction(work)),
    changeToken: async () => (tokens += 1),
    historyOf: String,
    // A lower version than before invalidates everything that was cached, whatever its kind; see `Storage.versions`.
    versions: () => new Map([['writes of this process', -writes - (reported?.count() ?? 0)]]),
  }
}
