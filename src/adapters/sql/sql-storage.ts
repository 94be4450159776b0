import type { Storage } from '../../storage/storage.js'
import { StorageError } from '../../storage/storage-error.js'
import { optionStatements, SqlOptionRows, type OptionStatements } from './option-rows.js'
import { SqlPostRows } from './post-rows.js'
import { postStatements, type PostStatements } from './post-statements.js'
import { number, text } from './row-values.js'
import type { SqlConnection } from './sql-connection.js'
import type { SqlDatabase } from './sql-database.js'
import { databaseSession, transactionSession, type SqlSession } from './sql-session.js'
import type { TableNames } from './table-names.js'
import { SqlTermRows } from './term-rows.js'
import { SqlUserRows, userStatements, type UserStatements } from './user-rows.js'

/** The texts of all statements, made once for a database and shared by its transactions. */
interface Statements {
  readonly tables: TableNames
  readonly posts: PostStatements
  readonly users: UserStatements
  readonly options: OptionStatements
}

/** What does not depend on a transaction. */
type Whole = Pick<Storage, 'ping' | 'stamp' | 'writes'>

type Rows = Pick<Storage, 'posts' | 'users' | 'terms' | 'options' | 'versions'>

const rowsOf = (statements: Statements, session: SqlSession): Rows => ({
  posts: new SqlPostRows(statements.posts, session),
  users: new SqlUserRows(statements.users, session),
  terms: new SqlTermRows(statements.tables, session),
  options: new SqlOptionRows(statements.options, session),
  versions: async () => {
    const rows = await session.reader.query(`SELECT tag, version FROM ${statements.tables.versions}`)
    return new Map(rows.map(([tag, version]) => [text(tag), number(version)]))
  },
})

/** The contract of storage in SQL, for any database that offers `SqlDatabase`. */
export function sqlStorage(given: SqlDatabase, tables: TableNames): Storage {
  const { database, writes } = counting(given)
  const { dialect } = database
  const statements: Statements = {
    tables,
    posts: postStatements(tables, dialect),
    users: userStatements(tables, dialect),
    options: optionStatements(tables, dialect),
  }
  const whole: Whole = {
    stamp: () => database.stamp(),
    writes,
    ping: async () => {
      await database.reader.query(`SELECT option_id FROM ${tables.options} LIMIT 1`)
    },
  }
  const inside = (connection: SqlConnection): Storage =>
    storageInside(statements, transactionSession(connection), whole)
  return {
    ...rowsOf(statements, databaseSession(database)),
    ...whole,
    transaction: (work) => database.transaction((connection) => work(inside(connection))),
    write: (work) => database.write((connection) => work(inside(connection))),
    close: () => database.close(),
  }
}

/** The database, and how many writes to it were begun. */
function counting(database: SqlDatabase): { readonly database: SqlDatabase; readonly writes: () => number } {
  let count = 0
  return {
    database: {
      ...database,
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

/** What the work of a transaction receives. A transaction in a transaction is a part that can fail by itself. */
function storageInside(statements: Statements, session: SqlSession, whole: Whole): Storage {
  const part: Storage['write'] = (work) =>
    session.write((connection) => work(storageInside(statements, transactionSession(connection), whole)))
  return {
    ...rowsOf(statements, session),
    ...whole,
    transaction: part,
    write: part,
    close: () => Promise.reject(new StorageError('transaction', 'A transaction cannot close the database it runs in.')),
  }
}
