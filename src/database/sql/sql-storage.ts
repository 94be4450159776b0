import type { RowCache } from './row-cache.js'
import type { RowEffects } from './row-effects.js'
import { oncePerTick } from '../../base/once-per-tick.js'
import type { MaybePromise } from '../../base/maybe-promise.js'
import { VersionsAtToken, type KindVersions } from '../kind-versions.js'
import type { ChangeToken, RowVersion, Storage } from '../storage.js'
import type { IndexMeta, StorageOfStore } from '../store-adapter.js'
import { StorageError } from '../storage-error.js'
import { SqlStoredResponseRows } from './stored-response-rows.js'
import { SqlAttemptRows } from './attempt-rows.js'
import { NestedConnection } from './nested-connection.js'
import { optionStatements, SqlOptionRows, type OptionStatements } from './option-rows.js'
import { SqlPostRows } from './post-rows.js'
import { postStatements, type PostStatements } from './post-statements.js'
import { readVersions, versionsOf } from './read-versions.js'
import { missingParts, namesOf, schemaParts } from './schema-parts.js'
import type { SqlConnection, SqlTransaction } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'
import type { IndexedValues, SqlDialect } from './sql-dialect.js'
import { SqlJobRows } from './sql-job-rows.js'
import { databaseSession, transactionSession, type SqlSession, type TransactionSession } from './sql-session.js'
import type { TableNames } from './table-names.js'
import { SqlTermRows } from './term-rows.js'
import { SqlUserRows, userStatements, type UserStatements } from './user-rows.js'

/** The texts of all statements, made once for a database and shared by its transactions. */
interface Statements {
  readonly tables: TableNames
  readonly dialect: SqlDialect
  readonly effects: RowEffects | null
  readonly posts: PostStatements
  readonly users: UserStatements
  readonly options: OptionStatements
  versions(reader: SqlConnection): MaybePromise<ReadonlyMap<string, RowVersion>>
}

/** The members of a storage that are the same inside and outside a transaction. */
type SharedMembers = Pick<Storage, 'ping' | 'changeToken' | 'versionsAt' | 'writes'>

/** The tables of one session. Each is created when it is read, because a transaction needs one or two of them. */
class SqlRows {
  #posts: SqlPostRows | null = null
  #users: SqlUserRows | null = null
  #terms: SqlTermRows | null = null
  #options: SqlOptionRows | null = null
  #jobs: SqlJobRows | null = null

  constructor(
    protected readonly statements: Statements,
    protected readonly session: SqlSession,
  ) {}

