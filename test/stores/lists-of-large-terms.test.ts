import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { PostOrder, PostQuery } from '../../src/database/storage.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { statementsWithValues } from '../support/counted-statements.js'
import { skipWithoutServer } from '../support/servers/missing-server.js'
import { onlyOnSqlite } from '../support/test-database.js'
import { servers } from './list-changes.js'
import { openedServer, type OpenedServer } from './opened-server.js'

const columns =
  'post_title, post_name, menu_order, post_modified, post_status, post_type, post_date, post_content, post_excerpt, to_ping, pinged, post_content_filtered'

/** Record `number` of 4,000, of which every tenth is a draft. Each order is another one; some numbers and dates repeat. */
function row(number: number): string {
  const title = `Tea ${String((number * 1237) % 4000).padStart(4, '0')}`
  const slug = `tea-${String((number * 2311) % 4000).padStart(4, '0')}`
  const status = number % 10 === 0 ? 'draft' : 'publish'
  const modified = `2026-01-01 00:00:${String(59 - Math.floor(number / 100)).padStart(2, '0')}`
  return `('${title}', '${slug}', ${Math.floor(number / 7)}, '${modified}', '${status}', 'product', '2026-01-01 00:00:00', '', '', '', '', '')`
}

/** The terms with their records. `late` has the last ones by `menu_order` and price, `below` is below `above`. */
const terms = {
  large: 'menu_order % 3 = 0',
  late: 'menu_order > 350',
  small: 'menu_order % 50 = 1',
  above: 'menu_order < 200',
  below: 'menu_order BETWEEN 100 AND 300',
} as const

const orders: readonly PostOrder['by'][] = ['modified', 'title', 'slug', 'menu_order', { meta: 'price', as: 'number' }]

