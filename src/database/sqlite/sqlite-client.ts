import { pathToFileURL } from 'node:url'
import { StorageError } from '../storage-error.js'
import type { SqlRow, SqlValue } from '../sql/sql-connection.js'
import { boundValues, restoredRow } from './nul-text.js'

/** The common interface of both SQLite libraries. It is synchronous and throws the errors of the library. */
export interface SqliteClient {
  prepare(text: string): SqliteStatement
  close(): void
}

export interface SqliteStatement {
  all(values: readonly SqlValue[]): readonly SqlRow[]
  /** The first row, in half the time that `all` takes; null when there is none. */
  get(values: readonly SqlValue[]): SqlRow | null
  run(values: readonly SqlValue[]): { readonly changes: number; readonly lastInsertRowid: number }
}

/**
 * @param path absolute, so that neither library reads it as a URL; or `:memory:`.
 * @param isReadOnly whether nothing is created or written. Default false.
 */
export type OpenSqliteClient = (path: string, isReadOnly?: boolean) => SqliteClient

/** `node:sqlite` where this Node has it (22.13 and newer), else the package `libsql`. */
export async function sqliteLibrary(): Promise<OpenSqliteClient> {
  return nodeSqlite() ?? (await libsql())
}

type BoundValue = SqlValue | Uint8Array

interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean },
  ) => {
    prepare(text: string): {
      all(...values: BoundValue[]): readonly unknown[]
      run(...values: BoundValue[]): {
        readonly changes: number | bigint
        readonly lastInsertRowid: number | bigint
      }
      get(...values: BoundValue[]): unknown
      setReturnArrays?(enabled: boolean): void
      setReadBigInts(enabled: boolean): void
    }
    close(): void
  }
}

function nodeSqlite(): OpenSqliteClient | null {
  const library = withoutExperimentalWarning(() => process.getBuiltinModule?.('node:sqlite')) as NodeSqlite | undefined
  if (library === undefined) return null
  return (path, isReadOnly = false) => {
    const database = new library.DatabaseSync(path, { readOnly: isReadOnly })
    return {
      prepare(text) {
        const statement = database.prepare(text)
        statement.setReturnArrays?.(true)
        // Node 22.13 to 22.15 returns objects. No statement of ours has two columns of one name.
        const isList = statement.setReturnArrays !== undefined
        const rowOf = (row: unknown): unknown[] => (isList ? (row as unknown[]) : Object.values(row as object))
        // Without BigInts, `run` throws after the write when the last inserted id, which it returns, is above 2^53.
        let readsBigInts = false
        const readBigInts = (enabled: boolean): void => {
          if (readsBigInts !== enabled) statement.setReadBigInts((readsBigInts = enabled))
        }
        return {
          all(values) {
            readBigInts(false)
            const rows = statement.all(...boundValues(values))
            return (isList ? (rows as unknown[][]) : rows.map(rowOf)).map(restoredRow)
          },
          get(values) {
            readBigInts(false)
            const row = statement.get(...boundValues(values))
            return row === undefined ? null : restoredRow(rowOf(row))
          },
          run(values) {
            readBigInts(true)
            const { changes, lastInsertRowid } = statement.run(...boundValues(values))
            return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) }
          },
        }
      },
      close: () => database.close(),
    }
  }
}

/**
 * Node 22 warns at the first load of `node:sqlite` that it is experimental. Operators cannot act on that warning, so it is
 * suppressed. The load is synchronous, so no other warning is lost.
 */
function withoutExperimentalWarning<T>(load: () => T): T {
  const { emitWarning } = process
  process.emitWarning = ((warning: string | Error, ...details: unknown[]) => {
    const announcement = details[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite is')
    if (!announcement) Reflect.apply(emitWarning, process, [warning, ...details])
  }) as typeof process.emitWarning
  try {
    return load()
  } finally {
    process.emitWarning = emitWarning
  }
}

interface LibsqlStatement {
  readonly reader: boolean
  raw(): void
  all(values: readonly BoundValue[]): unknown[][]
  get(values: readonly BoundValue[]): unknown[] | undefined
  run(values: readonly BoundValue[]): { readonly changes: number; readonly lastInsertRowid: number }
}

interface Libsql {
  new (path: string): { prepare(text: string): LibsqlStatement; close(): void }
}

async function libsql(): Promise<OpenSqliteClient> {
  let Database: Libsql
  try {
    Database = ((await import('libsql')) as unknown as { readonly default: Libsql }).default
  } catch (error) {
    throw new StorageError(
      'unavailable',
      `Node ${process.versions.node} has no SQLite of its own, and the package libsql is missing or has no build for ` +
        'this machine. Use Node 22.13 or newer, or run: npm install libsql',
      { cause: error },
    )
  }
  return (path, isReadOnly = false) => {
    // libsql opens a file for reading only by this URL.
    const database = opened(() => new Database(isReadOnly ? `${pathToFileURL(path)}?mode=ro` : path))
    const prepared = (text: string): LibsqlStatement => {
      const statement = database.prepare(text)
      // Rows as lists also avoid the `_metadata` that libsql's `get` adds to objects.
      if (statement.reader) statement.raw()
      return statement
    }
    return {
      prepare(text) {
        const statement = prepared(text)
        // After an `all`, `get` of libsql 0.5 returns the row of the values of `all`, so each has its own statement.
        let statementOfGet: LibsqlStatement | null = null
        return {
          all: (values) => statement.all(boundValues(values)).map(restoredRow),
          get(values) {
            statementOfGet ??= prepared(text)
            const row = statementOfGet.get(boundValues(values))
            return row === undefined ? null : restoredRow(row)
          },
          run: (values) => statement.run(boundValues(values)),
        }
      },
      close: () => database.close(),
    }
  }
}

/** libsql gives no result code for a file that it cannot open. */
function opened<T>(open: () => T): T {
  try {
    return open()
  } catch (error) {
    throw new StorageError('unavailable', `The database file cannot be opened (${(error as Error).message}).`, {
      cause: error,
    })
  }
}
