import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { aPost, aUser } from '../../../test/contracts/storage/rows.js'
import { openSqlite } from './open-sqlite.js'
import { sqliteLibrary } from './sqlite-client.js'

const folder = mkdtempSync(join(tmpdir(), 'foreign-values-'))
const path = join(folder, 'shop.db')
const storage = await openSqlite(`sqlite:${path}`)
const another = (await sqliteLibrary())(path)
after(async () => {
  another.close()
  await storage.close()
  rmSync(folder, { recursive: true })
})

/** As SQL; MySQL would have kept the number when it was written. */
const inNumbers: [written: string, read: number][] = [
  [`x'3132'`, 12],
  [`x'616263'`, 0],
  [`x''`, 0],
  [`x'ff00'`, 0],
  [`'12abc'`, 12],
  [`'abc'`, 0],
  [`' 7 '`, 7],
  [`'-3'`, -3],
  [`1.5`, 1],
]

const page = { order: [{ by: 'id', direction: 'desc' }], offset: 0 } as const

describe('values of another program in a column of numbers', () => {
  for (const [written, read] of inNumbers)
    it(`${written} is read as ${read}, and the other columns are read as well`, async () => {
      const [neighbour, id] = [await storage.posts.insert(aPost()), await storage.posts.insert(aPost())]
      const columns = ['post_author', 'post_parent', 'menu_order', 'comment_count'] as const
      const assigned = columns.map((column) => `${column} = ${written}`).join(', ')
      another.prepare(`UPDATE wp_posts SET ${assigned} WHERE ID = ?`).run([id])
      const numbers = Object.fromEntries(columns.map((column) => [column, read]))
      const numbersOf = (post: object | null | undefined) =>
        Object.fromEntries(columns.map((column) => [column, (post as Record<string, unknown>)[column]]))
      assert.deepEqual(numbersOf(await storage.posts.find(id)), numbers)
      assert.deepEqual(numbersOf((await storage.posts.findWithMeta([id])).rows[0]?.post), numbers)
      for (const limit of [2, 500]) {
        const [first, second] = (await storage.posts.list({ ...page, limit })).rows
        assert.deepEqual([first?.post.ID, second?.post.ID], [id, neighbour])
        assert.deepEqual(numbersOf(first?.post), numbers)
      }
      const [ordered] = (await storage.posts.list({ ...page, limit: 2 }, { columns: ['menu_order'], metaKeys: [] }))
        .rows
      assert.equal(ordered?.post.menu_order, read)
    })

  it('terms and users are read in the same way', async () => {
    const term = await storage.terms.insert({ taxonomy: 'category', name: 'News', slug: 'news' })
    const user = await storage.users.insert(aUser())
    for (const [written, read] of inNumbers) {
      another.prepare(`UPDATE wp_term_taxonomy SET parent = ${written}, count = ${written}`).run([])
      another.prepare(`UPDATE wp_users SET user_status = ${written}`).run([])
      const stored = await storage.terms.find('category', { id: term })
      assert.deepEqual([stored?.parent, stored?.count], [read, read], written)
      assert.equal((await storage.users.find({ id: user }))?.user_status, read, written)
    }
  })
})

describe('values of another program in a column of text', () => {
  const inTexts: [written: string, read: string][] = [
    [`x'61c3a962'`, 'aéb'],
    [`x'6100'`, 'a\0'],
    [`x''`, ''],
    ['5', '5'],
  ]
  for (const [written, read] of inTexts)
    it(`${written} is read as ${JSON.stringify(read)}`, async () => {
      const id = await storage.posts.insert(aPost())
      await storage.posts.meta.add(id, 'key', '')
      another.prepare(`UPDATE wp_posts SET post_title = ${written}, post_content = ${written} WHERE ID = ?`).run([id])
      another.prepare(`UPDATE wp_postmeta SET meta_value = ${written} WHERE post_id = ?`).run([id])
      for (const limit of [2, 500]) {
        const [first] = (await storage.posts.list({ ...page, limit })).rows
        assert.deepEqual([first?.post.post_title, first?.post.post_content], [read, read])
        assert.deepEqual(first?.meta, [{ key: 'key', value: read }])
      }
      const [named] = (await storage.posts.list({ ...page, limit: 1 }, { columns: ['post_title'], metaKeys: ['key'] }))
        .rows
      assert.deepEqual([named?.post.post_title, named?.meta], [read, [{ key: 'key', value: read }]])
    })
})
