import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshMariadb, type FreshMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { postSql } from '../sql/post-query.js'
import { tableNames } from '../sql/table-names.js'
import type { OrderColumn, PostQuery } from '../storage.js'
import { mysqlDialect } from './mysql-dialect.js'

const tables = tableNames('wp_')
const dialect = mysqlDialect('MariaDB')
const products = { types: ['product'], statuses: ['publish'] }

describe('plans of MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  let database: FreshMariadb
  before(async () => {
    database = await freshMariadb()
    const storage = await database.open()
    const term = await storage.terms.insert({ taxonomy: 'category', name: 'Few', slug: 'few' })
    await database.foreign(
      'SET SESSION sql_mode = ""',
      'DROP TRIGGER wp_posts_insert_raises',
      'DROP TRIGGER wp_term_relationships_insert_raises',
      `INSERT INTO wp_posts (ID, post_author, post_date, post_modified, post_content, post_title, post_excerpt, post_status, post_name,
        to_ping, pinged, post_content_filtered, post_type, menu_order)
        SELECT seq, seq % 50, '2026-01-01' + INTERVAL seq MINUTE, '2026-01-01' + INTERVAL seq MINUTE, REPEAT('x', 500), CONCAT('Title ', seq), '',
        IF(seq % 10 = 0, 'draft', 'publish'), CONCAT('slug-', seq), '', '', '', IF(seq % 3 = 0, 'post', 'product'), seq FROM seq_1_to_5000`,
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT seq * 100, ${term} FROM seq_1_to_20`,
      'ANALYZE TABLE wp_posts, wp_term_relationships, wp_term_taxonomy, wp_terms PERSISTENT FOR ALL',
    )
  })
  after(() => database.drop())

  interface Step {
    readonly table: string
    readonly key: string | null
    readonly rows: number
    readonly extra: string
  }

  /** The plan of a statement, whose values are written into it. */
  async function planOf(text: string, values: readonly unknown[]): Promise<Step[]> {
    let index = 0
    const filled = text.replaceAll('?', () => {
      const value = values[(index += 1) - 1]
      return typeof value === 'number' ? String(value) : `'${String(value)}'`
    })
    const rows = await database.foreign('SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci', `EXPLAIN ${filled}`)
    return rows.map((row) => ({
      table: row[2] ?? '',
      key: row[5] ?? null,
      rows: Number(row[8]),
      extra: row[9] ?? '',
    }))
  }

  function pageOf(query: Omit<PostQuery, 'limit' | 'offset'>): Promise<Step[]> {
    const { text, values } = postSql({ ...query, limit: 10, offset: 0 }, tables, dialect, { isOrdered: true })
    const page = dialect.page(10, 0)
    return planOf(`SELECT p.ID AS page_id FROM wp_posts p ${text()} ${page.text}`, [...values, ...page.values])
  }

  const orders: [by: OrderColumn, key: string][] = [
    ['date', 'type_status_date'],
    ['modified', 'type_status_modified'],
    ['slug', 'type_status_name'],
    ['menu_order', 'type_status_menu_order'],
  ]
  for (const [by, key] of orders)
    for (const direction of ['asc', 'desc'] as const) {
      // A descending order of numbers or names ends with ascending ids, which no index has.
      const isOfIndex = direction === 'asc' || by === 'date' || by === 'modified'
      it(`a list by ${by}, ${direction}, ${isOfIndex ? 'is read in the order of' : 'reads one type and sorts it by'} an index`, async () => {
        const [step] = await pageOf({ ...products, order: [{ by, direction }] })
        assert.ok(step)
        if (isOfIndex) assert.equal(step.key, key)
        else assert.match(step.key ?? '', /^type_status/)
        assert.equal(/filesort/.test(step.extra), !isOfIndex, step.extra)
      })
    }

  it('a list by title reads one type by an index and sorts it', async () => {
    const [step] = await pageOf({ ...products, order: [{ by: 'title', direction: 'asc' }] })
    assert.match(step?.key ?? '', /^type_status/)
  })

  it('a slug is found by its index', async () => {
    const [step] = await pageOf({ ...products, slug: 'slug-17', order: [] })
    assert.equal(step?.key, 'post_name')
    assert.ok((step?.rows ?? 0) <= 2)
  })

  it('the records of a category are found from the category', async () => {
    const plan = await pageOf({ ...products, term: { taxonomy: 'category', slug: 'few' }, order: [] })
    for (const { table, key, rows } of plan)
      if (table === 'p' || table === 'r') assert.ok(key !== null || rows < 100, JSON.stringify(plan))
  })

  it('single records and lists of ids are found by the primary key', async () => {
    const [single] = await planOf('SELECT p.post_title FROM wp_posts p WHERE p.ID = ?', [17])
    assert.deepEqual([single?.key, single?.rows], ['PRIMARY', 1])
    const { text, values } = dialect.isOneOf('p.ID', [1, 2, 3])
    const plan = await planOf(`SELECT p.post_title FROM wp_posts p WHERE ${text}`, values)
    const posts = plan.find(({ table }) => table === 'p')
    assert.deepEqual([posts?.key, posts?.rows], ['PRIMARY', 1], JSON.stringify(plan))
  })

  it('counters of a kind and their total are read by the key', async () => {
    const [kind] = await planOf('SELECT SUM(v.version) FROM wp_as_rest_route_versions v WHERE v.tag = ?', ['product'])
    assert.equal(kind?.key, 'PRIMARY')
  })
})
