import { counterRows } from '../sql/attempt-rows.js'
import { placeholders } from '../sql/row-values.js'
import type { SqlFragment } from '../sql/sql-connection.js'
import type { OwnedRows, SqlDialect } from '../sql/sql-dialect.js'
import { isDuplicateKey } from './postgres-fault.js'
import { postgresIndexedValues } from './postgres-indexed-values.js'
import { postgresMaintenance } from './postgres-maintenance.js'
import { momentOf } from './postgres-moment.js'
import { numberOf } from './postgres-numbers.js'
import { postgresCollations, postgresMigrations, titleKeyLength } from './postgres-schema.js'

/** A pattern has at most this many characters, as in every other store. */
const maxSearchLength = 200

/** Maximum limit that is part of the text of a statement. Larger pages are rare, and each size would be another statement. */
const maxPlannedLimit = 100

/**
 * Where the SQL of PostgreSQL differs.
 * @param schema of the tables. Connections have it as their `search_path`. Only functions of triggers name it, because they also
 *   run in the sessions of other programs.
 */
export function postgresDialect(schema: string): SqlDialect {
  return {
    migrations: (tables) => postgresMigrations(tables, `"${schema}"`),
    beforeTables: postgresCollations,
    findTable: `SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename = lower(?)`,
    // Tables of an extension do not count: the database may have them before its first start.
    findAnyTable: `SELECT 1 FROM pg_catalog.pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') LIMIT 1`,
    partNames: `SELECT c.relname FROM pg_catalog.pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
      UNION ALL SELECT t.tgname FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
      WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')`,
    dropTrigger: (creation) =>
      creation.replace(/^CREATE TRIGGER (\w+) .*? ON (\w+).*$/s, 'DROP TRIGGER IF EXISTS $1 ON $2'),
    maintenance: postgresMaintenance(`"${schema}"`),
    metadataAsJson: (table, idColumn, ownerColumn, owner) =>
      `(SELECT coalesce(json_agg(json_build_array(m.${idColumn}, m.meta_key, m.meta_value)), '[]'::json)
      FROM ${table} m WHERE m.${ownerColumn} = ${owner})`,
    // The first comparison finds the row in the index, which ignores case.
    metadataOfKey(table, idColumn, ownerColumn, owner, key, place) {
      const [convert, none] = place === 'json' ? ['to_json', `'0'::json`] : ['to_jsonb', `'0'::jsonb`]
      return {
        text: `(SELECT coalesce(${convert}(m.meta_value), ${none}) FROM ${table} m WHERE m.${ownerColumn} = ${owner}
        AND m.meta_key = ? AND m.meta_key COLLATE "C" = ? ORDER BY m.${idColumn} LIMIT 1)`,
        values: [key, key],
      }
    },
    listAsJson: (values) => `json_build_array(${values.join(', ')})`,
    rowsAsJson: (json, order) => `coalesce(json_agg(${json}${order === null ? '' : ` ORDER BY ${order}`}), '[]'::json)`,
    byteLength: (column) => `octet_length(${column})`,
    asText: (column) => column,
    asInteger: (column) => column,
    isOneOf: (column, values) => ({
      text: `${column} = ANY (?::${values.every((value) => typeof value === 'number') ? 'bigint' : 'text'}[])`,
      values: [arrayOf(values)],
    }),
    // With a list of names, the planner compares each row of the type with each of them, by a collation that is slow.
    takenNames: (names, from, column, { text, values }) => ({
      text: `SELECT asked.name FROM unnest(?::text[]) AS asked (name)
        WHERE EXISTS (SELECT 1 FROM ${from} WHERE ${column} = asked.name${text})`,
      values: [arrayOf(names), ...values],
    }),
    contains(columns, text) {
      if (text.length > maxSearchLength) return { text: '1 = 0', values: [] }
      const parts = columns.map((column) => `strpos(${folded(column)}, ${folded('?::text')}) > 0`)
      return { text: `(${parts.join(' OR ')})`, values: columns.map(() => text) }
    },
    containsBytes: (column) => `(strpos(${column} COLLATE "C", ?::text) > 0)`,
    exactText: (expression) => `${expression}::text COLLATE "C"`,
    indexedName: (expression) => `left(${expression}, ${titleKeyLength})`,
    textWithoutCase: (expression) => folded(`${expression}::text`),
    containsExactly: (expression) => `strpos((${expression} #>> '{}') COLLATE "C", ?) > 0`,
    asNumber: numberOf,
    asMoment: momentOf,
    // The planner assumes that a recursive query yields half of the table.
    isAmong: (column, query) => `${column} = ANY (ARRAY(${query}))`,
    existsForEach: (query) => `EXISTS (${query})`,
    // An index has the beginning of the titles. Equal beginnings are ordered by the whole title.
    orderKeys: (column) => (column === 'p.post_title' ? [`left(${column}, ${titleKeyLength})`, column] : [column]),
    withoutIndex: (column) => column,
    page: pageOf,
    // With a join, the planner overestimates the records of the term, and reads the whole table.
    pageOfTerm({ from, id, where, order, listed, termTree, andListed, limit, offset }) {
      const page = pageOf(limit, offset)
      return {
        text: `SELECT ${id} AS page_id FROM ${from} WHERE ${id} = ANY (ARRAY(${termTree.text}
          SELECT l.post_id FROM ${listed} l WHERE l.term_taxonomy_id = ANY (ARRAY(SELECT id FROM term_tree))${andListed.text}))
          ${where.text} ${order.text} ${page.text}`,
        values: [...termTree.values, ...andListed.values, ...where.values, ...order.values, ...page.values],
      }
    },
    fromPage: (
      idsQuery,
      table,
    ) => `FROM (SELECT ids.page_id, row_number() OVER () AS position FROM (${idsQuery}) ids) page
      JOIN ${table} p ON p.ID = page.page_id`,
    pageOrder: 'page.position',
    hasLists: true,
    indexedValues: postgresIndexedValues,
    versions: ({ versions }) => `SELECT tag, sum(version)::text FROM ${versions} GROUP BY tag`,
    insertWithRows: (insert, idColumn, rows) => `WITH ${ownedBy(insert, idColumn, rows)}`,
    insertUnlessFound(query, row, rows) {
      const insert = `INSERT INTO ${row.table} (${row.columns.join(', ')})
        SELECT ${placeholders(row.columns.length)} WHERE NOT EXISTS (SELECT FROM found)`
      const foundRows = `WITH found AS (${query})`
      return rows.count === 0
        ? `${foundRows} ${insert} RETURNING ${row.idColumn}`
        : `${foundRows}, ${ownedBy(insert, row.idColumn, rows)} RETURNING ${rows.ownerColumn}`
    },
    insertUnlessExists: (table, columns, values = placeholders(columns.length)) =>
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values}) ON CONFLICT DO NOTHING`,
    insertOrOverwrite(table, key, columns) {
      const overwritten = columns.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`)
      return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders(columns.length)})
        ON CONFLICT (${key}) DO UPDATE SET ${overwritten.join(', ')}`
    },
    // With `name IN (SELECT …)`, a plan that is cached for all limits reads the whole table. The second condition spares a row that
    // another statement has changed since this one began. `CASE` keeps the planner from using an index for it.
    deleteFirst: (table, { text, values }, order, limit) => ({
      text: `DELETE FROM ${table} WHERE name = ANY(ARRAY(
        SELECT name FROM ${table} WHERE ${text} ORDER BY ${order} LIMIT ?)) AND CASE WHEN ${text} THEN 1 END = 1`,
      values: [...values, limit, ...values],
    }),
    isDuplicateKey,
    now: `CAST(EXTRACT(epoch FROM statement_timestamp()) * 1000 AS bigint)`,
    fillCounters: (table, rows) => `INSERT INTO ${table} (name, kind, empty_at, networks) VALUES ${counterRows(rows)}
      ON CONFLICT (name) DO UPDATE SET empty_at = GREATEST(${table}.empty_at, ?) + excluded.empty_at - ?`,
    comparedOutside: () => null,
  }
}

/** An insert named `owner`, and the insert of the rows that belong to the new row. */
function ownedBy(insert: string, idColumn: string, { table, ownerColumn, columns, count }: OwnedRows): string {
  const values = columns.map(() => '?::text').join(', ')
  const rows = Array.from({ length: count }, (_, index) => `(${index}, ${values})`)
  return `owner AS (${insert} RETURNING ${idColumn} AS id)
    INSERT INTO ${table} (${ownerColumn}, ${columns.join(', ')})
    SELECT owner.id, ${columns.map((column) => `owned.${column}`).join(', ')}
    FROM owner, (VALUES ${rows.join(', ')}) owned (position, ${columns.join(', ')}) ORDER BY owned.position`
}

/**
 * `LIMIT` and `OFFSET`. A small limit is part of the text: for a bound one the planner assumes a tenth of all rows, and
 * reads whole tables.
 */
function pageOf(limit: number, offset: number): SqlFragment {
  const [limited, limits] = limit <= maxPlannedLimit ? [`LIMIT ${limit}`, []] : ['LIMIT ?', [limit]]
  return offset === 0 ? { text: limited, values: limits } : { text: `${limited} OFFSET ?`, values: [...limits, offset] }
}

/** A text in lower case, as an expression for searches. `strpos` refuses collations that ignore accents, and "C" changes ASCII only. */
const folded = (expression: string): string => `lower(${expression} COLLATE "und-x-icu") COLLATE "C"`

/** An array in the text form of PostgreSQL. Numbers that cannot be an id are left out. */
function arrayOf(values: readonly (number | string)[]): string {
  const elements = values.flatMap((value) => {
    if (typeof value === 'string') return [`"${value.replaceAll(/["\\]/g, '\\$&')}"`]
    return Number.isSafeInteger(value) ? [String(value)] : []
  })
  return `{${elements.join()}}`
}
