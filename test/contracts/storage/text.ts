import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import type { Storage } from '../../../src/database/storage.js'
import { aPost, aUser } from './rows.js'

const oddTexts: readonly string[] = [
  `'; DROP TABLE wp_posts; --`,
  `" OR 1=1 --`,
  `%' UNION SELECT user_pass FROM wp_users --`,
  '? ?1 :name $1 @x',
  'backslash \\ and \\0 and \\',
  'emoji \u{1F469}\u200D\u{1F469}\u200D\u{1F467} \u{1F600}',
  'right to left: שלום مرحبا \u202Eabc',
  'NUL a\0b\0',
  '\0',
  'line\r\nbreak\u2028\u2029\t\u0007',
  '\uFEFFmark',
  'decomposed e\u0301 and composed \u00E9',
  'null',
  '[]',
  '1e3',
  ' spaces around ',
  'x'.repeat(1_000_000),
  '\u{1F600}'.repeat(250_000),
]

export function textContract(storage: () => Storage): void {
  const shown = (text: string): string => JSON.stringify(text.slice(0, 40))

  const keepsEverywhere = async (text: string): Promise<void> => {
    const { posts, users, options } = storage()
    const id = await posts.insert(aPost({ post_title: text, post_content: text }))
    await posts.meta.write(id, 'odd', text)
    const [row] = (await posts.findWithMeta([id])).rows
    assert.equal(row?.post.post_title, text)
    assert.equal(row.post.post_content, text)
    assert.equal(row.meta[0]?.value, text)
    assert.deepEqual(await posts.meta.read(id, 'odd'), [text])
    assert.equal(await posts.meta.replace(id, 'odd', text, 'even'), true)
    const user = await users.insert(aUser({ user_login: `odd ${id}`, display_name: text }))
    assert.equal((await users.find({ id: user }))?.display_name, text)
    await options.write('odd', text)
    assert.equal(await options.read('odd'), text)
    await posts.delete(id)
  }

  for (const text of oddTexts) it(`keeps ${shown(text)}`, () => keepsEverywhere(text))

  it('any well-formed text is stored and read unchanged', () =>
    fc.assert(fc.asyncProperty(fc.string({ unit: 'binary' }), keepsEverywhere), { numRuns: 25 }))

  it('texts of 16 MB are stored and read', async () => {
    const { posts } = storage()
    const text = 'é\0"'.repeat(4_194_304)
    const id = await posts.insert(aPost({ post_content: text, post_type: 'long' }))
    assert.ok((await posts.find(id))?.post_content === text)
    const query = { types: ['long'], order: [], limit: 10, offset: 0 } as const
    assert.ok((await posts.list(query)).rows[0]?.post.post_content === text)
    await posts.delete(id)
  })

  it('any text is a value in a name, a slug or a search, and never SQL', async () => {
    const { posts, users, terms, options } = storage()
    const before = await posts.insert(aPost({ post_title: 'still here' }))
    for (const text of oddTexts) {
      const question = {
        slug: text,
        search: { include: [text], exclude: [] },
        types: [text],
        statuses: [text],
        order: [],
        limit: 1,
        offset: 0,
      }
      assert.deepEqual((await posts.list(question)).rows, [], shown(text))
      assert.deepEqual((await posts.list({ ...question, term: { taxonomy: text, slug: text } })).rows, [], shown(text))
      await posts.list({ order: [{ by: { meta: text, as: 'number' }, direction: 'asc' }], limit: 1, offset: 0 })
      assert.equal(await posts.slugTaken({ slug: text, types: [text], exceptId: 0 }), false, shown(text))
      assert.equal(await users.find({ login: text }), null, shown(text))
      assert.equal(await users.find({ email: text }), null, shown(text))
      assert.equal(await terms.find(text, { slug: text }), null, shown(text))
      assert.equal(await options.read(text), null, shown(text))
      assert.deepEqual(await posts.meta.read(before, text), [], shown(text))
      await users.list({ search: text, limit: 1, offset: 0 })
    }
    assert.equal((await posts.find(before))?.post_title, 'still here')
  })
}
