import { momentPatterns, type MomentKind } from '../moment.js'
import { counterRows } from '../sql/attempt-rows.js'
import { placeholders } from '../sql/row-values.js'
import type { SqlFragment } from '../sql/sql-connection.js'
import type { InsertedRow, OwnedRows, SqlDialect } from '../sql/sql-dialect.js'
import type { TableNames } from '../sql/table-names.js'
import { lockOneSlot } from './lock-rows.js'
import { isDuplicateKey, isRepeatedStatement } from './mysql-fault.js'
import { mysqlIndexedValues } from './mysql-indexed-values.js'
import { mysqlMaintenance } from './mysql-maintenance.js'
import { mysqlMigrations } from './mysql-schema.js'
import { jsonColumn } from './mysql-values.js'
import { versionsQuery } from './mysql-versions.js'
import type { ServerFacts } from './server-facts.js'

/**
 * Maximum length of a searched word, in characters. SQLite has the same limit, because its comparisons take quadratic time for
 * long words.
 */
export const maxSearchLength = 200

/** Where the SQL of MariaDB and MySQL differs from that of the other databases. */
export function mysqlDialect(kind: ServerFacts['kind']): SqlDialect {
  return {
    migrations: (tables) => mysqlMigrations(tables, kind),
    isRepeatedStatement,
    findTable: 'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    // The table of locks may exist before all others: see `takeLeasedLock`.
    findAnyTable: String.raw`SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE()
      AND table_name NOT LIKE '%as\_rest\_route\_locks' LIMIT 1`,
    partNames: `SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()
      UNION ALL SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = DATABASE()`,
    maintenance: mysqlMaintenance(kind),
    metadataAsJson: (table, idColumn, ownerColumn, owner) =>
      `(SELECT JSON_ARRAYAGG(JSON_ARRAY(m.${idColumn}, m.meta_key, m.meta_value))
      FROM ${table} m WHERE m.${ownerColumn} = ${owner})`,
    // The first comparison finds the row in the index, which ignores case. The comparison of bytes also counts trailing spaces.
    metadataOfKey(table, idColumn, ownerColumn, owner, key, place) {
      const json = `${jsonColumn}m.meta_value), '0') FROM ${table} m WHERE m.${ownerColumn} = ${owner}
        AND m.meta_key = ? AND CAST(m.meta_key AS BINARY) = CAST(? AS BINARY) ORDER BY m.${idColumn} LIMIT 1)`
      return { text: place === 'json' ? `JSON_EXTRACT(${json}, '$')` : json, values: [key, key] }
    },
    listAsJson: (values) => `JSON_ARRAY(${values.join(', ')})`,
    // MySQL's JSON_ARRAYAGG takes no order. Both servers list the rows in the order of `fromPage`.
    rowsAsJson: (json) => `JSON_ARRAYAGG(${json})`,
    byteLength: (column) => `OCTET_LENGTH(${column})`,
    // In JSON, MySQL writes dates with fractions of a second.
    asText: (column) => (kind === 'MySQL' && isDate(column) ? `CAST(${column} AS CHAR)` : column),
    asInteger: (column) => column,
    isOneOf: (column, values) => ({
      text: `${column} IN (SELECT list.value FROM JSON_TABLE(?, '$[*]' COLUMNS (value ${
        typeof values[0] === 'number' ? 'bigint' : 'varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'
      } PATH '$')) list)`,
      values: [JSON.stringify(values)],
    }),
    contains,
    containsBytes: (column) => `(INSTR(CAST(${column} AS BINARY), CAST(? AS BINARY)) > 0)`,
    exactText: (expression) => `CAST(${expression} AS BINARY)`,
    textWithoutCase: (expression) => `CAST(LOWER(${expression}) AS BINARY)`,
    // The expression comes from `metadataOfKey`, so it is JSON.
    containsExactly: (expression) => `INSTR(JSON_UNQUOTE(${expression}) COLLATE utf8mb4_bin, ?) > 0`,
    asNumber: (expression) => `CAST(${expression} AS DOUBLE)`,
    // The server reads further texts, each of them in its own way, and `$` of MariaDB is also before a last line break. MySQL
    // rounds a fraction of a second, and converts a time with a zone to that of the session; MariaDB ignores both.
    asMoment: (expression, kind) =>
      `CASE WHEN ${expression} REGEXP '(?-i)${momentPatterns[kind]}(?![^ ])'
        THEN ${castMoment(`REGEXP_REPLACE(${expression}, '(?<=:[0-9]|:[0-9][0-9])([.][0-9]*)?(Z|[-+][0-9]{2}:?[0-9]{2})? *$', '')`, kind)} END`,
    page: (limit, offset) => ({ text: 'LIMIT ? OFFSET ?', values: [limit, offset] }),
    orderKeys: (column) => [column === 'p.post_title' ? 'p.title_key' : column],
    isAmong: (column, query) => `${column} IN (${query})`,
    // For `EXISTS`, the server would first read all rows of the other table that meet the conditions, also for a page of ten.
    existsForEach: (query) => `(${query} LIMIT 1) IS NOT NULL`,
    withoutIndex: (column) => column,
    // The server keeps the ids in a temporary table in their order, and reads the other table once for each of them. The
    // settings of the session rule out most other ways; without the index, it has read a table of two rows as a whole.
    fromPage: (idsQuery, table) =>
      `FROM (${idsQuery}) page STRAIGHT_JOIN ${table} p FORCE INDEX (PRIMARY) ON p.ID = page.page_id`,
    pageOrder: null,
    hasLists: true,
    indexedValues: mysqlIndexedValues,
    // The planner does not know how many records a term has, and would read all records of the type.
    pageOfTerm({ from, id, where, order, listed, termTree, andListed, limit, offset }) {
      return {
        text: `SELECT ${id} AS page_id FROM (${termTree.text} SELECT DISTINCT l.post_id FROM term_tree
          STRAIGHT_JOIN ${listed} l ON l.term_taxonomy_id = term_tree.id${andListed.text}) found
          STRAIGHT_JOIN ${from} ON ${id} = found.post_id${where.text} ${order.text} LIMIT ? OFFSET ?`,
        values: [...termTree.values, ...andListed.values, ...where.values, ...order.values, limit, offset],
      }
    },
    versions: versionsQuery,
    // A block is prepared and run as one statement. Each statement in it sees everything that was committed before.
    ...(kind === 'MariaDB' && { insertUnlessFound }),
    // Unlike INSERT IGNORE, it refuses a value that does not fit.
    insertUnlessExists(table, columns, values = placeholders(columns.length)) {
      const [key] = columns
      return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})
        ON DUPLICATE KEY UPDATE ${key} = ${table}.${key}`
    },
    insertOrOverwrite(table, key, columns) {
      const overwritten = columns.filter((column) => column !== key).map((column) => `${column} = VALUES(${column})`)
      return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders(columns.length)})
        ON DUPLICATE KEY UPDATE ${overwritten.join(', ')}`
    },
    // The other form, `name IN (SELECT …)`, reads and locks all rows of the table.
    deleteFirst: (table, { text, values }, order, limit) => ({
      text: `DELETE FROM ${table} WHERE ${text} ORDER BY ${order} LIMIT ?`,
      values: [...values, limit],
    }),
    isDuplicateKey,
    now: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED)',
    fillCounters: (table, rows) => `INSERT INTO ${table} (name, kind, empty_at, networks) VALUES ${counterRows(rows)}
      ON DUPLICATE KEY UPDATE empty_at = GREATEST(${table}.empty_at, ?) + VALUES(empty_at) - ?`,
    comparedOutside: () => null,
  }
}

