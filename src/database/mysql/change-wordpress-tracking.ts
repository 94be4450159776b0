import { text } from '../sql/row-values.js'
import { StorageError } from '../storage-error.js'
import { withRemedy } from './missing-right.js'
import { parseMysqlAddress } from './mysql-address.js'
import { readerOn, type MysqlConnection } from './mysql-connection.js'
import { numberOf } from './mysql-fault.js'
import { connectionsOf } from './open-mysql.js'
import { oldestServersOfWordPress, tablesOf, type WordPressTables } from './open-wordpress.js'
import { rightsIn, type Right } from './wordpress-rights.js'
import {
  installingStatements,
  removingStatements,
  trackingState,
  visibleTriggers,
  type TrackingState,
} from './wordpress-tracking.js'

/** Milliseconds that a statement may take: it waits for transactions of WordPress, or reads all types of posts. */
const longStatement = 600_000

export interface TrackingChange {
  /** The tracking that is installed before the change. */
  readonly mode: TrackingState['mode']
  /** The statements of the change, in this order; empty when nothing is to be done. */
  readonly statements: readonly string[]
  /** Runs the statements. @throws StorageError with the right that is missing. What was created until then is removed again. */
  run(): Promise<void>
}

/**
 * Prepares to install or to remove the table and triggers that count the writes to the tables of a WordPress site, calls `decide`,
 * which may run the change, and closes the database. @throws StorageError
 */
export async function changeWordPressTracking(
  url: string,
  site: WordPressTables,
  change: 'install' | 'remove',
  decide: (change: TrackingChange) => Promise<void>,
): Promise<void> {
  const address = parseMysqlAddress(url)
  const connections = await connectionsOf(address, {
    poolSize: 1,
    oldestServers: oldestServersOfWordPress,
    statementTimeout: longStatement,
  })
  try {
    const tables = tablesOf(site, await connections.facts())
    const connection = await connections.open()
    const reader = readerOn(connection)
    const state = await trackingState(reader, tables)
    const statements =
      change === 'install' ? await installingStatements(reader, tables, state) : removingStatements(tables, state)
    await decide({
      mode: state.mode,
      statements,
      async run() {
        try {
          for (const statement of statements) await connection.run(statement)
        } catch (error) {
          if (change === 'install' && state.mode === 'off') {
            const { present, changed } = await visibleTriggers(reader, tables)
            await undo(connection, removingStatements(tables, { hasTable: true, present, changed }))
          }
          throw await withRights(error, connection, address.server.database)
        }
      },
    })
  } catch (error) {
    throw withRemedy(error, address)
  } finally {
    await connections.close()
  }
}

/** The user may lack the right to remove what it has created. */
async function undo(connection: MysqlConnection, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await connection.run(statement).catch(() => undefined)
}

const requiredRights: readonly Right[] = ['CREATE', 'TRIGGER', 'DROP']

/** The error, with the statement that grants all missing rights. */
async function withRights(error: unknown, connection: MysqlConnection, database: string): Promise<unknown> {
  if (!(error instanceof StorageError) || ![1142, 1044, 1227].includes(numberOf(error))) return error
  const grants = (await connection.run('SHOW GRANTS')).rows.map(([grant]) => text(grant))
  const { rows } = await connection.run('SELECT CURRENT_USER()')
  const [user = '', host = ''] = text(rows[0]?.[0]).split(/@(?=[^@]*$)/)
  const granted = rightsIn(grants, database)
  const missing = requiredRights.filter((right) => !granted.has(right))
  if (missing.length === 0) return error
  return new StorageError(
    error.fault,
    `${error.message} An administrator allows it: GRANT ${missing.join(', ')} ON \`${database}\`.* TO '${user}'@'${host}'`,
  )
}
