import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { storeAdapterOf } from '../../src/app/stores.js'
import { freshDatabase, type FreshDatabase } from '../../test/support/servers/fresh-database.js'
import { skipWithoutServer } from '../../test/support/servers/missing-server.js'
import { loadProducts } from './load-products.js'

const folder = await mkdtemp(join(tmpdir(), 'bulk-'))
const databases: FreshDatabase[] = []
after(async () => {
  await rm(folder, { recursive: true, force: true })
  for (const database of databases) await database.drop()
})

async function fresh(kind: 'postgres' | 'mariadb'): Promise<string> {
  const database = await freshDatabase(kind)
  if (database === null) throw new Error(`There is no ${kind}.`)
  databases.push(database)
  return database.url
}

/** What a reader sees of the load: the same on each database. */
async function contentOf(url: string): Promise<unknown> {
  const storage = await storeAdapterOf(url).open(url, {})
  try {
    const products = { types: ['product'], order: [{ by: 'id', direction: 'asc' }], limit: 100, offset: 0 } as const
    const { rows } = await storage.posts.list(products)
    const [first] = rows
    const { count } = (await storage.terms.find('category', { slug: 'bulk-1' })) ?? {}
    const ofCategory = await storage.posts.count({ ...products, term: { taxonomy: 'category', slug: 'bulk-1' } })
    const versions = await storage.versions()
    const before = versions.get('product')
    await storage.posts.update(first?.post.ID ?? 0, { post_title: 'Changed' })
    const isCounted = (await storage.versions()).get('product') !== before
    return { rows: rows.map(({ post, meta }) => ({ post: { ...post, ID: 0 }, meta })), count, ofCategory, isCounted }
  } finally {
    await storage.close()
  }
}

const stores = [
  ['SQLite', false, async () => `sqlite:${folder}/bulk.sqlite`],
  ['PostgreSQL', skipWithoutServer('postgres'), () => fresh('postgres')],
  ['MariaDB', skipWithoutServer('mariadb'), () => fresh('mariadb')],
] as const

describe('npm run bench:load', () => {
  let expected: unknown = null
  for (const [name, skip, open] of stores)
    it(`goes on after an interruption, and makes the same rows on ${name}`, { skip }, async () => {
      const url = await open()
      const interrupted = new Error('interrupted')
      const progress: number[] = []
      await assert.rejects(
        loadProducts(url, {
          products: 45,
          batch: 20,
          onProgress: () => {
            throw interrupted
          },
        }),
        interrupted,
      )
      const load = () => loadProducts(url, { products: 45, batch: 20, onProgress: (loaded) => progress.push(loaded) })
      assert.equal(await load(), 25)
      assert.equal(await load(), 0)
      assert.deepEqual(progress, [40, 45])
      const content = await contentOf(url)
      const { rows, count, ofCategory, isCounted } = content as {
        rows: readonly { readonly meta: readonly unknown[] }[]
        count: number
        ofCategory: number
        isCounted: boolean
      }
      assert.deepEqual([rows.length, rows[0]?.meta.length, count, ofCategory, isCounted], [45, 3, 1, 1, true])
      expected ??= content
      assert.deepEqual(content, expected)
    })
})
