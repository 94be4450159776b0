import type { SqlMaintenance } from '../sql/sql-maintenance.js'
import { fillIndexedValues } from './mysql-indexed-values.js'
import { fillLists } from './mysql-lists.js'
import { raiseAllVersions } from './mysql-versions.js'
import type { ServerFacts } from './server-facts.js'

const ofSchema = (column: string): string => `FROM information_schema.${column} = DATABASE()`

/** The statements of the commands that look after a database, for MariaDB or MySQL. */
export const mysqlMaintenance = (kind: ServerFacts['kind']): SqlMaintenance => ({
  version: `SELECT CONCAT('${kind} ', SUBSTRING_INDEX(VERSION(), '-', 1))`,
  catalog: `SELECT 'table', table_name, table_name, CONCAT('ENGINE=', engine), 0 ${ofSchema('tables WHERE table_schema')}
    UNION ALL SELECT 'column', table_name, column_name, '', 0 ${ofSchema('columns WHERE table_schema')}
    UNION ALL SELECT 'identity', table_name, '', '', 0 ${ofSchema('columns WHERE table_schema')} AND extra LIKE '%auto_increment%'
    UNION ALL SELECT 'index', table_name, index_name, '', 0 ${ofSchema('statistics WHERE table_schema')} AND seq_in_index = 1
    UNION ALL SELECT IF(index_name = 'PRIMARY', 'primary', 'unique'), table_name, index_name, column_name, seq_in_index
      ${ofSchema('statistics WHERE table_schema')} AND non_unique = 0
    UNION ALL SELECT 'trigger', event_object_table, trigger_name, action_statement, 0 ${ofSchema('triggers WHERE trigger_schema')}`,
  sizes: () => `SELECT table_name, data_length + index_length ${ofSchema('tables WHERE table_schema')}`,
  raiseVersions: (tables) => [raiseAllVersions(tables)],
  fillLists: (tables) => [...fillLists(tables), ...fillIndexedValues(tables)],
  lastId: (table) =>
    `SELECT COALESCE(auto_increment, 1) - 1 ${ofSchema('tables WHERE table_schema')} AND table_name = '${table}'`,
  setLastId: (table, _column, id) => [`ALTER TABLE ${table} AUTO_INCREMENT = ${id + 1}`],
  afterLoad: () => [],
})