  get posts(): SqlPostRows {
    return (this.#posts ??= new SqlPostRows(this.statements.posts, this.session))
  }

  get users(): SqlUserRows {
    return (this.#users ??= new SqlUserRows(this.statements.users, this.session))
  }

  get terms(): SqlTermRows {
    return (this.#terms ??= new SqlTermRows(
      this.statements.tables,
      this.statements.dialect,
      this.session,
      this.statements.effects,
    ))
  }

  get options(): SqlOptionRows {
    return (this.#options ??= new SqlOptionRows(this.statements.options, this.session))
  }

  get jobs(): SqlJobRows {
    return (this.#jobs ??= new SqlJobRows(this.statements.tables, this.statements.dialect, this.session))
  }

  async versions(): Promise<ReadonlyMap<string, RowVersion>> {
    return this.statements.versions(this.session.reader)
  }

  async lock(names: readonly string[]): Promise<boolean> {
    return this.session.lock(names)
  }
}

/**
 * The contract of storage in SQL, for any database that offers `SqlDatabase`.
 * @param rowCache null to read every row from the database.
 * @param effects the changes that a write makes besides its own rows; null for none.
 */
export function sqlStorage(
  client: SqlDatabase,
  tables: TableNames,
  rowCache: RowCache | null,
  effects: RowEffects | null = null,
): StorageOfStore {
  const { database, writes } = withWriteCount(client)
  const { dialect } = database
  const versionsQuery = dialect.versions(tables)
  const statements: Statements = {
    tables,
    dialect,
    effects,
    posts: postStatements(tables, dialect, rowCache, effects),
    users: userStatements(tables, dialect, rowCache, effects),
    options: optionStatements(tables, dialect, rowCache, effects),
    versions: (reader) => database.versions?.() ?? readVersions(reader, versionsQuery),
  }
  const parts = schemaParts(database, tables)
  const versions = new VersionsAtToken(
    (token) => {
      const rows = database.versionRowsAt?.(token) ?? null
      return rows === null ? statements.versions(database.reader) : versionsOf(rows)
    },
    (token) => database.historyOf?.(token) ?? '',
  )
  const versionsAt = (token: ChangeToken): MaybePromise<KindVersions> => versions.at(token)
  const changeToken = oncePerTick(() => database.changeToken())
  const shared: SharedMembers = {
    changeToken,
    versionsAt,
    writes,
    ping: async () => {
      const missing = parts.length === 0 ? [] : await missingParts(database, parts)
      if (missing.length > 0) throw new StorageError('incompatible', `The database lacks ${namesOf(missing)}.`)
      await database.reader.query(`SELECT option_id FROM ${tables.options} LIMIT 1`)
    },
  }
  const inside = (connection: SqlTransaction): TransactionStorage =>
    new TransactionStorage(statements, transactionSession(connection), shared)
  const rows = new SqlRows(statements, databaseSession(database, { changeToken, versionsAt }))
  const { posts, users, terms, options, jobs } = rows
  return {
    posts,
    users,
    terms,
    options,
    jobs,
    attempts: new SqlAttemptRows(client, tables),
    storedResponses: new SqlStoredResponseRows(client, tables),
    versions: () => rows.versions(),
    lock: (names) => rows.lock(names),
    ...shared,
    transaction: (work) => database.transaction((connection) => inside(connection).complete(work)),
    write: (work, prepare) => {
      const write = () => database.write((connection) => work(inside(connection)))
      return prepare ? prepare().then(write) : write()
    },
    close: () => database.close(),
    ...(dialect.indexedValues && { indexMeta: indexMetaOf(database, tables, dialect.indexedValues, statements) }),
  }
}

const indexMetaOf =
  (database: SqlDatabase, tables: TableNames, indexed: IndexedValues, { posts }: Statements): IndexMeta =>
  (keys, onFill) =>
    posts.indexedMeta.add(database, tables, indexed, keys, onFill)

/** The same database, which counts its writes when they begin. */
function withWriteCount(database: SqlDatabase): { readonly database: SqlDatabase; readonly writes: () => number } {
  let count = 0
  const { writer, insertUnlessFound } = database
  return {
    database: {
      ...database,
      ...(writer && {
        writer: {
          execute(text, values) {
            count += 1
            return writer.execute(text, values)
          },
          insert(text, values, idColumn) {
            count += 1
            return writer.insert(text, values, idColumn)
          },
        },
      }),
      ...(insertUnlessFound && {
        insertUnlessFound(name, text, values) {
          count += 1
          return insertUnlessFound(name, text, values)
        },
      }),
      write(work) {
        count += 1
        return database.write(work)
      },
      transaction(work) {
        count += 1
        return database.transaction(work)
      },
    },
    writes: () => count,
  }
}

/** The storage that the work of a transaction receives. A nested transaction can fail by itself. */
class TransactionStorage extends SqlRows implements Storage {
  constructor(
    statements: Statements,
    protected override readonly session: TransactionSession,
    private readonly shared: SharedMembers,
  ) {
    super(statements, session)
  }

  write<T>(work: (storage: Storage) => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
    return this.#nested(work, prepare)
  }

  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    return this.#nested((inside) => inside.complete(work))
  }

  /**
   * Runs the work of a transaction on this storage.
   * @throws StorageError `transaction` when a write that the work did not await has not ended, because it would be lost.
   */
  async complete<T>(work: (storage: Storage) => Promise<T>): Promise<T> {
    const result = await work(this)
    if (this.session.isWriting())
      throw new StorageError(
        'transaction',
        "The work of a transaction ended while a write that it had started was running, so nothing was stored: write 'await' before it.",
      )
    return result
  }

  #nested<T>(work: (storage: TransactionStorage) => Promise<T>, prepare?: () => Promise<void>): Promise<T> {
    return this.session.write(async (connection) => {
      const nested = new NestedConnection(connection)
      try {
        const session = transactionSession(nested, this.session.depth + 1)
        return await work(new TransactionStorage(this.statements, session, this.shared))
      } finally {
        nested.end()
      }
    }, prepare)
  }

  changeToken(): Promise<ChangeToken> {
    return this.shared.changeToken()
  }

  versionsAt(token: ChangeToken): MaybePromise<KindVersions> {
    return this.shared.versionsAt(token)
  }

  writes(): number {
    return this.shared.writes()
  }

  ping(): Promise<void> {
    return this.shared.ping()
  }

  close(): Promise<void> {
    return Promise.reject(new StorageError('transaction', 'A transaction cannot close the database it runs in.'))
  }
}
