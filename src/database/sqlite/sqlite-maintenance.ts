import type { SqlMaintenance } from '../sql/sql-maintenance.js'
import { raiseAllVersions } from './sqlite-versions.js'

/** The statements of the commands that look after a database, for SQLite. */
export const sqliteMaintenance: SqlMaintenance = {
  version: `SELECT 'SQLite ' || sqlite_version()`,
  catalog: `SELECT type, tbl_name, name, iif(type = 'table', '', sql), 0 FROM sqlite_master WHERE sql IS NOT NULL
    UNION ALL SELECT 'column', m.name, c.name, '', 0 FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'
    UNION ALL SELECT 'identity', m.name, '', '', 0 FROM sqlite_master m WHERE m.type = 'table' AND m.sql LIKE '%AUTOINCREMENT%'
    UNION ALL SELECT 'primary', m.name, '', c.name, c.pk FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.pk > 0
    UNION ALL SELECT 'unique', m.name, i.name, c.name, c.seqno FROM sqlite_master m JOIN pragma_index_list(m.name) i
      JOIN pragma_index_info(i.name) c WHERE m.type = 'table' AND i."unique" = 1 AND i.origin <> 'pk' AND i.partial = 0`,
  sizes: () => `SELECT NULL, p.page_count * s.page_size FROM pragma_page_count p, pragma_page_size s`,
  raiseVersions: (tables) => [raiseAllVersions(tables)],
  fillLists: () => [],
  // Node's own SQLite throws at the read of a larger number.
  lastId: (table, column) => `SELECT min(${Number.MAX_SAFE_INTEGER},
    max(coalesce((SELECT max(seq) FROM sqlite_sequence WHERE name = '${table}'), 0),
    coalesce((SELECT max(${column}) FROM ${table}), 0)))`,
  setLastId: (table, _column, id) => [
    `DELETE FROM sqlite_sequence WHERE name = '${table}'`,
    `INSERT INTO sqlite_sequence (name, seq) VALUES ('${table}', ${id})`,
  ],
  // No ANALYZE: without statistics, SQLite uses the index with the most columns of the condition, as the keys are designed.
  afterLoad: () => [],
}
