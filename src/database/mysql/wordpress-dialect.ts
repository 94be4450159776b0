import { placeholders } from '../sql/row-values.js'
import type { SqlFragment } from '../sql/sql-connection.js'
import type { SqlDialect } from '../sql/sql-dialect.js'
import { isAscii, unaccented } from '../sql/text-comparison.js'
import type { WordPressTexts } from './wordpress-texts.js'
import { castMoment, maxSearchLength, mysqlDialect } from './mysql-dialect.js'
import { mysqlMaintenance } from './mysql-maintenance.js'
import { jsonColumn } from './mysql-values.js'
import { isOlderServer, type ServerFacts } from './server-facts.js'

/**
 * The statements for WordPress's own tables, whose texts may have any charset and collation, on servers that are older than
 * our own schema needs: without JSON_TABLE, and without JSON_ARRAYAGG on MariaDB before 10.5.
 */
export function wordpressDialect(
  { kind, version }: Pick<ServerFacts, 'kind' | 'version'>,
  { ignoresAccents }: Pick<WordPressTexts, 'ignoresAccents'>,
): SqlDialect {
  const hasJsonLists = kind === 'MySQL' || !isOlderServer(version, '10.5')
  return {
    ...mysqlDialect(kind),
    migrations: () => [],
    hasLists: false,
    indexedValues: null,
    maintenance: { ...mysqlMaintenance(kind), fillLists: () => [] },
    pageOfTerm: () => null,
    ...(hasJsonLists ? {} : withoutJsonLists),
    // The column's own collation. Another one does not fit every charset.
    contains(columns, text) {
      if (text.length > maxSearchLength) return { text: '1 = 0', values: [] }
      const pattern = `%${text.replace(/[!%_]/g, '!$&')}%`
      return {
        text: `(${columns.map((column) => `${column} LIKE ? ESCAPE '!'`).join(' OR ')})`,
        values: columns.map(() => pattern),
      }
    },
    ...(ignoresAccents && { searchedText: withoutAccents }),
    exactText: bytesOf,
    // The column's own collation, by which WordPress compares.
    textWithoutCase: (expression) => expression,
    asMoment: castMoment,
    metadataOfKey(table, idColumn, ownerColumn, owner, key, place) {
      const json = `${jsonColumn}m.meta_value), '0') FROM ${table} m WHERE m.${ownerColumn} = ${owner}
        AND m.meta_key = ? AND ${bytesOf('m.meta_key')} = ${bytesOf('?')} ORDER BY m.${idColumn} LIMIT 1)`
      return { text: place === 'json' ? `JSON_EXTRACT(${json}, '$')` : json, values: [key, key] }
    },
    containsBytes: (column) => `(INSTR(${bytesOf(column)}, ${bytesOf('?')}) > 0)`,
    containsExactly: (expression) => `INSTR(${bytesOf(`JSON_UNQUOTE(${expression})`)}, ${bytesOf('?')}) > 0`,
    isOneOf,
    orderKeys: (column) => [column],
  }
}

/** Removes case and accents. The result is close to a comparison by the primary level of a Unicode collation. */
const withoutAccents = (text: string): string => (isAscii(text) ? text : unaccented(text)).toLowerCase()

const bytesOf = (expression: string): string => `CAST(CONVERT(${expression} USING utf8mb4) AS BINARY)`

/** The last value fills the list up to a power of two, so that lists of all lengths need few statements. */
function isOneOf(column: string, values: readonly number[] | readonly string[]): SqlFragment {
  const last = values.at(-1)
  if (last === undefined) return { text: '1 = 0', values: [] }
  const amount = 2 ** Math.ceil(Math.log2(values.length))
  const filling = Array.from({ length: amount - values.length }, () => last)
  return { text: `${column} IN (${placeholders(amount)})`, values: [...values, ...filling] }
}

const listOf = (json: string): string => `CONCAT('[', GROUP_CONCAT(${json} SEPARATOR ','), ']')`

const withoutJsonLists: Pick<SqlDialect, 'metadataAsJson' | 'rowsAsJson'> = {
  metadataAsJson: (table, idColumn, ownerColumn, owner) =>
    `(SELECT JSON_EXTRACT(${listOf(`JSON_ARRAY(m.${idColumn}, m.meta_key, m.meta_value)`)}, '$')
    FROM ${table} m WHERE m.${ownerColumn} = ${owner})`,
  rowsAsJson: listOf,
}
