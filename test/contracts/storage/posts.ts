import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Storage } from '../../../src/database/storage.js'
import { StorageError } from '../../../src/database/storage-error.js'
import { aPost } from './rows.js'

export function postContract(storage: () => Storage): void {
  it('every column is returned as it was stored', async () => {
    const { posts } = storage()
    const row = aPost({
      post_author: 7,
      post_date: '2026-01-02 03:04:05',
      post_date_gmt: '0000-00-00 00:00:00',
      post_content: '<p>Content</p>',
      post_title: 'Title',
      post_excerpt: 'Excerpt',
      post_status: 'draft',
      comment_status: 'open',
      ping_status: 'open',
      post_password: 'secret',
      post_name: 'every-column',
      to_ping: 'a',
      pinged: 'b',
      post_modified: '2026-01-02 03:04:06',
      post_modified_gmt: '2026-01-02 03:04:07',
      post_content_filtered: 'filtered',
      post_parent: 3,
      guid: 'http://shop.test/?p=1',
      menu_order: -2,
      post_type: 'page',
      post_mime_type: 'image/png',
      comment_count: 9,
    })
    const id = await posts.insert(row)
    assert.deepEqual(await posts.find(id), { ID: id, ...row })
    assert.deepEqual((await posts.findWithMeta([id])).rows, [{ post: { ID: id, ...row }, meta: [] }])
  })

  for (const count of [1, 3, 16, 40])
    it(`a post is inserted with ${count} rows of metadata, in their order`, async () => {
      const { posts, versions, write } = storage()
      const meta = Array.from({ length: count }, (_, index) => ({
        key: `key-${(index * 7) % count}`,
        value: index === 2 ? null : `value ${index} 'of' \0 \u{1f600}`,
      }))
      const row = aPost({ post_type: 'book' })
      const insert = [
        () => posts.insert(row, meta),
        () => write((inside) => inside.posts.insert(row, meta)),
        () => posts.insert({ ...row, ID: 4_000_000 + count * 1000 }, meta),
      ]
      for (const insertOne of insert) {
        const before = (await versions()).get('book') ?? 0
        const id = await insertOne()
        assert.deepEqual((await posts.findWithMeta([id])).rows, [{ post: { ID: id, ...row }, meta }])
        assert.ok(((await versions()).get('book') ?? 0) > before)
      }
    })

  for (const count of [0, 2, 16, 40])
    it(`where a post can be inserted at once, ${count} rows of metadata are stored with it, and none when its slug is taken`, async () => {
      const { posts, versions, write } = storage()
      const { insertAtOnce } = posts
      await write(async (inside) => assert.equal(inside.posts.insertAtOnce, undefined))
      if (insertAtOnce === undefined) return
      const meta = Array.from({ length: count }, (_, index) => ({
        key: `key-${index}`,
        value: index === 1 ? null : `value ${index} 'of' \0 \u{1f600}`,
      }))
      const row = aPost({ post_type: 'book', post_name: `at-once-${count}`, post_title: 'Löwe \0' })
      const before = (await versions()).get('book') ?? 0
      const id = await insertAtOnce(row, meta, `slug:${row.post_name}`)
      if (count > 16) return assert.equal(id, null, 'more rows than one statement has')
      assert.deepEqual((await posts.findWithMeta([id ?? 0])).rows, [{ post: { ID: id, ...row }, meta }])
      const after = (await versions()).get('book') ?? 0
      assert.ok(after > before)
      for (const post_type of ['book', 'page']) {
        const again = { ...row, post_type, post_name: row.post_name.toUpperCase() }
        assert.equal(await insertAtOnce(again, meta, `slug:${row.post_name}`), null)
      }
      const isHeld = write(async (inside) => {
        await inside.lock(['slug:held'])
        // Statements that follow wait for the lock.
        assert.equal(await inside.posts.slugTaken({ slug: 'held', exceptId: 0 }), false)
        const waiting = insertAtOnce({ ...row, post_name: 'held' }, meta, 'slug:held')
        // The other connection has begun to wait for the name.
        await sleep(50)
        await inside.posts.insert(aPost({ post_name: 'held' }))
        return { waiting }
      })
      assert.equal(await (await isHeld).waiting, null, 'it sees what the holder of the name has stored')
      assert.equal(await posts.count({ slug: 'held', order: [], limit: 1, offset: 0 }), 1)
      await posts.delete((await posts.list({ slug: 'held', order: [], limit: 1, offset: 0 })).rows[0]?.post.ID ?? 0)
    })

  it('a post with refused metadata is not stored, and the transaction goes on', async () => {
    const { posts, write } = storage()
    const unstorable = { key: 'wrong', value: true as never }
    for (const count of [1, 20]) {
      const meta = [...Array.from({ length: count }, (_, index) => ({ key: `key-${index}`, value: '' })), unstorable]
      const refused = aPost({ post_name: `refused-${count}` })
      await assert.rejects(posts.insert(refused, meta), StorageError)
      const id = await write(async (inside) => {
        await assert.rejects(inside.posts.insert(refused, meta), StorageError)
        return inside.posts.insert(aPost({ post_name: `after-${count}` }))
      })
      assert.equal(await posts.slugTaken({ slug: `refused-${count}`, exceptId: 0 }), false)
      assert.equal((await posts.find(id))?.post_name, `after-${count}`)
      assert.deepEqual(await posts.meta.ownersOf('key-0', '', 1000), [])
    }
  })

  it('ids ascend, a given id is kept, and a taken one is refused', async () => {
    const { posts } = storage()
    const first = await posts.insert(aPost())
    const chosen = await posts.insert(aPost({ ID: first + 1000 }))
    assert.equal(chosen, first + 1000)
    assert.equal(await posts.insert(aPost()), chosen + 1)
    await assert.rejects(posts.insert(aPost({ ID: chosen })), { name: 'StorageError', fault: 'constraint' })
  })

  it('the id of a deleted post is not used again', async () => {
    const { posts } = storage()
    const id = await posts.insert(aPost())
    await posts.delete(id)
    assert.ok((await posts.insert(aPost())) > id)
  })

  it('impossible ids find nothing', async () => {
    const { posts } = storage()
    for (const id of [0, -1, 1.5, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(await posts.find(id), null, String(id))
      assert.deepEqual((await posts.findWithMeta([id, id])).rows, [], String(id))
      assert.equal(await posts.update(id, { post_title: 'x' }), false, String(id))
      assert.equal(await posts.delete(id), false, String(id))
    }
  })

  it('rows are in the order of the ids, with their metadata, without unknown ids', async () => {
    const { posts } = storage()
    const a = await posts.insert(aPost({ post_title: 'a' }))
    const b = await posts.insert(aPost({ post_title: 'b' }))
    await posts.meta.add(a, 'price', '2')
    await posts.meta.add(a, 'color', null)
    await posts.meta.add(a, 'price', '1')
    const rows = (await posts.findWithMeta([b, 999_999, a, b])).rows
    assert.deepEqual(
      rows.map(({ post, meta }) => [post.post_title, meta]),
      [
        ['b', []],
        [
          'a',
          [
            { key: 'price', value: '2' },
            { key: 'color', value: null },
            { key: 'price', value: '1' },
          ],
        ],
        ['b', []],
      ],
    )
    assert.deepEqual((await posts.findWithMeta([])).rows, [])
  })

  it('the id, the selected columns and all metadata are read', async () => {
    const { posts } = storage()
    const selection = { columns: ['post_title', 'menu_order'] } as const
    const id = await posts.insert(aPost({ post_title: 'a', menu_order: 3, post_type: 'narrow' }))
    await posts.meta.add(id, 'price', '2')
    const expected = [{ post: { ID: id, post_title: 'a', menu_order: 3 }, meta: [{ key: 'price', value: '2' }] }]
    assert.deepEqual((await posts.findWithMeta([id], selection)).rows, expected)
    assert.deepEqual(
      (await posts.list({ types: ['narrow'], order: [], limit: 5, offset: 0 }, selection)).rows,
      expected,
    )
  })

  it('only the selected metadata is read: the oldest row of each key in its exact spelling', async () => {
    const { posts } = storage()
    const id = await posts.insert(aPost({ post_type: 'keyed' }))
    const stored: [string, string | null][] = [
      ['Price', 'in another case'],
      ['price', '2'],
      ['colour', 'red'],
      ['price', '1'],
      ['nothing', null],
      ['nothing', 'younger'],
      ['empty', ''],
      ['text', `a NUL\0, a quote ' and ü`],
      [`it's "a" key?`, 'quoted'],
    ]
    for (const [key, value] of stored) await posts.meta.add(id, key, value)
    const cases: [keys: readonly string[], entries: readonly [string, string | null][]][] = [
      [[], []],
      [['price'], [['price', '2']]],
      [['PRICE', 'missing'], []],
      [['Price', 'price', 'price'], stored.slice(0, 2)],
      [['nothing', 'empty', 'text', `it's "a" key?`], [4, 6, 7, 8].map((index) => stored[index] ?? ['', ''])],
      // More than would be read one by one.
      [
        ['price', 'nothing', ...Array.from({ length: 200 }, (_, index) => `missing-${index}`)],
        [
          ['price', '2'],
          ['nothing', null],
        ],
      ],
    ]
    const query = { types: ['keyed'], order: [], limit: 5, offset: 0 }
    const long = { ...query, limit: 500 }
    for (const [metaKeys, expected] of cases) {
      const selection = { columns: ['post_type'], metaKeys } as const
      const responses = [posts.findWithMeta([id], selection), posts.list(query, selection), posts.list(long, selection)]
      for (const {
        rows: [row],
      } of await Promise.all(responses)) {
        assert.deepEqual(row?.post, { ID: id, post_type: 'keyed' })
        const byKey = Object.fromEntries(row.meta.map(({ key, value }) => [key, value]))
        assert.deepEqual(byKey, Object.fromEntries(expected), metaKeys.slice(0, 5).join())
        assert.equal(row.meta.length, expected.length)
      }
    }
  })

  it('long pages have the same order as short ones', async () => {
    const { posts } = storage()
    const ids: number[] = []
    for (let number = 0; number < 120; number += 1) ids.push(await posts.insert(aPost({ post_type: 'many' })))
    const query = { types: ['many'], order: [{ by: 'id', direction: 'desc' } as const], offset: 1 }
    for (const limit of [7, 100, 101, 500]) {
      const rows = (await posts.list({ ...query, limit }, { columns: ['ID'] })).rows
      assert.deepEqual(
        rows.map(({ post }) => post.ID),
        ids.toReversed().slice(1, 1 + limit),
        String(limit),
      )
    }
    assert.equal((await posts.findWithMeta(ids)).rows.length, 120)
  })

  it('only the given columns are updated, and the result says whether the row exists', async () => {
    const { posts } = storage()
    const id = await posts.insert(aPost({ post_title: 'before', post_content: 'kept' }))
    const neighbour = await posts.insert(aPost({ post_title: 'neighbour' }))
    assert.equal(await posts.update(id, { post_title: 'after', menu_order: 4 }), true)
    assert.equal(await posts.update(id, { post_title: 'after', menu_order: 4 }), true, 'also when nothing changes')
    assert.equal(await posts.update(id, {}), true)
    assert.equal(await posts.update(999_999, {}), false)
    assert.equal(await posts.update(999_999, { post_title: 'x' }), false)
    const row = await posts.find(id)
    assert.deepEqual([row?.post_title, row?.post_content, row?.menu_order], ['after', 'kept', 4])
    assert.equal((await posts.find(neighbour))?.post_title, 'neighbour')
  })

  it('deleting a post deletes its metadata and its terms and updates the counts of the terms', async () => {
    const { posts, terms } = storage()
    const id = await posts.insert(aPost())
    const sale = await terms.insert({ name: 'Sale', slug: 'sale', taxonomy: 'category' })
    await posts.meta.add(id, 'price', '1')
    await posts.setTerms(id, 'category', [sale])
    assert.equal((await terms.find('category', { id: sale }))?.count, 1)
    assert.equal(await posts.delete(id), true)
    assert.equal(await posts.delete(id), false)
    assert.deepEqual(
      [await posts.find(id), await posts.meta.all(id), (await posts.termsOf([id], ['category'])).size],
      [null, [], 0],
    )
    assert.equal((await terms.find('category', { id: sale }))?.count, 0)
  })

  it('the children of a post get another parent, those of the given types, and never the post itself', async () => {
    const { posts } = storage()
    const parent = await posts.insert(aPost())
    const [page, file, other] = [
      await posts.insert(aPost({ post_type: 'Page', post_parent: parent })),
      await posts.insert(aPost({ post_type: 'attachment', post_parent: parent })),
      await posts.insert(aPost({ post_type: 'revision', post_parent: parent })),
    ]
    await posts.update(parent, { post_parent: parent, post_type: 'page' })
    assert.equal(await posts.moveChildren({ from: parent, to: 7, types: ['page', 'attachment'] }), 2)
    const parents = await Promise.all(
      [page, file, other, parent].map(async (id) => (await posts.find(id))?.post_parent),
    )
    assert.deepEqual(parents, [7, 7, parent, parent])
    assert.equal(await posts.moveChildren({ from: parent, to: 7, types: ['page'] }), 0)
  })

  it('a taken slug is found without regard to case and accents', async () => {
    const { posts } = storage()
    const id = await posts.insert(aPost({ post_name: 'red-cafe', post_type: 'slugged', post_parent: 5 }))
    await posts.insert(aPost({ post_name: 'grün-été', post_type: 'slugged' }))
    const question = { types: ['slugged'], exceptId: 0 }
    const responses: [slug: string, taken: boolean][] = [
      ['red-cafe', true],
      ['RED-Cafe', true],
      ['red-café', true],
      ['red-cafe-2', false],
      ['red_cafe', false],
      ['', false],
      ['grün-été', true],
      ['GRÜN-ÉTÉ', true],
      ['grun-ete', true],
      ['gru\u0308n-e\u0301te\u0301', true],
      ['grün-ét', false],
    ]
    for (const [slug, taken] of responses) assert.equal(await posts.slugTaken({ ...question, slug }), taken, slug)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', types: ['slugged'], exceptId: id }), false)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', types: ['other'], exceptId: 0 }), false)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', types: ['other', 'slugged'], exceptId: 0 }), true)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', types: ['slugged'], parent: 5, exceptId: 0 }), true)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', types: ['slugged'], parent: 6, exceptId: 0 }), false)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', types: [], exceptId: 0 }), false)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', exceptId: 0 }), true)
    assert.equal(await posts.slugTaken({ slug: 'GRUN-été', exceptId: 0 }), true)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe', exceptId: id }), false)
    assert.equal(await posts.slugTaken({ slug: 'red-cafe-2', exceptId: 0 }), false)
  })

  it('the first free slug is found without regard to case and accents', async () => {
    const { posts } = storage()
    const id = await posts.insert(aPost({ post_name: 'blue-lamp', post_type: 'numbered', post_parent: 5 }))
    for (const post_name of ['Blue-Lamp-2', 'blüe-lâmp-3', 'blue-lamp-5', 'blue-lamp-shade', 'été-2'])
      await posts.insert(aPost({ post_name, post_type: 'numbered' }))
    const others = { types: ['numbered'], exceptId: 0 }
    const responses: [slugs: readonly string[], firstFree: string | null][] = [
      [['blue-lamp', 'blue-lamp-2', 'blue-lamp-3', 'blue-lamp-4', 'blue-lamp-5'], 'blue-lamp-4'],
      [['blue-lamp', 'blue-lamp-2', 'blue-lamp-3'], null],
      [['BLUE-lamp', 'blue-lämp-2', 'BLÜE-LÂMP-3', 'blue-lamp-5', 'blue-lamp-6'], 'blue-lamp-6'],
      [['ete-2', 'ÉTÉ-2', 'e\u0301te\u0301-2', 'ete-3'], 'ete-3'],
      [['blue-lamp-', 'blue-lamp'], 'blue-lamp-'],
      [['blue_lamp'], 'blue_lamp'],
      [[], null],
    ]
    for (const [slugs, firstFree] of responses)
      assert.equal(await posts.firstFreeSlug({ slugs, ...others }), firstFree, slugs.join())
    const slugs = ['blue-lamp', 'free']
    for (const [query, firstFree] of [
      [{ exceptId: 0 }, 'free'],
      [{ exceptId: id }, 'blue-lamp'],
      [{ exceptId: 0, types: ['other'] }, 'blue-lamp'],
      [{ exceptId: 0, types: ['other', 'numbered'] }, 'free'],
      [{ exceptId: 0, types: [] }, 'blue-lamp'],
      [{ exceptId: 0, types: ['numbered'], parent: 5 }, 'free'],
      [{ exceptId: 0, types: ['numbered'], parent: 6 }, 'blue-lamp'],
    ] as const)
      assert.equal(await posts.firstFreeSlug({ slugs, ...query }), firstFree, JSON.stringify(query))
    assert.equal(await storage().write((inside) => inside.posts.firstFreeSlug({ slugs, exceptId: 0 })), 'free')
  })

  it('the first free one of thousands of slugs is found', async () => {
    const { posts } = storage()
    const slugs = Array.from({ length: 5000 }, (_, index) => `chair-${index}`)
    await storage().transaction(async (inside) => {
      for (const post_name of slugs.slice(0, 300)) await inside.posts.insert(aPost({ post_name }))
    })
    assert.equal(await posts.firstFreeSlug({ slugs, exceptId: 0 }), 'chair-300')
    assert.equal(await posts.firstFreeSlug({ slugs: slugs.slice(0, 300), exceptId: 0 }), null)
  })

  // The last one: later posts would get ids that JavaScript cannot tell apart.
  it('a post, its metadata and its children have ids up to 2 ** 53 - 1', async () => {
    const { posts } = storage()
    const largest = Number.MAX_SAFE_INTEGER
    for (const id of [largest - 1, largest]) {
      assert.equal(
        await posts.insert(aPost({ ID: id, post_type: 'far', post_author: id }), [{ key: 'id', value: `${id}` }]),
        id,
      )
      const child = await posts.insert(aPost({ ID: id - 10, post_type: 'far', post_parent: id }))
      assert.equal((await posts.find(id))?.ID, id)
      assert.equal((await posts.find(child))?.post_parent, id)
      assert.deepEqual(await posts.meta.read(id, 'id'), [`${id}`])
      assert.equal(await posts.update(id, { post_title: `${id}` }), true)
    }
    const order = [{ by: 'id', direction: 'desc' }] as const
    const idsOf = async (query: object) =>
      (await posts.list({ types: ['far'], order, limit: 10, offset: 0, ...query })).rows.map(({ post }) => post.ID)
    assert.deepEqual(await idsOf({}), [largest, largest - 1, largest - 10, largest - 11])
    assert.deepEqual(await idsOf({ parent: largest }), [largest - 10])
    assert.deepEqual(await idsOf({ author: largest - 1 }), [largest - 1])
    assert.deepEqual(await idsOf({ afterId: largest - 1 }), [largest])
    assert.deepEqual(await idsOf({ ids: [largest] }), [largest])
    assert.equal(await posts.delete(largest), true)
    assert.deepEqual(await posts.meta.read(largest, 'id'), [])
  })
}
