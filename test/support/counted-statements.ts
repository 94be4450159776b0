import { MysqlConnection } from '../../src/database/mysql/mysql-connection.js'
import { PostgresConnection } from '../../src/database/postgres/postgres-connection.js'
import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js'

export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

const methods: readonly (readonly [prototype: object, names: readonly string[]])[] = [
  [SqliteConnection.prototype, ['query', 'row', 'execute', 'insert', 'attempt']],
  [PostgresConnection.prototype, ['run']],
  [MysqlConnection.prototype, ['run']],
]

/**
 * What a store needs around the statements about rows: connections, transactions, locks, settings, change tokens, the schedule of
 * publications, which follows no request, and the counters of attempts, a part of which follows the response.
 */
const overhead =
  /^(?:BEGIN(?! NOT ATOMIC)|START|SET|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|PRAGMA|\/\* lock \*\/)|pg_advisory|pg_try_advisory|pg_current_snapshot|set_config|_versions\b|_attempts\b|pg_is_in_recovery|^SELECT total_changes\(\)|^SELECT @@global\.read_only|^SHOW VARIABLES|sqlite_master|pg_control_|post_status = 'future'/

/**
 * The statements about rows that the connections of this process run while `work` runs, in their order.
 * @param work must be all that uses a database meanwhile.
 */
export async function statementsWithValues(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  return (await everyStatement(work)).filter(({ text }) => !overhead.test(text))
}

/** A statement after which the same question may have another answer: a write, or the beginning or end of a transaction. */
const changing = /^(?:INSERT|UPDATE|DELETE|WITH (?:owner|found) AS|BEGIN|START|COMMIT|ROLLBACK)/

/** Those of `statementsWithValues`, in parts between which rows may have changed: at writes, and where transactions begin or end. */
export async function statementsInParts(work: () => Promise<unknown>): Promise<readonly (readonly Statement[])[]> {
  const parts: Statement[][] = [[]]
  for (const statement of await everyStatement(work)) {
    const isOfRows = !overhead.test(statement.text)
    if (changing.test(statement.text)) parts.push(isOfRows ? [statement] : [], [])
    else if (isOfRows) parts.at(-1)?.push(statement)
  }
  return parts
}

async function everyStatement(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  const originals = methods.flatMap(([prototype, names]) =>
    names.map((name) => [prototype, name, Reflect.get(prototype, name) as (...all: unknown[]) => unknown] as const),
  )
  for (const [prototype, name, original] of originals)
    Object.assign(prototype, {
      [name](this: object, text: string, values: readonly unknown[] = [], ...others: unknown[]) {
        statements.push({ text, values })
        return Reflect.apply(original, this, [text, values, ...others])
      },
    })
  const { runTogether } = PostgresConnection.prototype
  PostgresConnection.prototype.runTogether = function (together) {
    statements.push(...together.map(([text, values = []]) => ({ text, values })))
    return Reflect.apply(runTogether, this, [together]) as ReturnType<typeof runTogether>
  }
  try {
    await work()
  } finally {
    PostgresConnection.prototype.runTogether = runTogether
    for (const [prototype, name, original] of originals) Object.assign(prototype, { [name]: original })
  }
  return statements
}

/** The texts of `statementsWithValues`. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  return (await statementsWithValues(work)).map(({ text }) => text)
}
