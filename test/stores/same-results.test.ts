import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { storeAdapterOf } from '../../src/app/stores.js'
import type { MetaEntry, PostOrder, PostQuery, PostRow, Storage } from '../../src/database/storage.js'
import type { DateFilter } from '../../src/database/date-filter.js'
import type { MetaFilter } from '../../src/database/meta-filter.js'
import type { TermFilter } from '../../src/database/term-filter.js'
import { StorageError } from '../../src/database/storage-error.js'
import { aPost, aUser } from '../contracts/storage/rows.js'
import { freshDatabase, type FreshDatabase } from '../support/servers/fresh-database.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { onlyOnSqlite } from '../support/test-database.js'

/**
 * Texts that all stores compare alike: letters and digits of ASCII, with spaces and hyphens between them. `docs/databases.md`
 * lists what differs beyond these, under "What differs"; the second part of this file has an example of each.
 */
const plain = fc.stringMatching(/^[a-cA-C0-2]{1,4}(?:[ -][a-cA-C0-2]{1,4})?$/)
/** Texts that are stored and compared byte for byte. */
const exact = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed())
const numeric = fc.oneof(
  fc.integer({ min: -50, max: 50 }).map(String),
  fc.constantFrom('2.5', '-0.25', '12abc', 'abc', '', ' 7', '1e2'),
)
const date = fc.constantFrom('2026-01-01 00:00:00', '2026-01-02 00:00:00', '2026-01-02 00:00:01', '0000-00-00 00:00:00')
const status = fc.constantFrom('publish', 'draft', 'private')

const categories = ['tea', 'cup', 'pot'] as const

const record = fc.record({
  post: fc.record({
    post_title: plain,
    post_name: plain.map((text) => text.toLowerCase().replace(' ', '-')),
    post_content: exact,
    post_excerpt: plain,
    post_status: status,
    post_author: fc.integer({ min: 1, max: 3 }),
    post_parent: fc.integer({ min: 0, max: 2 }),
    post_password: fc.constantFrom('', 'secret', 'Secret'),
    menu_order: fc.integer({ min: -2, max: 2 }),
    post_date: date,
    post_modified: date,
  }),
  price: fc.option(numeric),
  colour: fc.option(fc.oneof(plain, exact)),
  categories: fc.subarray([...categories]),
})

const order: fc.Arbitrary<PostOrder> = fc.record({
  by: fc.constantFrom<PostOrder['by']>(
    'date',
    'modified',
    'title',
    'slug',
    'id',
    'menu_order',
    { meta: 'price', as: 'number' },
    { meta: 'PRICE', as: 'number' },
  ),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
})

/** One comparison, or two of them in a group. */
const oneOrTwo = <T>(comparison: fc.Arbitrary<T>) =>
  fc.oneof(
    comparison,
    fc.record({
      relation: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(comparison, { minLength: 2, maxLength: 2 }),
    }),
  )

/** The operators for one value, for several, and for none. */
const compared = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    fc.record({
      compare: fc.constantFrom('=' as const, '!=' as const, '<' as const, '<=' as const, '>' as const, '>=' as const),
      values: fc.array(value, { minLength: 1, maxLength: 1 }),
    }),
    fc.record({
      compare: fc.constantFrom('in' as const, 'not in' as const, 'between' as const, 'not between' as const),
      values: fc.array(value, { minLength: 2, maxLength: 2 }),
    }),
  )

const metaFilter: fc.Arbitrary<MetaFilter> = oneOrTwo(
  fc.oneof(
    compared(fc.integer({ min: -50, max: 50 })).map((of) => ({ key: 'price', as: 'number' as const, ...of })),
    compared(fc.oneof(plain, exact)).map((of) => ({ key: 'colour', as: 'text' as const, ...of })),
    fc.record({
      key: fc.constantFrom('price', 'colour', 'PRICE'),
      as: fc.constant('text' as const),
      compare: fc.constantFrom('exists' as const, 'not exists' as const),
      values: fc.constant([]),
    }),
  ),
)

