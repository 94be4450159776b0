import { text } from '../sql/row-values.js'
import { schemaParts } from '../sql/schema-parts.js'
import type { SqlDatabase } from '../sql/sql-database.js'
import type { ServerFault } from '../sql/sql-store.js'
import type { TableNames } from '../sql/table-names.js'

/** Triggers that do not fire, tables that a subscription fills, and sessions in which no trigger fires: kind, table and name. */
const query = `SELECT 'trigger', c.relname::text, t.tgname::text
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND t.tgenabled NOT IN ('O', 'A')
  UNION ALL SELECT 'subscription', c.relname::text, s.subname::text
    FROM pg_catalog.pg_subscription_rel r JOIN pg_catalog.pg_class c ON c.oid = r.srrelid
    JOIN pg_catalog.pg_subscription s ON s.oid = r.srsubid
    WHERE c.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT 'session', '', '' WHERE current_setting('session_replication_role') = 'replica'
  ORDER BY 1, 2, 3`

const lastStep = 'Then run: as-rest-route db check --changed'

/** The faults that keep triggers of the tables from firing. The triggers count writes, and keep lists, numbers and automatic ids. */
export async function silentTriggerFaults(database: SqlDatabase, tables: TableNames): Promise<readonly ServerFault[]> {
  const names = new Set(schemaParts(database, tables).map(({ name }) => name))
  const rows = (await database.reader.query(query)).map((row) => row.map(text))
  return rows.flatMap(([kind = '', table = '', name = '']): ServerFault[] => {
    if (kind === 'session')
      return [
        {
          sentence: 'Sessions of the user have session_replication_role = replica, in which no trigger fires.',
          remedy: `Reset it for the user, the database and the server: ALTER ROLE … RESET session_replication_role. ${lastStep}`,
        },
      ]
    if (kind === 'trigger' && names.has(name))
      return [
        {
          sentence: `The trigger ${name} of ${table} is disabled.`,
          remedy: `Run: as-rest-route db migrate. ${lastStep}`,
        },
      ]
    if (kind === 'subscription' && Object.values(tables).includes(table))
      return [
        {
          sentence: `Rows of ${table} come by the subscription ${name}, for which no trigger of a statement fires.`,
          remedy: `Let no service use the database until the subscription is dropped. ${lastStep}`,
        },
      ]
    return []
  })
}
