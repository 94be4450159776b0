// Adds products until there are so many: `node bench/data/grow.mjs <database file> <number>`. They are copies of the
// first one with dates before it, so the first page stays what it was.
import { openDatabase } from '../peers/database.mjs'

const [file, number] = process.argv.slice(2)
const database = await openDatabase(file, 'OFF')
const { present } = database.prepare(`SELECT COUNT(*) AS present FROM wp_posts WHERE post_type = 'product'`).get()
const { last } = database.prepare('SELECT MAX(ID) AS last FROM wp_posts').get()
const columns = database
  .prepare(`SELECT name FROM pragma_table_info('wp_posts')`)
  .all()
  .map(({ name }) => name)
const own = {
  ID: `${last} + n`,
  post_name: `'product-' || (${last} + n)`,
  post_title: `'Product ' || (${last} + n)`,
  post_date: `datetime('2020-01-01', '-' || n || ' minutes')`,
  post_date_gmt: `datetime('2020-01-01', '-' || n || ' minutes')`,
}
const numbers = `WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${Number(number) - present})`
database.exec('BEGIN')
database.exec(`INSERT INTO wp_posts (${columns.join(', ')}) ${numbers}
  SELECT ${columns.map((name) => own[name] ?? `p.${name}`).join(', ')} FROM numbers
  CROSS JOIN wp_posts p WHERE p.ID = (SELECT MIN(ID) FROM wp_posts WHERE post_type = 'product')`)
for (const [key, value] of [
  ['price', '(n * 37 % 20000) / 100.0'],
  ['total_sales', 'n * 7919 % 1000'],
]) {
  database.exec(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) ${numbers}
    SELECT ${last} + n, '${key}', CAST(${value} AS TEXT) FROM numbers`)
}
database.exec('COMMIT')
database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
database.close()