const dateFilter: fc.Arbitrary<DateFilter> = oneOrTwo(
  fc.oneof(
    compared(date).map((of) => ({ column: 'date' as const, part: null, ...of })),
    compared(fc.constantFrom('01', '02', '28')).map((of) => ({
      column: 'modified' as const,
      part: 'day' as const,
      ...of,
    })),
    compared(fc.constantFrom('0000', '2026')).map((of) => ({ column: 'date' as const, part: 'year' as const, ...of })),
  ),
)

const termFilter: fc.Arbitrary<TermFilter> = oneOrTwo(
  fc.record({
    taxonomy: fc.constant('category'),
    compare: fc.constantFrom('in' as const, 'not in' as const, 'exists' as const, 'not exists' as const),
    by: fc.constant('slug' as const),
    values: fc.subarray([...categories], { minLength: 1 }),
    includesChildren: fc.boolean(),
  }),
)

/** At most one condition, so that most queries find records. A text of a record is told by the place of the record. */
const condition = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.record({ statuses: fc.uniqueArray(status, { minLength: 1 }) }),
  fc.record({ author: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ parent: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ withoutPassword: fc.constant(true as const) }),
  fc.record({ slugOf: fc.nat(7), isUpper: fc.boolean() }),
  fc.record({ wordOf: fc.nat(7), isExcluded: fc.boolean() }),
  fc.record({ category: fc.constantFrom(...categories) }),
  fc.record({ afterId: fc.nat(7) }),
  fc.record({ terms: termFilter }),
  fc.record({ meta: metaFilter }),
  fc.record({ dates: dateFilter }),
)

const query = fc.record({
  condition,
  order: fc.array(order, { maxLength: 2 }),
  limit: fc.integer({ min: 2, max: 8 }),
  offset: fc.nat(2),
})

const names = ['SQLite', 'PostgreSQL', 'MariaDB'] as const
type Name = (typeof names)[number]

