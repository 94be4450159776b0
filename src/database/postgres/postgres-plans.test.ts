import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { metaFilters } from '../../../test/contracts/meta-filters.js'
import { skipWithoutServer } from '../../../test/support/servers/missing-server.js'
import { freshPostgres, type FreshPostgres } from '../../../test/support/servers/open-fresh-postgres.js'
import { dateQueryFilter } from '../../content/date-query.js'
import type { PostOrder, PostQuery } from '../storage.js'
import type { OpenedStorage } from '../store-adapter.js'
import { PostgresConnection } from './postgres-connection.js'
import { boundValues } from './postgres-text.js'
import { Statements } from './statements.js'

type Statement = readonly [text: string, values: readonly (string | null)[]]

/** The statements that a read sends. */
async function statementsOf(read: () => unknown): Promise<Statement[]> {
  const statements: Statement[] = []
  const { prototype } = PostgresConnection
  const original = Object.getOwnPropertyDescriptor(prototype, 'run')?.value as PostgresConnection['run']
  Object.assign(prototype, {
    run(this: PostgresConnection, ...[text, values = []]: Parameters<PostgresConnection['run']>) {
      // Transactions, their locks and their settings have no plans.
      if (/^(?:SELECT|UPDATE|DELETE)\b/.test(text) && !/pg_current_snapshot|pg_advisory|pg_try_advisory/.test(text))
        statements.push([new Statements().of(text).text, boundValues(values)])
      return Reflect.apply(original, this, [text, values]) as ReturnType<PostgresConnection['run']>
    },
  })
  try {
    await read()
  } finally {
    Object.assign(prototype, { run: original })
  }
  return statements
}

