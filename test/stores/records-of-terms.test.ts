import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { storeAdapterOf } from '../../src/app/stores.js'
import { checkDatabase, raiseVersions } from '../../src/database/maintenance/check-database.js'
import type { OrderColumn, PostQuery, Storage } from '../../src/database/storage.js'
import type { SqlStore } from '../../src/database/sql/sql-store.js'
import type { OpenedStorage } from '../../src/database/store-adapter.js'
import { aPost } from '../contracts/storage/rows.js'
import { storeKinds } from '../support/store-kinds.js'
import { onlyOnSqlite } from '../support/test-database.js'

/** Terms of a tree: `b` is below `a`, and `c` below `b`. */
const slugs = ['a', 'b', 'c', 'alone'] as const
const dates = ['2026-01-01 00:00:00', '2026-01-02 00:00:00', '0000-00-00 00:00:00'] as const
const statuses = ['publish', 'draft'] as const
const types = ['product', 'Product', 'post'] as const
const pages: readonly [by: OrderColumn, offset: number][] = [
  ['date', 0],
  ['date', 3],
  ['title', 0],
]

/** Something that is done to the records, which are numbered. */
const change = fc.oneof(
  fc.record({
    insert: fc.record({
      post_date: fc.constantFrom(...dates),
      post_status: fc.constantFrom(...statuses),
      post_type: fc.constantFrom(...types),
    }),
  }),
  fc.record({
    record: fc.nat(9),
    update: fc.oneof(
      fc.record({ post_date: fc.constantFrom(...dates) }),
      fc.record({ post_status: fc.constantFrom(...statuses) }),
      fc.record({ post_type: fc.constantFrom(...types) }),
      fc.record({ post_title: fc.constantFrom('one', 'two') }),
    ),
  }),
  fc.record({ record: fc.nat(9), terms: fc.uniqueArray(fc.nat(slugs.length - 1), { maxLength: 3 }) }),
  fc.record({ record: fc.nat(9), isDeleted: fc.constant(true as const) }),
  fc.record({
    record: fc.nat(9),
    /** By another program. */
    sql: fc.constantFrom(
      "UPDATE wp_posts SET post_status = (CASE post_status WHEN 'draft' THEN 'publish' ELSE 'draft' END)",
      "UPDATE wp_posts SET post_date = '2026-01-03 00:00:00' WHERE ID = {id}",
      'DELETE FROM wp_posts WHERE ID = {id}',
      'DELETE FROM wp_term_relationships WHERE object_id = {id}',
      'UPDATE wp_term_relationships SET term_taxonomy_id = {other} WHERE object_id = {id} AND term_taxonomy_id = {term}',
      'UPDATE wp_term_relationships SET object_id = 999999 WHERE object_id = {id}',
    ),
  }),
)