describe(
  'all stores give the same results',
  {
    skip: onlyOnSqlite || skipWithoutServer('postgres') || skipWithoutServer('mariadb'),
  },
  () => {
    const stores = new Map<Name, Storage>()
    const databases: FreshDatabase[] = []
    before(async () => {
      const servers = [await freshDatabase('postgres'), await freshDatabase('mariadb')]
      for (const [index, name] of names.entries()) {
        const database = servers[index - 1]
        if (database) databases.push(database)
        const url = database?.url ?? 'sqlite::memory:'
        stores.set(name, await storeAdapterOf(url).open(url, {}))
      }
    })
    after(async () => {
      for (const storage of stores.values()) await storage.close()
      for (const database of databases) await database.drop()
    })

    /** The results of the same work on each store. An id is told as the place of its record. */
    async function onAll<T>(work: (storage: Storage) => Promise<T>): Promise<Readonly<Record<Name, T>>> {
      const results = await Promise.all(
        [...stores].map(async ([name, storage]) => [name, await work(storage)] as const),
      )
      return Object.fromEntries(results) as Record<Name, T>
    }

    function assertSame<T>({ SQLite, PostgreSQL, MariaDB }: Readonly<Record<Name, T>>): void {
      assert.deepEqual(PostgreSQL, SQLite, 'PostgreSQL differs from SQLite')
      assert.deepEqual(MariaDB, SQLite, 'MariaDB differs from SQLite')
    }

    let run = 0
    it('to random queries for random records', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(record, { minLength: 1, maxLength: 8 }),
          fc.array(query, { minLength: 1, maxLength: 6 }),
          async (records, queries) => {
            const type = `t${(run += 1)}`
            assertSame(await onAll((storage) => resultsOf(storage, type, records, queries)))
          },
        ),
        { numRuns: 100, seed: 21 },
      )
    })

    it('to logins, addresses and options of random spelling', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(plain, { minLength: 2, maxLength: 4, selector: (text) => text.toLowerCase() }),
          exact,
          async (logins, value) => {
            run += 1
            const spelled = logins.map((login) => `${run} ${login}`)
            assertSame(
              await onAll(async ({ users, options }) => {
                for (const login of spelled)
                  await users.insert(
                    aUser({
                      user_login: login,
                      user_nicename: login.replaceAll(' ', '-'),
                      user_email: `${login.replaceAll(' ', '-')}@x.test`,
                      display_name: value,
                    }),
                  )
                await options.write(`option ${run}`, value)
                const rows = await Promise.all(
                  spelled.flatMap((login) => [
                    users.find({ login: login.toUpperCase() }),
                    users.find({ email: `${login.replaceAll(' ', '-').toLowerCase()}@X.test` }),
                  ]),
                )
                return [
                  rows.map((user) => user && [user.user_login, user.display_name]),
                  await options.read(`option ${run}`),
                  await options.read(`OPTION ${run}`),
                ]
              }),
            )
          },
        ),
        { numRuns: 20, seed: 21 },
      )
    })

    /** The rows of "What differs" in docs/databases.md that are about results. */
    const differences: readonly (readonly [
      what: string,
      work: (storage: Storage, type: string) => Promise<unknown>,
      results: Readonly<Record<Name, unknown>>,
    ])[] = [
      [
        'the order of titles with letters beyond ASCII',
        (storage, type) => titlesInOrder(storage, type, ['Zebra', 'Éclair', 'apple']),
        {
          SQLite: ['apple', 'Zebra', 'Éclair'],
          PostgreSQL: ['apple', 'Éclair', 'Zebra'],
          MariaDB: ['apple', 'Éclair', 'Zebra'],
        },
      ],
      [
        'the order of titles with punctuation',
        (storage, type) => titlesInOrder(storage, type, ['a1', 'a:', 'aa']),
        { SQLite: ['a1', 'a:', 'aa'], PostgreSQL: ['a:', 'a1', 'aa'], MariaDB: ['a:', 'a1', 'aa'] },
      ],
      [
        'a login without its accent',
        async ({ users }, type) => {
          await users.insert(aUser({ user_login: `${type} é`, user_nicename: type, user_email: `${type}@y.test` }))
          return (await users.find({ login: `${type} e` })) !== null
        },
        { SQLite: false, PostgreSQL: false, MariaDB: true },
      ],
      [
        'a search of users without an accent',
        async ({ users }, type) => {
          await users.insert(
            aUser({
              user_login: `${type}-s`,
              user_nicename: `${type}-s`,
              user_email: `${type}@z.test`,
              display_name: `José ${type}`,
            }),
          )
          const found = async (search: string) => (await users.list({ search, limit: 10, offset: 0 })).length
          return [await found(`JOS\u00e9 ${type}`), await found(`jose ${type}`)]
        },
        { SQLite: [1, 0], PostgreSQL: [1, 0], MariaDB: [1, 1] },
      ],
      [
        'a date that does not exist',
        ({ posts }, type) =>
          orRefusal(() => posts.insert(aPost({ post_type: type, post_date: '2026-02-30 00:00:00' }))),
        { SQLite: 'stored', PostgreSQL: 'stored', MariaDB: 'constraint' },
      ],
      [
        'a name of 3,000 bytes',
        ({ options }) => orRefusal(() => options.write(randomBytes(1500).toString('hex'), 'value')),
        { SQLite: 'stored', PostgreSQL: 'constraint', MariaDB: 'constraint' },
      ],
      [
        'a name of an option with a space at its end',
        async ({ options }, type) => {
          await options.write(type, 'value')
          return options.read(`${type} `)
        },
        { SQLite: null, PostgreSQL: null, MariaDB: 'value' },
      ],
    ]
    for (const [what, work, results] of differences)
      it(`but for ${what}`, async () => {
        const type = `d${(run += 1)}`
        assert.deepEqual(await onAll((storage) => work(storage, type)), results)
      })
  },
)

