import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { boundValues } from '../../src/database/postgres/postgres-text.js'
import { Statements } from '../../src/database/postgres/statements.js'
import type { SqlValue } from '../../src/database/sql/sql-connection.js'
import { statementsWithValues, type Statement } from '../support/counted-statements.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { freshMariadb } from '../support/servers/open-fresh-mariadb.js'
import { freshPostgres } from '../support/servers/open-fresh-postgres.js'
import { onlyOnSqlite } from '../support/test-database.js'
import { countedShop, pages, type CountedShop } from './requests.js'

/** Tables that grow with a site, and those that triggers fill from them. The others have few rows, or are read by their key only. */
const growing =
  'posts postmeta users usermeta terms termmeta term_taxonomy term_relationships options as_rest_route_listed as_rest_route_indexed_values as_rest_route_jobs as_rest_route_responses'.split(
    ' ',
  )

interface PlannedServer {
  readonly url: string
  /** Adds thousands of rows to each table of content, so that a plan without an index is one that the server avoids. */
  fill(): Promise<void>
  /** What a statement reads whole, or sorts, although it grows; an empty list for a plan by indexes. */
  unbounded(statement: Statement): Promise<readonly string[]>
  drop(): Promise<void>
}

const rows = 12_000

/** The statements that fill a site. @param numbers a table expression with the numbers from 1 in its column `n`. */
function fillers(
  numbers: (count: number) => string,
  joined: (...parts: readonly string[]) => string,
): readonly string[] {
  const date = `'2001-02-03 04:05:06'`
  const meta = (table: string, owner: string, from: string, keys: readonly string[]) =>
    keys.map(
      (key) =>
        `INSERT INTO ${table} (${owner}, meta_key, meta_value) SELECT ${from === 'wp_terms' ? 'term_id' : 'ID'}, '${key}', '5' FROM ${from}`,
    )
  return [
    `INSERT INTO wp_users (user_login, user_email, user_nicename, display_name)
      SELECT ${joined(`'filler'`, 'n')}, ${joined(`'filler'`, 'n', `'@example.org'`)}, ${joined(`'filler'`, 'n')}, '' FROM ${numbers(3000)}`,
    `INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_modified, post_modified_gmt, post_content, post_title, post_excerpt,
      post_status, post_name, to_ping, pinged, post_content_filtered, post_type, menu_order)
      SELECT 1 + n % 50, ${date}, ${date}, ${date}, ${date}, '${'text '.repeat(40)}', ${joined(`'Filler '`, 'n')}, '',
      CASE WHEN n % 20 = 1 THEN 'draft' ELSE 'publish' END, ${joined(`'filler-'`, 'n')}, '', '', '',
      CASE n % 3 WHEN 0 THEN 'product' WHEN 1 THEN 'post' ELSE 'page' END, n FROM ${numbers(rows)}`,
    ...meta('wp_postmeta', 'post_id', 'wp_posts', ['colour', 'size', 'price', 'total_sales']),
    ...meta('wp_usermeta', 'user_id', 'wp_users', ['nickname', 'first_name', 'locale']),
    `INSERT INTO wp_terms (name, slug) SELECT ${joined(`'Filler '`, 'n')}, ${joined(`'filler-'`, 'n')} FROM ${numbers(3000)}`,
    ...meta('wp_termmeta', 'term_id', 'wp_terms', ['colour']),
    `INSERT INTO wp_term_taxonomy (term_id, taxonomy, description, parent)
      SELECT term_id, 'category', '', 0 FROM wp_terms WHERE term_id NOT IN (SELECT term_id FROM wp_term_taxonomy)`,
    `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id)
      SELECT ID, (SELECT MIN(term_taxonomy_id) FROM wp_term_taxonomy) + ID % 2000 FROM wp_posts WHERE post_date < '2002'`,
    `INSERT INTO wp_options (option_name, option_value, autoload) SELECT ${joined(`'filler_'`, 'n')}, 'x', 'off' FROM ${numbers(3000)}`,
    `INSERT INTO wp_as_rest_route_jobs (name, payload, state, due_at, holder, attempts, error, request_id, created_at)
      SELECT 'filler', '', 'failed', 1, '', 8, '', '', 1 FROM ${numbers(3000)}`,
    `INSERT INTO wp_as_rest_route_responses SELECT ${joined(`'filler'`, 'n')}, 'me', 'f', 4102444800000, 5, 'x' FROM ${numbers(3000)}`,
  ]
}