for (const kind of storeKinds)
  describe(`records of terms on ${kind.name}`, { skip: kind.skip || onlyOnSqlite }, () => {
    let storage: OpenedStorage
    let tables: SqlStore
    let drop: () => unknown
    let terms: number[] = []
    before(async () => {
      const database = await kind.create()
      storage = await storeAdapterOf(database.url).open(database.url, {})
      tables = await storeAdapterOf(database.url).openTables(database.url, { purpose: 'change' })
      drop = () => database.drop()
      const ids = new Map<string, number>()
      for (const [index, slug] of slugs.entries()) {
        const parent = slug === 'b' || slug === 'c' ? (ids.get(slugs[index - 1] ?? '') ?? 0) : 0
        ids.set(slug, await storage.terms.insert({ taxonomy: 'category', name: slug, slug, parent }))
      }
      terms = [...ids.values()]
    })
    after(async () => {
      await storage?.close()
      await tables?.database.close()
      await drop?.()
    })

    const run = (sql: string): Promise<unknown> => tables.database.write((connection) => connection.execute(sql))

    async function apply(done: typeof change extends fc.Arbitrary<infer T> ? T : never, ids: number[]): Promise<void> {
      if ('insert' in done) return void ids.push(await storage.posts.insert(aPost(done.insert)))
      const id = ids[done.record % Math.max(ids.length, 1)]
      if (id === undefined) return
      if ('update' in done) await storage.posts.update(id, done.update)
      else if ('terms' in done)
        await storage.posts.setTerms(
          id,
          'category',
          done.terms.map((index) => terms[index] ?? 0),
        )
      else if ('isDeleted' in done) await storage.posts.delete(id)
      else {
        const [term = 0, other = 0] = await termTaxonomies(storage)
        await run(done.sql.replaceAll('{id}', `${id}`).replace('{other}', `${other}`).replace('{term}', `${term}`))
      }
    }

    /** What lists and numbers say, each in the usual way and in one that a further condition makes a search of all records. */
    async function responses(isUsual: boolean): Promise<unknown[]> {
      const results: unknown[] = []
      const further = isUsual ? {} : { exceptIds: [0] }
      for (const slug of [undefined, ...slugs, 'none'])
        for (const ofTypes of [['product'], ['post', 'product']])
          for (const status of ['publish', undefined]) {
            const query: PostQuery = {
              types: ofTypes,
              ...(status && { statuses: [status] }),
              ...(slug && { term: { taxonomy: 'category', slug } }),
              ...further,
              order: [],
              limit: 4,
              offset: 0,
            }
            results.push(await storage.posts.count(query))
            for (const direction of ['asc', 'desc'] as const)
              for (const [by, offset] of slug === undefined ? [] : pages)
                results.push(
                  (
                    await storage.posts.list({ ...query, order: [{ by, direction }], offset }, { columns: [] })
                  ).rows.map(({ post }) => post.ID),
                )
          }
      return results
    }

    async function assertSame(): Promise<void> {
      assert.deepEqual(await responses(true), await responses(false))
    }

    it('are listed and counted as they are, whatever was done to them', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 16 }), async (changes) => {
          await run('DELETE FROM wp_term_relationships')
          await run('DELETE FROM wp_posts')
          const ids: number[] = []
          for (const done of changes) await apply(done, ids)
          await assertSame()
        }),
        { numRuns: 6, seed: 21 },
      )
    })

    it('are counted right when many writers change them at once, and some give up', async () => {
      const ids = await Promise.all(
        Array.from({ length: 6 }, () => storage.posts.insert(aPost({ post_type: 'product', post_status: 'publish' }))),
      )
      const work = Array.from({ length: 60 }, async (_, index) => {
        const id = ids[index % ids.length] ?? 0
        if (index % 4 === 0) await storage.posts.setTerms(id, 'category', [terms[index % 3] ?? 0, terms[3] ?? 0])
        else if (index % 4 === 1) await storage.posts.update(id, { post_status: index % 8 === 1 ? 'draft' : 'publish' })
        else if (index % 4 === 2)
          await storage.write(async (inside) => {
            await inside.posts.insert(aPost({ post_type: 'product', post_status: 'publish' }))
            throw new Error('given up')
          })
        else await storage.posts.insert(aPost({ post_type: 'product', post_status: 'draft' }))
      })
      for (const [index, result] of (await Promise.allSettled(work)).entries())
        assert.equal(
          result.status,
          index % 4 === 2 ? 'rejected' : 'fulfilled',
          String('reason' in result && result.reason),
        )
      await assertSame()
      assert.deepEqual(
        (await checkDatabase(tables)).filter(
          ({ sentence }) => !/give a term to no record|count that is not/.test(sentence),
        ),
        [],
      )
    })

    it(
      'are counted anew by `db check --changed`',
      { skip: kind.name === 'SQLite' && 'SQLite keeps no numbers.' },
      async () => {
        const { counts, listed } = tables.tables
        await storage.posts.insert(aPost({ post_type: 'product', post_status: 'publish' }))
        await run(`UPDATE ${counts} SET n = n + 1 WHERE term_taxonomy_id = 0`)
        await run(`DELETE FROM ${listed}`)
        const sentences = (await checkDatabase(tables)).map(({ sentence }) => sentence).join('\n')
        assert.match(sentences, new RegExp(`Rows of ${counts} that do not say how many records there are`))
        assert.match(sentences, new RegExp(`are not in ${listed}`))
        await raiseVersions(tables)
        assert.doesNotMatch((await checkDatabase(tables)).map(({ sentence }) => sentence).join('\n'), /_counts|_listed/)
        assert.deepEqual(await responses(true), await responses(false))
      },
    )
  })

/** The ids of the first two categories as the table of relationships has them. */
async function termTaxonomies({ terms }: Storage): Promise<number[]> {
  const rows = await Promise.all(slugs.slice(0, 2).map((slug) => terms.find('category', { slug })))
  return rows.map((term) => term?.term_taxonomy_id ?? 0)
}
