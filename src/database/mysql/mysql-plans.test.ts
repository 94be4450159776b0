import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { metaFilters } from '../../../test/contracts/meta-filters.js'
import { statementsWithValues } from '../../../test/support/counted-statements.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshMariadb, type FreshMariadb } from '../../../test/support/servers/open-fresh-mariadb.js'
import { postSql } from '../sql/post-query.js'
import { scheduledStatements } from '../sql/scheduled-rows.js'
import { tableNames } from '../sql/table-names.js'
import type { OrderColumn, PostOrder, PostQuery, Storage } from '../storage.js'
import { dateQueryFilter } from '../../content/date-query.js'
import { Terms } from '../../content/terms.js'
import type { TermFilter } from '../term-filter.js'
import type { OpenedStorage } from '../store-adapter.js'
import { mysqlDialect } from './mysql-dialect.js'
import { totalQuery } from './mysql-versions.js'

const tables = tableNames('wp_')
const dialect = mysqlDialect('MariaDB')
const products = { types: ['product'], statuses: ['publish'] }

describe('plans of MariaDB', { skip: skipWithoutServer('mariadb') }, () => {
  let database: FreshMariadb
  let storage: OpenedStorage
  before(async () => {
    database = await freshMariadb()
    storage = await database.open({ rowCache: false })
    const term = await storage.terms.insert({ taxonomy: 'category', name: 'Few', slug: 'few' })
    const many = await storage.terms.insert({ taxonomy: 'category', name: 'Many', slug: 'many' })
    await database.foreign(
      'SET SESSION sql_mode = ""',
      'DROP TRIGGER wp_posts_insert_raises',
      'DROP TRIGGER wp_term_relationships_insert_raises',
      `INSERT INTO wp_posts (ID, post_author, post_date, post_modified, post_content, post_title, post_excerpt, post_status, post_name,
        to_ping, pinged, post_content_filtered, post_type, menu_order)
        SELECT seq, seq % 50, '2026-01-01' + INTERVAL seq MINUTE, '2026-01-01' + INTERVAL seq MINUTE, REPEAT('x', 500), CONCAT('Title ', seq), '',
        IF(seq % 10 = 0, 'draft', 'publish'), CONCAT('slug-', seq), '', '', '', IF(seq % 3 = 0, 'post', 'product'), seq FROM seq_1_to_5000`,
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
        SELECT seq, 'price', seq FROM seq_1_to_5000 UNION ALL SELECT seq, 'colour', seq FROM seq_1_to_5000`,
      `INSERT INTO wp_users (user_login, user_email, user_nicename, display_name)
        SELECT CONCAT('user', seq), CONCAT('user', seq, '@example.org'), CONCAT('user', seq), '' FROM seq_1_to_2000`,
      `INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT seq, 'session_tokens', '' FROM seq_1_to_2000`,
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT seq * 100, ${term} FROM seq_1_to_20`,
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT seq, ${many} FROM seq_1_to_5000 WHERE seq % 2 = 0`,
    )
    await storage.indexMeta?.([{ type: 'product', key: 'price' }], () => undefined)
    await database.foreign(
      'ANALYZE TABLE wp_as_rest_route_listed, wp_as_rest_route_indexed_values, wp_posts, wp_postmeta, wp_users, wp_usermeta, wp_term_relationships, wp_term_taxonomy, wp_terms PERSISTENT FOR ALL',
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
    // A pattern within quotes may have question marks of its own.
    const filled = text.replaceAll(/'[^']*'|\?/g, (part) => {
      if (part !== '?') return part
      const value = values[(index += 1) - 1]
      return typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
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
    ['title', 'type_status_title'],
  ]
  for (const [by, key] of orders)
    for (const direction of ['asc', 'desc'] as const)
      it(`a list by ${by}, ${direction}, is read in the order of an index`, async () => {
        const [step] = await pageOf({ ...products, order: [{ by, direction }] })
        assert.equal(step?.key, key)
        assert.doesNotMatch(step?.extra ?? '', /filesort/)
      })

  for (const [direction, key] of [
    ['asc', 'ascending'],
    ['desc', 'descending'],
  ] as const)
    it(`a list by an indexed number, ${direction}, is read in the order of an index`, async () => {
      const order = [{ by: { meta: 'price', as: 'number' }, direction }] as const
      const [statement] = await statementsWithValues(() =>
        storage.posts.list({ ...products, order, limit: 10, offset: 0 }, { columns: ['post_title'] }),
      )
      assert.ok(statement)
      const steps = await planOf(statement.text, statement.values)
      const [first, ...others] = steps.filter(({ table }) => table === 'v')
      assert.deepEqual([first?.key, others.length], [key, 0], JSON.stringify(steps))
      assert.doesNotMatch(first?.extra ?? '', /filesort|temporary/)
      const posts = steps.filter(({ table }) => table === 'p')
      assert.deepEqual(
        posts.map(({ key: used, rows }) => [used, rows]),
        [['PRIMARY', 1]],
        JSON.stringify(steps),
      )
    })

  it('the change token, and the counters of the kind of a record, are found by the key of the counters', async () => {
    const [token, ...others] = await planOf(totalQuery(tables), [])
    assert.deepEqual([token?.key, others], ['PRIMARY', []])
    // With another collation than that of the type, the key would not be used.
    const ofRecords = `SELECT v.version FROM wp_posts p JOIN wp_as_rest_route_versions v ON v.tag = p.post_type AND v.slot = 1 WHERE p.ID < 9`
    const [record, counter] = await planOf(ofRecords, [])
    assert.equal(record?.table, 'p')
    assert.deepEqual([counter?.table, counter?.key, counter?.rows], ['v', 'PRIMARY', 1])
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

  it('the newest records of a category are read in the order of an index', async () => {
    const term = { taxonomy: 'category', slug: 'few' }
    const order = [{ by: 'date', direction: 'desc' }] as const
    const read = () =>
      storage.posts.list({ ...products, term, order, limit: 10, offset: 0 }, { columns: ['post_title'] })
    const [statement] = await statementsWithValues(read)
    assert.ok(statement)
    const steps = await planOf(statement.text, statement.values)
    // The query for several terms is not run: there is one.
    const [first, ...others] = steps.filter(({ table }) => table === 'l')
    assert.deepEqual([first?.key, others.length], ['term_order', 0], JSON.stringify(steps))
    assert.doesNotMatch(first?.extra ?? '', /filesort|temporary/)
    const posts = steps.filter(({ table }) => table === 'p')
    assert.deepEqual(
      posts.map(({ key, rows }) => [key, rows]),
      [['PRIMARY', 1]],
      JSON.stringify(steps),
    )
  })

  const orderIndexes: [by: PostOrder['by'], alias: string, key: string][] = [
    ['title', 'p', 'type_status_title'],
    ['modified', 'p', 'type_status_modified'],
    [{ meta: 'price', as: 'number' }, 'v', 'ascending'],
  ]
  for (const [by, alias, key] of orderIndexes)
    it(`the first records of a large category are looked for along an index: ${JSON.stringify(by)}`, async () => {
      const query = {
        ...products,
        term: { taxonomy: 'category', slug: 'many' },
        order: [{ by, direction: 'asc' }],
      } as const
      const statements = await statementsWithValues(() =>
        storage.posts.list({ ...query, limit: 10, offset: 0 }, { columns: ['post_title'] }),
      )
      const [walk, ...others] = statements.filter(({ text }) => text.includes('page_id'))
      assert.ok(walk !== undefined && others.length === 0)
      const steps = await planOf(walk.text, walk.values)
      const index = steps.find((step) => step.table === alias && step.key !== 'PRIMARY')
      assert.equal(index?.key, key, `${walk.text} ${JSON.stringify(steps)}`)
      assert.doesNotMatch(index.extra, /filesort|temporary/)
      const ofTerm = steps.filter(({ table }) => table === 'l')
      assert.deepEqual(
        ofTerm.map((step) => [step.key, step.rows]),
        [['PRIMARY', 1]],
        JSON.stringify(steps),
      )
    })

  it('records are counted without reading them', async () => {
    for (const term of [undefined, { taxonomy: 'category', slug: 'few' }]) {
      const read = () => storage.posts.count({ ...products, ...(term && { term }), order: [], limit: 10, offset: 0 })
      const [statement] = await statementsWithValues(read)
      assert.ok(statement)
      const steps = await planOf(statement.text, statement.values)
      assert.equal(steps.find(({ table }) => table === 'c')?.key, 'PRIMARY', JSON.stringify(steps))
      assert.ok(!steps.some(({ table }) => table === 'p'), JSON.stringify(steps))
    }
  })

  const few = { taxonomy: 'category', by: 'slug', values: ['few'], includesChildren: true } as const
  const filters: [what: string, terms: TermFilter][] = [
    ['one of some terms', { ...few, compare: 'in' }],
    ['one of some terms, without those below them', { ...few, compare: 'in', includesChildren: false }],
    [
      'each of two terms',
      {
        relation: 'and',
        filters: [
          { ...few, compare: 'in' },
          { ...few, values: ['other'], compare: 'in' },
        ],
      },
    ],
  ]
  for (const [what, terms] of filters)
    it(`the records of a tax_query with ${what} are found from the terms`, async () => {
      const plan = await pageOf({ ...products, terms, order: [] })
      for (const { table, key, rows } of plan)
        if (table === 'p' || table === 'r') assert.ok(key !== null || rows < 100, JSON.stringify(plan))
    })

  for (const [what, meta] of metaFilters)
    it(`the metadata of each record of a list is read by an index: ${what}`, async () => {
      const plan = await pageOf({ ...products, meta, order: [{ by: 'date', direction: 'desc' }] })
      const posts = plan.find(({ table }) => table === 'p')
      assert.equal(posts?.key, 'type_status_date', JSON.stringify(plan))
      const ofMetadata = plan.filter(({ table }) => table === 'm')
      assert.ok(ofMetadata.length > 0, JSON.stringify(plan))
      for (const { key, rows } of ofMetadata) assert.ok(key === 'post_id' && rows <= 20, JSON.stringify(plan))
      // The order of the list is that of the index: what is read ends with the page.
      for (const { extra } of plan) assert.doesNotMatch(extra, /filesort|temporary/, JSON.stringify(plan))
    })

  for (const compare of ['not in', 'exists', 'not exists'] as const)
    it(`the terms of each record of a list are read by an index: ${compare}`, async () => {
      const terms = { ...few, values: compare === 'not in' ? few.values : [], compare }
      const plan = await pageOf({ ...products, terms, order: [{ by: 'date', direction: 'desc' }] })
      assert.equal(plan.find(({ table }) => table === 'p')?.key, 'type_status_date', JSON.stringify(plan))
      const relations = plan.filter(({ table }) => table === 'r')
      assert.ok(relations.length > 0, JSON.stringify(plan))
      for (const { key, rows } of relations) assert.ok(key === 'PRIMARY' && rows <= 20, JSON.stringify(plan))
    })

  it('the records of a date_query of a month are a range of the index of dates', async () => {
    const order = [{ by: 'date', direction: 'desc' }] as const
    const plan = await pageOf({ ...products, dates: dateQueryFilter({ year: 2026, month: 1, day: 2 }), order })
    const posts = plan.find(({ table }) => table === 'p')
    assert.equal(posts?.key, 'type_status_date', JSON.stringify(plan))
    assert.ok(posts.rows < 2000, JSON.stringify(plan))
  })

  it('single records and lists of ids are found by the primary key', async () => {
    const [single] = await planOf('SELECT p.post_title FROM wp_posts p WHERE p.ID = ?', [17])
    assert.deepEqual([single?.key, single?.rows], ['PRIMARY', 1])
    const { text, values } = dialect.isOneOf('p.ID', [1, 2, 3])
    const plan = await planOf(`SELECT p.post_title FROM wp_posts p WHERE ${text}`, values)
    const posts = plan.find(({ table }) => table === 'p')
    assert.deepEqual([posts?.key, posts?.rows], ['PRIMARY', 1], JSON.stringify(plan))
  })

  const selection = { columns: ['post_title'], metaKeys: ['price'] } as const
  const ways: [what: string, run: (storage: Storage) => Promise<unknown>][] = [
    ['a product', ({ posts }) => posts.findWithMeta([777], selection)],
    ['some products', ({ posts }) => posts.findWithMeta([777, 778, 779], selection)],
    ['a product by slug', ({ posts }) => posts.list({ ...products, slug: 'slug-77', order: [], limit: 1, offset: 0 })],
    [
      'the children of a product',
      ({ posts }) => posts.list({ parent: 77, order: [], limit: 10, offset: 0 }, selection),
    ],
    [
      'a free slug',
      ({ posts }) => posts.firstFreeSlug({ slugs: ['slug-1', 'slug-2', 'slug-x'], types: ['product'], exceptId: 0 }),
    ],
    ['whether a slug is taken', ({ posts }) => posts.slugTaken({ slug: 'slug-77', exceptId: 0 })],
    ['a user by login', ({ users }) => users.findWithMeta({ login: 'user77' }, ['session_tokens'])],
    ['a user by address', ({ users }) => users.find({ email: 'user77@example.org' })],
    ['the sessions of a user', ({ users }) => users.meta.read(77, 'session_tokens')],
    ['the option of roles', ({ options }) => options.read('wp_user_roles')],
    ['a change of sessions', ({ users }) => users.meta.replace(77, 'session_tokens', '', 'x')],
    ['a changed product', ({ posts }) => posts.update(777, { post_title: 'Changed', post_status: 'draft' })],
    ['changed metadata', ({ posts }) => posts.meta.write(777, 'price', '4')],
    ['other categories of a product', ({ posts }) => posts.setTerms(779, 'category', [1])],
    ['a product that is deleted', ({ posts }) => posts.delete(780)],
    ['a changed user', ({ users }) => users.update(77, { display_name: 'Changed' })],
  ]
  for (const [what, run] of ways)
    it(`${what}: each statement reads its rows by an index`, async () => {
      const statements = (await statementsWithValues(() => run(storage))).filter(({ text }) =>
        /^(?:SELECT|UPDATE|DELETE)\b/.test(text),
      )
      assert.ok(statements.length > 0)
      for (const { text, values } of statements)
        for (const step of await planOf(text, values)) {
          // A subquery without a table, and the terms of a site, which are few, have no index to use.
          if (!/^(?:p|m|u|r|wp_posts|wp_postmeta|wp_users|wp_usermeta|wp_term_relationships)$/.test(step.table))
            continue
          assert.ok(step.key !== null && step.rows <= 20, `${text}\n${JSON.stringify(step)}`)
        }
    })

  it('a term is found by its name, and one whose name makes no slug is created, by indexes', async () => {
    await database.foreign(
      `INSERT INTO wp_terms (term_id, name, slug) SELECT seq, CONCAT('Term ', seq), CONCAT('term-', seq) FROM seq_100_to_2100`,
      `INSERT INTO wp_term_taxonomy (term_id, taxonomy, description) SELECT seq, 'category', '' FROM seq_100_to_2100`,
      'ANALYZE TABLE wp_term_taxonomy, wp_terms PERSISTENT FOR ALL',
    )
    const statements = await statementsWithValues(() => new Terms(storage).findOrCreate({ name: '!!!' }))
    const reads = statements.filter(({ text }) => /^SELECT\b.*\n? *FROM wp_terms t\b/.test(text))
    const byName = reads.find(({ values }) => values.includes('!!!'))
    assert.ok(byName, JSON.stringify(statements))
    const plan = await planOf(byName.text, byName.values)
    assert.equal(plan.find(({ table }) => table === 't')?.key, 'name', JSON.stringify(plan))
    for (const { text, values } of reads)
      for (const { key, rows } of await planOf(text, values)) assert.ok(key !== null && rows <= 30, text)
  })

  it('the next scheduled record is found by an index', async () => {
    const [step] = await planOf(scheduledStatements(tables).due, ['2030-01-01 00:00:00', 10])
    assert.equal(step?.key, 'status_date_gmt')
  })

  it('the stored responses and the counters that a sweep deletes are found by an index, and no others are read', async () => {
    await database.foreign(
      `INSERT INTO wp_as_rest_route_responses SELECT CONCAT('name', seq), 'me', 'f', seq, 500, REPEAT('x', 500) FROM seq_1_to_5000`,
      `INSERT INTO wp_as_rest_route_attempts SELECT CONCAT('name', seq), 'requests', seq, '' FROM seq_1_to_5000`,
      'ANALYZE TABLE wp_as_rest_route_responses, wp_as_rest_route_attempts PERSISTENT FOR ALL',
    )
    const deletions = [
      dialect.deleteFirst(tables.storedResponses, { text: 'expires_at <= ?', values: [4000] }, 'expires_at', 100),
      dialect.deleteFirst(tables.storedResponses, { text: 'response IS NOT NULL', values: [] }, 'expires_at', 100),
      dialect.deleteFirst(tables.attempts, { text: 'kind = ?', values: ['requests'] }, 'kind, empty_at', 100),
    ]
    for (const { text, values } of deletions)
      for (const { key, rows, extra } of await planOf(text, values)) {
        assert.ok(key !== null, text)
        assert.doesNotMatch(extra, /filesort/, text)
        assert.ok(rows <= 100, `${text}: ${rows}`)
      }
  })

  it('counters of a kind and their total are read by the key', async () => {
    const [kind] = await planOf('SELECT SUM(v.version) FROM wp_as_rest_route_versions v WHERE v.tag = ?', ['product'])
    assert.equal(kind?.key, 'PRIMARY')
  })
})