for (const server of servers)
  describe(`lists of large terms on ${server.name}`, { skip: skipWithoutServer(server.kind) || onlyOnSqlite }, () => {
    let opened: OpenedServer
    let storage: OpenedStorage
    before(async () => {
      opened = await openedServer(server)
      storage = opened.storage
      const { program } = opened
      const rows = Array.from({ length: 4000 }, (_, number) => row(number))
      await program.run(`INSERT INTO wp_posts (${columns}) VALUES ${rows.join(', ')}`)
      await program.run(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT ID, 'price', CONCAT(menu_order * 2, '') FROM wp_posts`,
      )
      await storage.indexMeta?.([{ type: 'product', key: 'price' }], () => undefined)
      let parent = 0
      for (const [slug, condition] of Object.entries(terms)) {
        const term = { taxonomy: 'category', name: slug, slug, ...(slug === 'below' && { parent }) }
        const id = await storage.terms.insert(term)
        if (slug === 'above') parent = id
        const { term_taxonomy_id } = (await storage.terms.find('category', { slug })) ?? {}
        await program.run(
          `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ID, ${term_taxonomy_id} FROM wp_posts WHERE ${condition}`,
        )
      }
    })
    after(() => opened.close())

    const queryOf = (slug: string, by: PostOrder['by'], direction: 'asc' | 'desc', offset: number): PostQuery => ({
      types: ['product'],
      statuses: ['publish'],
      term: { taxonomy: 'category', slug },
      order: [{ by, direction }],
      limit: 10,
      offset,
    })
    const idsOf = async (query: PostQuery): Promise<number[]> =>
      (await storage.posts.list(query, { columns: [] })).rows.map(({ post }) => post.ID)

    for (const slug of [...Object.keys(terms), 'none'])
      it(`a page of ${slug} is that of all its records in order`, async () => {
        for (const by of orders)
          for (const direction of ['asc', 'desc'] as const)
            for (const offset of [0, 7, 90, 1150, 1195, 5000]) {
              const query = queryOf(slug, by, direction, offset)
              // With a further condition, all records are sorted.
              const sorted = await idsOf({ ...query, exceptIds: [0] })
              assert.deepEqual(await idsOf(query), sorted, `${JSON.stringify(by)} ${direction} ${offset}`)
            }
      })

    it('the first records of a large term are read along an index; if too few of it are there, all its records are sorted', async () => {
      const statementsOf = async (slug: string, by: PostOrder['by'], direction: 'asc' | 'desc') => {
        const statements = await statementsWithValues(() => idsOf(queryOf(slug, by, direction, 0)))
        return statements.map(({ text }) => text).filter((text) => text.includes('page_id'))
      }
      for (const by of orders) {
        const [walk, ...others] = await statementsOf('large', by, 'asc')
        assert.match(walk ?? '', /LIMIT 64\) walked/)
        assert.deepEqual(others, [])
      }
      for (const by of orders.slice(-2)) {
        assert.equal((await statementsOf('late', by, 'desc')).length, 1)
        const [walk, sorted, ...others] = await statementsOf('late', by, 'asc')
        assert.match(walk ?? '', /LIMIT 64\) walked/)
        assert.doesNotMatch(sorted ?? '', /walked/)
        assert.deepEqual(others, [])
      }
      const [sorted, ...others] = await statementsOf('small', 'title', 'asc')
      assert.doesNotMatch(sorted ?? '', /walked/)
      assert.deepEqual(others, [])
    })

    it('a transaction that lists a large term keeps no other program from storing records', async () => {
      const other = await opened.connect()
      try {
        await other.run(
          server.kind === 'mariadb' ? 'SET SESSION innodb_lock_wait_timeout = 1' : `SET lock_timeout = '1s'`,
        )
        const statements = await statementsWithValues(() =>
          storage.transaction(async ({ posts }) => {
            await posts.list(queryOf('large', 'title', 'asc', 0), { columns: [] })
            await other.run(`INSERT INTO wp_posts (${columns}) VALUES ${row(4001)}`)
          }),
        )
        assert.ok(!statements.some(({ text }) => /_counts|walked/.test(text)))
      } finally {
        await other.run('DELETE FROM wp_posts WHERE ID > 4000')
        await other.end()
      }
    })

    it('the numbers of records are read for the plan of a first page, and not for the next ones', async () => {
      const fresh = await opened.open()
      try {
        const listed = async (offset: number): Promise<readonly string[]> => {
          const query = queryOf('large', 'title', 'asc', offset)
          const statements = await statementsWithValues(() => fresh.posts.list(query, { columns: [] }))
          return statements.map(({ text }) => (/_counts/.test(text) ? 'numbers' : 'page'))
        }
        assert.deepEqual(await listed(0), ['numbers', 'page'])
        assert.deepEqual(await listed(10), ['page'])
        assert.deepEqual(await listed(20), ['page'])
      } finally {
        await fresh.close()
      }
    })

    it('a number of records that is read once is not cached', async () => {
      const byDate = { ...queryOf('late', 'date', 'desc', 0), types: ['page'] }
      const count = async () => (await statementsWithValues(() => storage.posts.count(byDate))).length
      assert.deepEqual([await count(), await count()], [1, 1])
    })

    it('a page is right where the numbers of records are wrong', async () => {
      const counts = 'wp_as_rest_route_counts'
      for (const number of [-5000, 1, 100]) {
        await opened.program.run(`DELETE FROM ${counts} WHERE term_taxonomy_id = 0`)
        await opened.program.run(`INSERT INTO ${counts} VALUES (0, 'product', 'publish', 1, ${number})`)
        const fresh = await opened.open()
        try {
          const query = { ...queryOf('large', 'title', 'asc', 0), limit: 1 }
          const { rows } = await fresh.posts.list(query, { columns: [] })
          assert.deepEqual(
            rows.map(({ post }) => post.ID),
            await idsOf({ ...query, exceptIds: [0] }),
          )
        } finally {
          await fresh.close()
        }
      }
    })
  })
