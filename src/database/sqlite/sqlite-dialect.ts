import { counterRows } from '../sql/attempt-rows.js'
import { placeholders } from '../sql/row-values.js'
import type { SqlFragment } from '../sql/sql-connection.js'
import type { SqlDialect } from '../sql/sql-dialect.js'
import { isAscii } from '../sql/text-comparison.js'
import { momentOf } from './sqlite-moment.js'
import { sqliteMaintenance } from './sqlite-maintenance.js'
import { notAscii, sqliteMigrations } from './sqlite-schema.js'

/** Maximum length of a text that is searched for, or compared as a pattern, because a comparison blocks the process. */
const maxSearchLength = 200

/** Where the SQL of SQLite differs from that of the servers. */
export const sqliteDialect: SqlDialect = {
  migrations: sqliteMigrations,
  findTable: `SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`,
  findAnyTable: 'SELECT 1 FROM sqlite_master LIMIT 1',
  partNames: `SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger')`,
  maintenance: sqliteMaintenance,
  metadataAsJson: (table, idColumn, ownerColumn, owner) =>
    `(SELECT json_group_array(json_array(m.${idColumn}, CAST(m.meta_key AS TEXT), CAST(m.meta_value AS TEXT)))
    FROM ${table} m WHERE m.${ownerColumn} = ${owner})`,
  // The first comparison finds the row in the index, which ignores case.
  // Texts with a NUL character are BLOBs: JSON does not take them, and a text column is read up to the NUL only.
  metadataOfKey: (table, idColumn, ownerColumn, owner, key, place) => ({
    text: `(SELECT COALESCE(${place === 'json' ? 'CAST(m.meta_value AS TEXT)' : 'm.meta_value'}, 0) FROM ${table} m WHERE m.${ownerColumn} = ${owner}
    AND m.meta_key = ? AND m.meta_key = ? COLLATE BINARY ORDER BY m.${idColumn} LIMIT 1)`,
    values: [key, key],
  }),
  listAsJson: (values) => `json_array(${values.join(', ')})`,
  rowsAsJson: (json) => `json_group_array(${json})`,
  byteLength: (column) => `octet_length(${column})`,
  // Texts with a NUL character are BLOBs in the table, which JSON does not take.
  asText: (column) => `CAST(${column} AS TEXT)`,
  // A column stores text and BLOBs that are no number unchanged. Unlike a test of the type, the cast reads the column once.
  asInteger: (column) => `CAST(${column} AS INTEGER)`,
  isOneOf: (column, values) => ({
    text: `${column} IN (SELECT value FROM json_each(?))`,
    values: [JSON.stringify(values)],
  }),
  contains,
  containsBytes: (column) => `(instr(${column}, ?) > 0)`,
  exactText: (expression) => `${expression} COLLATE BINARY`,
  // `lower` changes ASCII only, so the order of other letters depends on their case.
  textWithoutCase: (expression) => `lower(${expression}) COLLATE BINARY`,
  equalsWithoutCase,
  containsExactly: (expression) => `instr(${expression}, ?) > 0`,
  asNumber: (expression) => `CAST(${expression} AS REAL)`,
  asMoment: momentOf,
  // SQLite reads a bare `?` when it plans the statement, and plans it again for every other page.
  page: (limit, offset) => ({ text: 'LIMIT (? + 0) OFFSET (? + 0)', values: [limit, offset] }),
  isAmong: (column, query) => `${column} IN (${query})`,
  existsForEach: (query) => `EXISTS (${query})`,
  orderKeys: (column) => [column],
  withoutIndex: (column) => `+${column}`,
  // Of a CROSS JOIN, SQLite always walks the left side first.
  fromPage: (idsQuery, table) => `FROM (${idsQuery}) page CROSS JOIN ${table} p WHERE p.ID = page.page_id`,
  pageOrder: null,
  hasLists: false,
  indexedValues: null,
  versions: ({ versions }) => `SELECT tag, version FROM ${versions}`,
  insertUnlessExists: (table, columns, values = placeholders(columns.length)) =>
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values}) ON CONFLICT DO NOTHING`,
  insertOrOverwrite(table, key, columns) {
    const overwritten = columns.filter((column) => column !== key).map((column) => `${column} = excluded.${column}`)
    return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders(columns.length)})
      ON CONFLICT (${key}) DO UPDATE SET ${overwritten.join(', ')}`
  },
  deleteFirst: (table, { text, values }, order, limit) => ({
    text: `DELETE FROM ${table} WHERE name IN (SELECT name FROM ${table} WHERE ${text} ORDER BY ${order} LIMIT ?)`,
    values: [...values, limit],
  }),
  now: `CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`,
  fillCounters: (table, rows) => `INSERT INTO ${table} (name, kind, empty_at, networks) VALUES ${counterRows(rows)}
    ON CONFLICT (name) DO UPDATE SET empty_at = max(${table}.empty_at, ?) + excluded.empty_at - ?`,
  comparedOutside: notAscii,
}

/**
 * `lower` changes ASCII only, so the other letters of the text are replaced in the column. `LIKE` and `GLOB` are up to a hundred
 * times as slow as `instr`: they compare letter by letter at each position.
 */
function contains(columns: readonly string[], text: string): SqlFragment {
  if (text.length > maxSearchLength) return { text: '1 = 0', values: [] }
  const replaced = new Map<string, string>()
  const folded = Array.from(text, (character) => {
    const letter = foldedLetter(character)
    for (const spelling of [character, character.toLowerCase(), character.toUpperCase()])
      if (spelling !== letter && isCharacter(spelling) && !isAscii(spelling)) replaced.set(spelling, letter)
    return letter
  }).join('')
  const start = 'replace('.repeat(replaced.size)
  const end = ', ?, ?)'.repeat(replaced.size)
  return {
    text: `(${columns.map((column) => `instr(${start}lower(${column})${end}, ?) > 0`).join(' OR ')})`,
    values: columns.flatMap(() => [...[...replaced].flat(), folded]),
  }
}

const isCharacter = (text: string): boolean => [...text].length === 1

/** `É` as `é`, and `ς` as `σ`, whose upper case is the same. */
function foldedLetter(character: string): string {
  const folded = character.toUpperCase().toLowerCase()
  return isCharacter(folded) ? folded : character
}

/** `LIKE` and `GLOB` without a wildcard compare whole texts. */
function equalsWithoutCase(column: string, text: string): SqlFragment {
  if (text.length > maxSearchLength || text.includes('\0'))
    return { text: `lower(${column}) = lower(?)`, values: [text] }
  if (isAscii(text)) return { text: `${column} LIKE ? ESCAPE '!'`, values: [text.replace(/[!%_]/g, '!$&')] }
  return { text: `${column} GLOB ?`, values: [Array.from(text, characterClass).join('')] }
}

function characterClass(character: string): string {
  const spellings = new Set([character, character.toLowerCase(), character.toUpperCase()])
  const single = [...spellings].filter((spelling) => [...spelling].length === 1)
  return single.length > 1 || '*?['.includes(character) ? `[${single.join('')}]` : character
}
