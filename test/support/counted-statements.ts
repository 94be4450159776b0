import { MysqlConnection } from '../../src/database/mysql/mysql-connection.js'
import { PostgresConnection } from '../../src/database/postgres/postgres-connection.js'
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

const methods: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  [SqliteConnection.prototype, ['query', 'row', 'execute', 'insert']],
  [PostgresConnection.prototype, ['run']],
  [MysqlConnection.prototype, ['run']],
]

/** What a store needs around the statements about rows: transactions, locks, settings and change tokens. */
const overhead =
  /^(?:BEGIN|START|SET|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|\/\* lock \*\/)|pg_advisory|pg_try_advisory|pg_current_snapshot|set_config|_versions\b|pg_is_in_recovery/

/**
 * The statements about rows that the connections of this process run while `work` runs, in their order. They are the same
 * on each kind of database.
 * @param work must be all that uses a database meanwhile.
 */
export async function statementsWithValues(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  const originals = methods.flatMap(([prototype, names]) =>
    names.map((name) => [prototype, name, Reflect.get(prototype, name) as (...all: unknown[]) => unknown] as const),
  )
  for (const [prototype, name, original] of originals)
    Object.assign(prototype, {
      [name](this: object, text: string, values: readonly unknown[] = [], ...others: unknown[]) {
        if (!overhead.test(text)) statements.push({ text, values })
        return Reflect.apply(original, this, [text, values, ...others])
      },
    })
  try {
    await work()
  } finally {
    for (const [prototype, name, original] of originals) Object.assign(prototype, { [name]: original })
  }
  return statements
}

/** The texts of `statementsWithValues`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  return (await statementsWithValues(work)).map(({ text }) => text)
}
