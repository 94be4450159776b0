import { SqliteConnection } from '../../src/database/sqlite/sqlite-connection.js'

const methods = ['query', 'row', 'execute', 'insert'] as const

/**
 * The texts of all statements that the connections of this process run while `work` runs, in their order.
 * @param work must be all that uses a database meanwhile.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const statements: string[] = []
  const { prototype } = SqliteConnection
  const originals = methods.map((name) => [name, prototype[name]] as const)
  for (const [name, original] of originals)
    Object.assign(prototype, {
      [name](this: SqliteConnection, text: string, ...values: never[]) {
        statements.push(text)
        return Reflect.apply(original, this, [text, ...values]) as unknown
      },
    })
  try {
    await work()
  } finally {
    for (const [name, original] of originals) Object.assign(prototype, { [name]: original })
  }
  return statements
}