describe('plans on PostgreSQL', { skip: skipWithoutServer('postgres') }, () => {
  let database: FreshPostgres
  let storage: OpenedStorage
  before(async () => {
    database = await freshPostgres()
    storage = await database.open({ rowCache: false })
    const table = database.table.bind(database)
    await database.foreign(`
      INSERT INTO ${table('posts')} (post_title, post_name, post_date, post_modified, post_type, post_status, post_content,
        post_excerpt, to_ping, pinged, post_content_filtered)
      SELECT 'Product ' || n, 'product-' || n, '2026-01-01 00:00:00', '2026-01-01 00:00:' || lpad((n % 60)::text, 2, '0'),
        CASE WHEN n % 10 = 0 THEN 'post' ELSE 'product' END, CASE WHEN n % 20 = 1 THEN 'draft' ELSE 'publish' END,
        repeat('text ', 40), '', '', '', '' FROM generate_series(1, 20000) n;
      INSERT INTO ${table('postmeta')} (post_id, meta_key, meta_value)
      SELECT id, key, id::text FROM ${table('posts')}, unnest(ARRAY['price', 'colour', 'size']) key;
      INSERT INTO ${table('terms')} (name, slug) SELECT 'Category ' || n, 'category-' || n FROM generate_series(1, 2000) n;
      INSERT INTO ${table('term_taxonomy')} (term_id, taxonomy, description, parent)
      SELECT term_id, 'category', '', term_id / 10 FROM ${table('terms')};
      INSERT INTO ${table('term_relationships')} (object_id, term_taxonomy_id)
      SELECT id, id % 2000 + 1 FROM ${table('posts')};
      INSERT INTO ${table('terms')} (name, slug) SELECT slug, slug FROM unnest(ARRAY['often', 'drafts', 'old', 'below']) slug;
      INSERT INTO ${table('term_taxonomy')} (term_id, taxonomy, description, parent)
      SELECT term_id, 'category', '', CASE slug WHEN 'below' THEN (SELECT term_id FROM ${table('terms')} WHERE slug = 'old') ELSE 0 END
      FROM ${table('terms')} WHERE slug IN ('often', 'drafts', 'old', 'below');
      INSERT INTO ${table('term_relationships')} (object_id, term_taxonomy_id)
      SELECT p.id, x.term_taxonomy_id FROM ${table('posts')} p, ${table('terms')} t JOIN ${table('term_taxonomy')} x ON x.term_id = t.term_id
      WHERE CASE t.slug WHEN 'often' THEN p.id % 7 = 0 WHEN 'drafts' THEN p.post_status = 'draft' WHEN 'old' THEN p.id < 3000 AND p.id % 2 = 0
        WHEN 'below' THEN p.id < 4000 AND p.id % 3 = 0 ELSE false END;
      INSERT INTO ${table('users')} (user_login, user_email, user_nicename)
      SELECT 'user' || n, 'user' || n || '@example.org', 'user' || n FROM generate_series(1, 5000) n;
      INSERT INTO ${table('usermeta')} (user_id, meta_key, meta_value)
      SELECT id, key, '' FROM ${table('users')}, unnest(ARRAY['session_tokens', 'nickname']) key;
      SELECT 1`)
    await storage.indexMeta?.([{ type: 'product', key: 'price' }], () => undefined)
    await database.foreign(`
      ANALYZE ${['posts', 'postmeta', 'terms', 'term_taxonomy', 'term_relationships', 'as_rest_route_listed', 'as_rest_route_indexed_values', 'users', 'usermeta'].map(table).join(', ')};
      SELECT 1`)
  })
  after(() => database.drop())

  /** The plan for these values, and the one for any values. A session uses both, whichever it takes for cheaper. */
  async function plansOf([text, values]: Statement): Promise<string[]> {
    const schema = database.table('').replace('.wp_', '')
    const literals = values.map((value) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`)).join(', ')
    const plans: string[] = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      const rows = await database.foreign(
        `SET search_path = ${schema}; SET jit = off; SET plan_cache_mode = ${mode}; PREPARE statement AS ${text};
        EXPLAIN EXECUTE statement${values.length === 0 ? '' : `(${literals})`}`,
      )
      plans.push(`${mode}\n${rows.flat().join('\n')}`)
    }
    return plans
  }

  const products: PostQuery = { types: ['product'], statuses: ['publish'], order: [], limit: 10, offset: 0 }
  const newest: PostQuery = { ...products, order: [{ by: 'date', direction: 'desc' }] }
  const few = { taxonomy: 'category', by: 'slug', values: ['category-77'], includesChildren: true } as const
  const selection = { columns: ['post_title'], metaKeys: ['price'] } as const
  const ordered = (by: PostOrder['by'], direction: 'asc' | 'desc') => () =>
    storage.posts.list({ ...products, order: [{ by, direction }] }, selection)
  const ofCategory = (
    slug: string,
    direction: 'asc' | 'desc',
    offset: number,
    by: PostOrder['by'] = 'modified',
  ): PostQuery => ({
    ...products,
    term: { taxonomy: 'category', slug },
    order: [{ by, direction }],
    offset,
  })
  const price = { meta: 'price', as: 'number' } as const
  const reads: readonly (readonly [what: string, read: () => unknown])[] = [
    ['the newest products', ordered('date', 'desc')],
    ['the oldest products', ordered('date', 'asc')],
    ['the products modified last', ordered('modified', 'desc')],
    ['the products modified first', ordered('modified', 'asc')],
    ['products by menu_order', ordered('menu_order', 'asc')],
    ['products by menu_order, the last first', ordered('menu_order', 'desc')],
    ['products by title', ordered('title', 'asc')],
    ['products by title, the last first', ordered('title', 'desc')],
    ['products by slug', ordered('slug', 'asc')],
    ['products by slug, the last first', ordered('slug', 'desc')],
    ['products by id', ordered('id', 'asc')],
    ['products by id, the highest first', ordered('id', 'desc')],
    ['the cheapest products', ordered(price, 'asc')],
    ['the dearest products', ordered(price, 'desc')],
    [
      'products of a category',
      () =>
        storage.posts.list(
          {
            ...products,
            term: { taxonomy: 'category', slug: 'category-77' },
            order: [{ by: 'date', direction: 'desc' }],
          },
          selection,
        ),
    ],
    [
      'the newest products of a large category',
      () => storage.posts.list({ ...newest, term: { taxonomy: 'category', slug: 'often' } }, selection),
    ],
    ['the number of products', () => storage.posts.count(products)],
    ['the number of products of a category', () => storage.posts.count(ofCategory('often', 'desc', 0))],
    ['products of a large category', () => storage.posts.list(ofCategory('often', 'desc', 0), selection)],
    ['those by title', () => storage.posts.list(ofCategory('often', 'asc', 0, 'title'), selection)],
    ['the cheapest of them', () => storage.posts.list(ofCategory('often', 'asc', 0, price), selection)],
    ['the dearest of them', () => storage.posts.list(ofCategory('often', 'desc', 90, price), selection)],
    [
      'products of a small category by title',
      () => storage.posts.list(ofCategory('category-77', 'asc', 0, 'title'), selection),
    ],
    [
      'products with one of some terms',
      () => storage.posts.list({ ...newest, terms: { ...few, compare: 'in' } }, selection),
    ],
    [
      'products with one of some terms by id, without those below them',
      () =>
        storage.posts.list(
          { ...newest, terms: { ...few, by: 'id', values: [77, 78], compare: 'in', includesChildren: false } },
          selection,
        ),
    ],
    [
      'products with each of two terms',
      () =>
        storage.posts.list(
          {
            ...newest,
            terms: {
              relation: 'and',
              filters: [
                { ...few, compare: 'in' },
                { ...few, values: ['category-78'], compare: 'in' },
              ],
            },
          },
          selection,
        ),
    ],
    ...(['not in', 'exists', 'not exists'] as const).map(
      (compare) =>
        [
          `products by terms, ${compare}`,
          () => {
            const terms = { ...few, values: compare === 'not in' ? few.values : [], compare }
            return storage.posts.list({ ...newest, terms }, selection)
          },
        ] as const,
    ),
    [
      'products of a month',
      () => storage.posts.list({ ...newest, dates: dateQueryFilter({ year: 2026, month: 1 }) }, selection),
    ],
    [
      'products of a month at an hour',
      () => storage.posts.list({ ...newest, dates: dateQueryFilter({ year: 2026, month: 1, hour: 0 }) }, selection),
    ],
    ...metaFilters.map(
      ([what, meta]) =>
        [`products by metadata, ${what}`, () => storage.posts.list({ ...newest, meta }, selection)] as const,
    ),
    ['a product', () => storage.posts.findWithMeta([777])],
    ['some products', () => storage.posts.findWithMeta([777, 778, 779])],
    ['a product by slug', () => storage.posts.list({ ...products, slug: 'PRODUCT-77', limit: 1 }, selection)],
    ['the children of a product', () => storage.posts.list({ ...products, parent: 77 }, selection)],
    [
      'a free slug',
      () =>
        storage.posts.firstFreeSlug({
          slugs: ['product-1', 'product-2', 'product-x'],
          types: ['product'],
          exceptId: 0,
        }),
    ],
    ['the next scheduled record', () => storage.posts.scheduled.due('2030-01-01 00:00:00', null, 10)],
    ['a user by id', () => storage.users.findWithMeta({ id: 77 })],
    ['a user by login', () => storage.users.findWithMeta({ login: 'USER77' }, ['session_tokens'])],
    ['a user by address', () => storage.users.find({ email: 'user77@example.org' })],
    ['a user by nicename', () => storage.users.find({ nicename: 'user77' })],
    ['the owner of a value', () => storage.users.meta.ownersOf('openid', 'x', 1)],
    ['the terms of a product', () => storage.posts.termsOf([77], ['category'])],
    ['the terms of some products', () => storage.posts.termsOf([77, 78, 79], ['category', 'post_tag'])],
    ['some terms', () => storage.terms.findMany('category', [7, 8, 9])],
    ['some users', () => storage.users.findMany([7, 8, 9])],
    ['whether a slug is taken', () => storage.posts.slugTaken({ slug: 'product-77', exceptId: 0 })],
    ['the option of roles', () => storage.options.read('wp_user_roles')],
    ['the sessions of a user', () => storage.users.meta.read(77, 'session_tokens')],
    ['a change of sessions', () => storage.users.meta.replace(77, 'session_tokens', '', 'x')],
    ['a changed product', () => storage.posts.update(777, { post_title: 'Changed', post_status: 'draft' })],
    ['changed metadata', () => storage.posts.meta.write(777, 'price', '4')],
    ['other categories of a product', () => storage.posts.setTerms(779, 'category', [1, 2])],
    ['a product that is deleted', () => storage.posts.delete(780)],
    ['a changed user', () => storage.users.update(77, { display_name: 'Changed' })],
    ['a term', () => storage.terms.find('category', { slug: 'category-77' })],
    ['a term by name', () => storage.terms.find('category', { name: '!!!' })],
    ['an option', () => storage.options.read('blogname')],
  ]
  for (const [what, read] of reads)
    it(`${what}: no table is read from its beginning to its end, and no long list is sorted`, async () => {
      const statements = await statementsOf(read)
      assert.ok(statements.length > 0)
      // The terms of a site are few, so that the planner may read them all for the tree of a category.
      for (const statement of statements)
        for (const plan of await plansOf(statement)) {
          assert.doesNotMatch(
            plan,
            /Seq Scan on wp_(?:posts|postmeta|users|usermeta|terms|term_relationships|as_rest_route_listed|as_rest_route_indexed_values)\b/,
            plan,
          )
          for (const [, rows] of plan.matchAll(/(?:->|^) *Sort  \(cost=.*? rows=(\d+)/g))
            assert.ok(Number(rows) <= 500, plan)
        }
    })

  it('the newest records of a category are read in the order of an index', async () => {
    const statements = await statementsOf(() =>
      storage.posts.list({ ...newest, term: { taxonomy: 'category', slug: 'often' } }),
    )
    for (const plan of await plansOf(statements[0] ?? ['', []]))
      assert.match(plan, /Index Only Scan Backward using wp_as_rest_route_listed_order/, plan)
  })

  it('the stored responses and the counters that a sweep deletes are found by an index, and no others are read', async () => {
    const [storedResponses, attempts] = [
      database.table('as_rest_route_responses'),
      database.table('as_rest_route_attempts'),
    ]
    await database.foreign(`
      INSERT INTO ${storedResponses} SELECT 'name' || n, 'me', 'f', n, 500, repeat('x', 500) FROM generate_series(1, 5000) n;
      INSERT INTO ${attempts} SELECT 'name' || n, 'requests', n, '' FROM generate_series(1, 5000) n;
      ANALYZE ${storedResponses}, ${attempts};
      SELECT 1`)
    const statements = [
      ...(await statementsOf(() => storage.storedResponses.sweep(200, { rows: 4500, characters: 1e9 }))),
      ...(await statementsOf(() => storage.attempts.sweep('requests', 200, 4500))),
    ].filter(([text]) => text.startsWith('DELETE'))
    assert.equal(statements.length, 8)
    for (const statement of statements)
      for (const plan of await plansOf(statement)) assert.doesNotMatch(plan, /Seq Scan/, plan)
  })

  for (const slug of ['often', 'drafts', 'old', 'below', 'category-77', 'none'])
    for (const direction of ['asc', 'desc'] as const)
      for (const offset of [0, 7, 90])
        it(`the page of ${slug} at ${offset}, ${direction}, is that of all its records in order`, async () => {
          const query = ofCategory(slug, direction, offset)
          const ids = async (listed: PostQuery): Promise<number[]> =>
            (await storage.posts.list(listed, { columns: [] })).rows.map(({ post }) => post.ID)
          // With a further condition, all records are sorted.
          assert.deepEqual(await ids(query), await ids({ ...query, exceptIds: [0] }))
        })
})
