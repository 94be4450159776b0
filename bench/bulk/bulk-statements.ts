import type { TableNames } from '../../src/database/sql/table-names.js'

export type Kind = 'sqlite' | 'postgres' | 'mysql'

/** How a database writes the expressions of a bulk insert over the number `n`. */
interface Expressions {
  joined(...parts: readonly string[]): string
  text(expression: string): string
  /** The date so many minutes after the year 2000. */
  date(minutes: string): string
}

const standard = (...parts: readonly string[]): string => parts.join(' || ')

const expressions: Readonly<Record<Kind, Expressions>> = {
  sqlite: {
    joined: standard,
    text: (expression) => `CAST(${expression} AS TEXT)`,
    date: (minutes) => `datetime('2000-01-01', (${minutes}) || ' minutes')`,
  },
  postgres: {
    joined: standard,
    text: (expression) => `(${expression})::text`,
    date: (minutes) => `to_char(timestamp '2000-01-01' + (${minutes}) * interval '1 minute', 'YYYY-MM-DD HH24:MI:SS')`,
  },
  mysql: {
    joined: (...parts) => `CONCAT(${parts.join(', ')})`,
    text: (expression) => `CAST(${expression} AS CHAR)`,
    date: (minutes) => `TIMESTAMP('2000-01-01') + INTERVAL (${minutes}) MINUTE`,
  },
}

/** Maximum number of products of one statement. */
export const maxBatch = 10_000
/** A product belongs to one of so many categories, each with the same number of products. */
export const categories = 100

const materials = ['Oak', 'Brass', 'Café', 'Linen', 'Willow', 'Élan', 'Cork'] as const
const sentence = 'Made by hand from oak and brass, it lasts a lifetime and is sent within two days.'

/**
 * The statements that insert the products `first` to `last`: the rows, three rows of metadata for each, and the category of
 * each. The same numbers make the same rows on every database.
 * @param base is added to a number to make an id.
 * @param termTaxonomies the `term_taxonomy_id` of the first category; the others follow.
 */
export function bulkStatements(
  kind: Kind,
  { posts, postmeta, term_relationships }: TableNames,
  { first, last, base, termTaxonomies }: { first: number; last: number; base: number; termTaxonomies: number },
): readonly string[] {
  const { joined, text, date } = expressions[kind]
  const digit = Array.from({ length: 10 }, (_, index) => `SELECT ${index}${index === 0 ? ' AS d' : ''}`).join(
    ' UNION ALL ',
  )
  const places = ['a', 'b', 'c', 'e']
  const sum = places.map((name, index) => `${10 ** index} * ${name}.d`).join(' + ')
  // Products of these numbers exceed 32 bits.
  const start = kind === 'postgres' ? `${first}::bigint` : String(first)
  const numbers = `(SELECT ${start} + ${sum} AS n FROM ${places.map((name) => `(${digit}) ${name}`).join(' CROSS JOIN ')}) numbers
    WHERE n <= ${last}`
  const material = `CASE n % ${materials.length} ${materials.map((name, index) => `WHEN ${index} THEN '${name}'`).join(' ')} END`
  const draft = `CASE WHEN n % 50 = 7 THEN 'draft' ELSE 'publish' END`
  const columns: Readonly<Record<string, string>> = {
    ID: `${base} + n`,
    post_author: '1 + n % 20',
    post_date: date('n'),
    post_date_gmt: date('n'),
    post_content: joined(`'<p>${sentence}</p><p>Number '`, text('n'), `'.</p>'`),
    post_title: joined(material, `' '`, text('(n * 7919) % 1000003')),
    post_excerpt: `''`,
    post_status: draft,
    post_name: joined(`'product-'`, text('n')),
    post_modified: date('n + (n * 17) % 100000'),
    post_modified_gmt: date('n + (n * 17) % 100000'),
    to_ping: `''`,
    pinged: `''`,
    post_content_filtered: `''`,
    menu_order: '(n * 31) % 1000',
    post_type: `'product'`,
  }
  const entries: readonly (readonly [key: string, value: string])[] = [
    ['price', text('(n * 37) % 20000')],
    ['total_sales', text('(n * 7919) % 1000')],
    ['sku', joined(`'SKU-'`, text('n'))],
  ]
  return [
    `INSERT INTO ${posts} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM ${numbers} ORDER BY n`,
    ...entries.map(
      ([key, value]) =>
        `INSERT INTO ${postmeta} (post_id, meta_key, meta_value) SELECT ${base} + n, '${key}', ${value} FROM ${numbers} ORDER BY n`,
    ),
    `INSERT INTO ${term_relationships} (object_id, term_taxonomy_id, term_order)
      SELECT ${base} + n, ${termTaxonomies} + n % ${categories}, 0 FROM ${numbers} ORDER BY n`,
  ]
}
