import type { SqlMaintenance } from '../sql/sql-maintenance.js'
import { fillIndexedValues } from './postgres-indexed-values.js'
import { fillLists } from './postgres-lists.js'
import { sequenceOf } from './postgres-sequences.js'
import { raiseAllVersions } from './postgres-versions.js'

/**
 * The statements of the commands that look after a database, for PostgreSQL.
 * @param schema of the tables, quoted.
 */
export const postgresMaintenance = (schema: string): SqlMaintenance => ({
  version: `SELECT 'PostgreSQL ' || current_setting('server_version')`,
  catalog: `SELECT 'table', c.relname::text, c.relname::text, '', 0 FROM pg_catalog.pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    UNION ALL SELECT 'column', c.relname::text, a.attname::text, '', 0
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    UNION ALL SELECT 'identity', c.relname::text, '', '', 0
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attidentity <> ''
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    UNION ALL SELECT 'index', c.relname::text, i.relname::text, '', 0
      FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class c ON c.oid = x.indrelid JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND x.indisvalid
    UNION ALL SELECT CASE WHEN x.indisprimary THEN 'primary' ELSE 'unique' END, c.relname::text, i.relname::text, a.attname::text, k.position
      FROM pg_catalog.pg_index x JOIN pg_catalog.pg_class c ON c.oid = x.indrelid JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid
      CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY k(attnum, position)
      JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
      WHERE c.relnamespace = current_schema()::regnamespace AND x.indisunique AND x.indisvalid AND x.indpred IS NULL
    UNION ALL SELECT 'trigger', c.relname::text, t.tgname::text, p.proname::text, 0
      FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid JOIN pg_catalog.pg_proc p ON p.oid = t.tgfoid
      WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal
    UNION ALL SELECT 'function', '', p.proname::text, p.prosrc, 0 FROM pg_catalog.pg_proc p
      WHERE p.pronamespace = current_schema()::regnamespace
    UNION ALL SELECT 'collation', '', l.collname::text, '', 0 FROM pg_catalog.pg_collation l
      WHERE l.collnamespace = current_schema()::regnamespace`,
  sizes: () => `SELECT c.relname::text, pg_total_relation_size(c.oid) FROM pg_catalog.pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')`,
  raiseVersions: (tables) => [raiseAllVersions(tables, schema)],
  fillLists: (tables) => [...fillLists(tables), ...fillIndexedValues(tables)],
  lastId: (table) =>
    `SELECT CASE WHEN s.is_called THEN s.last_value ELSE s.last_value - 1 END FROM ${schema}.${sequenceOf(table)} s`,
  setLastId: (table, _column, id) => [
    `SELECT setval('${schema}.${sequenceOf(table)}'::regclass, ${Math.max(id, 1)}, ${id > 0})`,
  ],
  afterLoad: (table) => [`ANALYZE ${table}`],
})