async function plannedPostgres(): Promise<PlannedServer> {
  const database = await freshPostgres()
  const schema = new URL(database.url).searchParams.get('schema') ?? ''
  const inSchema = (text: string) => database.foreign(`SET search_path = ${schema}; ${text}`)
  const seqScan = new RegExp(`Seq Scan on (wp_(?:${growing.join('|')}))\\b`, 'g')
  return {
    url: database.url,
    drop: () => database.drop(),
    async fill() {
      const statements = fillers(
        (count) => `generate_series(1, ${count}) n`,
        (...parts) => parts.join(' || '),
      )
      for (const statement of statements) await inSchema(`${statement}; SELECT 1`)
      await inSchema(`ANALYZE ${growing.map((name) => `wp_${name}`).join(', ')}; SELECT 1`)
    },
    async unbounded({ text, values }) {
      const literals = boundValues(values as readonly SqlValue[]).map((value) =>
        value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`,
      )
      const found: string[] = []
      // The plan for these values, and the one for any values: a session uses both.
      for (const mode of ['force_custom_plan', 'force_generic_plan']) {
        const lines = await inSchema(
          `SET jit = off; SET plan_cache_mode = ${mode}; PREPARE statement AS ${new Statements().of(text).text};
          EXPLAIN EXECUTE statement${literals.length === 0 ? '' : `(${literals.join(', ')})`}`,
        )
        const plan = lines.flat().join('\n')
        found.push(...[...plan.matchAll(seqScan)].map(([, table]) => `${mode}: all of ${table}\n${plan}`))
        for (const [, sorted] of plan.matchAll(/(?:->|^) *Sort  \(cost=.*? rows=(\d+)/gm))
          if (Number(sorted) > 500) found.push(`${mode}: ${sorted} rows are sorted\n${plan}`)
      }
      return found
    },
  }
}

async function plannedMariadb(): Promise<PlannedServer> {
  const database = await freshMariadb()
  return {
    url: database.url,
    drop: () => database.drop(),
    async fill() {
      const statements = fillers(
        (count) => `(SELECT seq AS n FROM seq_1_to_${count}) numbers`,
        (...parts) => `CONCAT(${parts.join(', ')})`,
      )
      await database.foreign(`SET SESSION sql_mode = ''`, ...statements)
      await database.foreign(`ANALYZE TABLE ${growing.map((name) => `wp_${name}`).join(', ')} PERSISTENT FOR ALL`)
    },
    async unbounded({ text, values }) {
      if (text.startsWith('BEGIN NOT ATOMIC')) return []
      let index = 0
      const literal = (value: unknown): string =>
        typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value ?? 'NULL')
      const filled = text.replaceAll(/'(?:[^'\\]|\\.|'')*'|\?/g, (part) =>
        part === '?' ? literal(values[(index += 1) - 1]) : part,
      )
      const lines = await database.foreign('SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci', `EXPLAIN ${filled}`)
      // id, select_type, table, type, possible_keys, key, key_len, ref, rows, extra
      return lines
        .filter(([, , , type, , , , , count]) => (type === 'ALL' || type === 'index') && Number(count) > 500)
        .map((line) => line.join(' '))
    },
  }
}

const servers = [
  ['PostgreSQL', 'postgres', plannedPostgres],
  ['MariaDB', 'mariadb', plannedMariadb],
] as const

for (const [name, kind, open] of servers)
  describe(`plans of ${name}`, { skip: skipWithoutServer(kind) || onlyOnSqlite, timeout: 600_000 }, () => {
    let server: PlannedServer
    let shop: CountedShop
    before(async () => {
      server = await open()
      shop = await countedShop(server.url)
      await server.fill()
    })
    after(async () => {
      await shop.close()
      await server.drop()
    })

    /** The statements of a request after rows of all kinds were written, none of which is in a cache. */
    async function statementsOf(send: () => Promise<Response>): Promise<readonly Statement[]> {
      await shop.writeAllKinds()
      const statements = await statementsWithValues(async () => void (await (await send()).text()))
      return statements.filter(({ text }) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN NOT ATOMIC)\b/.test(text))
    }

    async function assertIndexed(statements: readonly Statement[]): Promise<void> {
      for (const statement of statements) assert.deepEqual(await server.unbounded(statement), [], statement.text)
    }

    it('every statement of a request to a route finds its rows by indexes', async () => {
      const texts = new Set<string>()
      for (const request of shop.requests) {
        const statements = await statementsOf(await request.prepare())
        await assertIndexed(statements)
        for (const { text } of statements) texts.add(text)
      }
      assert.ok(texts.size > 30, `${texts.size} statements`)
    })

    // The front page lists all categories.
    for (const path of pages.filter((each) => each !== '/'))
      it(`so does every statement of the page ${path}`, async () => {
        const statements = await statementsOf(() => fetch(shop.url + path, { redirect: 'manual' }))
        assert.ok(statements.length > 0)
        await assertIndexed(statements)
      })

    it('a condition without an index is noticed', async () => {
      const text = 'SELECT ID FROM wp_posts WHERE post_content = ?'
      assert.notDeepEqual(await server.unbounded({ text, values: ['x'] }), [])
    })
  })