/** What a store makes of a row: `stored`, or the fault with which it refuses it. */
async function orRefusal(write: () => Promise<unknown>): Promise<string> {
  try {
    await write()
    return 'stored'
  } catch (error) {
    return error instanceof StorageError ? error.fault : String(error)
  }
}

async function titlesInOrder({ posts }: Storage, type: string, titles: readonly string[]): Promise<readonly string[]> {
  for (const title of titles) await posts.insert(aPost({ post_type: type, post_title: title, post_name: title }))
  const { rows } = await posts.list({
    types: [type],
    order: [{ by: 'title', direction: 'asc' }],
    limit: 10,
    offset: 0,
  })
  return rows.map(({ post }) => post.post_title)
}

type Made = typeof record extends fc.Arbitrary<infer T> ? T : never
type SearchQuery = typeof query extends fc.Arbitrary<infer T> ? T : never

/** The condition for these records, and the slug in it. @param ids of the records. */
function conditionOf(
  { condition: each }: SearchQuery,
  records: readonly Made[],
  ids: readonly number[],
): Partial<PostQuery> {
  if ('category' in each) return { term: { taxonomy: 'category', slug: each.category } }
  if ('afterId' in each) return { afterId: ids[each.afterId % ids.length] ?? 0 }
  if ('terms' in each) return { terms: valuesFor(each.terms) }
  if ('slugOf' in each) {
    const slug = records[each.slugOf % records.length]?.post.post_name ?? ''
    return { slug: each.isUpper ? slug.toUpperCase() : slug }
  }
  if (!('wordOf' in each)) return each
  const words = records[each.wordOf % records.length]?.post.post_title.split(' ').slice(0, 1) ?? []
  return { search: each.isExcluded ? { include: [], exclude: words } : { include: words, exclude: [] } }
}

/** Comparisons with `exists` have no values. */
function valuesFor(filter: TermFilter): TermFilter {
  if ('filters' in filter) return { ...filter, filters: filter.filters.map(valuesFor) }
  return filter.compare.endsWith('exists') ? { ...filter, values: [] } : filter
}

/** What a store answers to queries after it has stored the records. */
async function resultsOf(
  { posts, terms }: Storage,
  type: string,
  records: readonly Made[],
  queries: readonly SearchQuery[],
): Promise<unknown> {
  const ids: number[] = []
  const termIds = new Map<string, number>()
  for (const slug of categories)
    termIds.set(
      slug,
      (await terms.find('category', { slug }))?.term_id ??
        (await terms.insert({ taxonomy: 'category', name: slug, slug })),
    )
  for (const { post, price, colour, categories: slugs } of records) {
    const meta: MetaEntry[] = []
    if (price !== null) meta.push({ key: 'price', value: price })
    if (colour !== null) meta.push({ key: 'colour', value: colour })
    const id = await posts.insert(aPost({ ...(post as Partial<PostRow>), post_type: type }), meta)
    await posts.setTerms(
      id,
      'category',
      slugs.map((slug) => termIds.get(slug) ?? 0),
    )
    ids.push(id)
  }
  const results: unknown[] = []
  for (const each of queries) {
    const condition = conditionOf(each, records, ids)
    const { limit, offset, order: by } = each
    const whole: PostQuery = { ...condition, types: [type], order: by, limit, offset }
    const { rows } = await posts.list(whole)
    const placed = rows.map(({ post, meta }) => ({ ...post, ID: ids.indexOf(post.ID), meta }))
    results.push(placed, await posts.count(whole))
    if (condition.slug !== undefined)
      results.push(await posts.slugTaken({ slug: condition.slug, types: [type], exceptId: 0 }))
  }
  return results
}