/** The digits of a date or time as one number; see `SqlDialect.asMoment`. */
export const castMoment = (expression: string, kind: MomentKind): string =>
  `CAST(${expression} AS ${kind.toUpperCase()})${kind === 'date' ? ' * 1000000' : ' + 0'}`

/** The first value is the slot of the name that is locked. The variable must not have the name of a column. */
function insertUnlessFound(
  query: string,
  { table, columns }: InsertedRow,
  { table: ownedTable, ownerColumn, columns: ownedColumns, count }: OwnedRows,
  tables: TableNames,
): string {
  const ownedRow = `(inserted_row_id, ${placeholders(ownedColumns.length)})`
  const owned =
    count === 0
      ? ''
      : `INSERT INTO ${ownedTable} (${ownerColumn}, ${ownedColumns.join(', ')})
          VALUES ${Array.from({ length: count }, () => ownedRow).join(', ')};`
  return `BEGIN NOT ATOMIC
      DECLARE inserted_row_id BIGINT UNSIGNED;
      START TRANSACTION;
      ${lockOneSlot(tables)};
      IF NOT EXISTS (${query} LIMIT 1 FOR UPDATE) THEN
        INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders(columns.length)});
        SET inserted_row_id = LAST_INSERT_ID();
        ${owned}
      END IF;
      COMMIT;
      SELECT inserted_row_id;
    END`
}

const isDate = (column: string): boolean => /(?:_date|_modified|_gmt|_registered)$/.test(column)

function contains(columns: readonly string[], text: string): SqlFragment {
  if (text.length > maxSearchLength) return { text: '1 = 0', values: [] }
  const pattern = `%${text.replace(/[!%_]/g, '!$&')}%`
  return {
    text: `(${columns.map((column) => `${column} COLLATE utf8mb4_unicode_520_ci LIKE ? ESCAPE '!'`).join(' OR ')})`,
    values: columns.map(() => pattern),
  }
}
