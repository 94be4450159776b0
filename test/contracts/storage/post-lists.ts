import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { PostOrder, PostQuery, PostRow, Storage } from '../../../src/database/storage.js'
import type { OpenedStorage } from '../../../src/database/store-adapter.js'
import { aPost } from './rows.js'

type Question = Partial<PostQuery>

/** A search for records with all of these words. */
const words = (...include: string[]) => ({ include, exclude: [] })

/** title, date, further columns, metadata `price`. */
const shelf: readonly (readonly [string, string, Partial<PostRow>, string?])[] = [
  ['Chair', '2026-01-03 00:00:00', { post_name: 'chair', menu_order: 2 }, '12.50'],
  ['apple', '2026-01-01 00:00:00', { post_name: 'apple', menu_order: 1, post_excerpt: '100% juice' }, '3'],
  ['Banana', '2026-01-02 00:00:00', { post_name: 'banana', menu_order: 3, post_author: 2 }],
  ['Desk', '2026-01-02 00:00:00', { post_name: 'desk', post_password: 'x', post_parent: 77, menu_order: 3 }, '100'],
  ['Éclair', '2026-01-05 00:00:00', { post_name: 'eclair', post_content: 'Großer GENUSS, élégant' }, '-1'],
  ['Old', '2025-01-01 00:00:00', { post_name: 'old', post_status: 'draft' }, '12 pieces'],
  ['News', '2026-02-01 00:00:00', { post_name: 'news', post_type: 'post' }, '7'],
]

export function postListContract(storage: () => Storage & Pick<OpenedStorage, 'indexMeta'>): void {
  const ids = new Map<string, number>()

  before(async () => {
    const { posts, terms, indexMeta } = storage()
    await indexMeta?.([{ type: 'product', key: 'price' }], () => undefined)
    for (const [post_title, post_date, columns, price] of shelf) {
      const id = await posts.insert(aPost({ post_title, post_date, post_modified: post_date, ...columns }))
      ids.set(post_title, id)
      if (price !== undefined) await posts.meta.add(id, 'price', price)
    }
    const fruit = await terms.insert({ name: 'Fruit', slug: 'fruit', taxonomy: 'category' })
    await terms.insert({ name: 'Fruit', slug: 'fruit', taxonomy: 'post_tag' })
    const tropical = await terms.insert({ name: 'Tropical', slug: 'tropical', taxonomy: 'category', parent: fruit })
    const yellow = await terms.insert({ name: 'Yellow', slug: 'yellow', taxonomy: 'category', parent: tropical })
    // Its own ancestor, as only a faulty program leaves it.
    await terms.insert({ name: 'Loop', slug: 'loop', taxonomy: 'category', term_id: 900, parent: 900 })
    await posts.setTerms(ids.get('apple') ?? 0, 'category', [fruit, yellow])
    await posts.setTerms(ids.get('Banana') ?? 0, 'category', [yellow])
  })

  const titles = async (question: Question): Promise<string[]> => {
    const query = { order: [{ by: 'id', direction: 'asc' }], limit: 100, offset: 0, ...question } as const
    const [{ rows }, count] = await Promise.all([storage().posts.list(query), storage().posts.count(query)])
    if (question.limit === undefined && question.offset === undefined) assert.equal(count, rows.length, 'the count')
    return rows.map(({ post }) => post.post_title)
  }

  const products = { types: ['product'], statuses: ['publish'] }
  const filters: readonly (readonly [string, Question, readonly string[]])[] = [
    ['everything', {}, shelf.map(([title]) => title)],
    ['one type and status', products, ['Chair', 'apple', 'Banana', 'Desk', 'Éclair']],
    ['several types', { types: ['post', 'product'], statuses: ['draft', 'publish'] }, shelf.map(([title]) => title)],
    ['no type', { types: [] }, []],
    ['no status', { statuses: [] }, []],
    ['an author', { ...products, author: 2 }, ['Banana']],
    ['a parent', { ...products, parent: 77 }, ['Desk']],
    ['no parent', { ...products, parent: 0 }, ['Chair', 'apple', 'Banana', 'Éclair']],
    ['no password', { ...products, withoutPassword: true }, ['Chair', 'apple', 'Banana', 'Éclair']],
    ['a slug', { ...products, slug: 'BANANA' }, ['Banana']],
    ['a slug of another type', { types: ['post'], slug: 'banana' }, []],
    ['a term', { ...products, term: { taxonomy: 'category', slug: 'Fruit' } }, ['apple', 'Banana']],
    ['a term below another', { term: { taxonomy: 'category', slug: 'tropical' } }, ['apple', 'Banana']],
    ['a term that is its own ancestor', { term: { taxonomy: 'category', slug: 'loop' } }, []],
    ['a term of another taxonomy', { term: { taxonomy: 'post_tag', slug: 'fruit' } }, []],
    ['an unknown term', { term: { taxonomy: 'category', slug: 'nothing' } }, []],
    ['no ids', { ids: [] }, []],
    ['unknown ids', { ids: [-1, 0, 1e300, Number.NaN] }, []],
    ['text in a title', { search: words('CHAI') }, ['Chair']],
    ['text in an excerpt', { search: words('100% J') }, ['apple']],
    ['text in a content', { search: words('genuss') }, ['Éclair']],
    ['text beyond ASCII, in another case', { search: words('GROßER genuss, ÉLÉG') }, ['Éclair']],
    ['text with a wildcard', { search: words('%') }, ['apple']],
    ['text with another wildcard', { search: words('_') }, []],
    ['text with wildcards beyond ASCII', { search: words('*é?') }, []],
    ['text with an escape', { search: words('!') }, []],
    ['text with a NUL', { search: words('Chair\0') }, []],
    ['two words in different texts', { search: words('JUICE', 'appl') }, ['apple']],
    [
      'a word without another',
      { types: ['product'], search: { include: ['a'], exclude: ['juice', 'genuss'] } },
      ['Chair', 'Banana'],
    ],
    ['records without a word', { types: ['product'], search: { include: [], exclude: ['a'] } }, ['Desk', 'Old']],
    ['100,000 types', { types: [...Array.from({ length: 100_000 }, (_, index) => `type${index}`), 'post'] }, ['News']],
    [
      '100,000 statuses',
      { types: ['post'], statuses: [...Array.from({ length: 100_000 }, (_, index) => `status${index}`), 'PUBLISH'] },
      ['News'],
    ],
    ['text that is nowhere', { search: words('x'.repeat(100_000)) }, []],
    ['all at once', { ...products, author: 1, parent: 0, slug: 'apple', search: words('appl') }, ['apple']],
  ]
  for (const [name, question, expected] of filters) {
    it(`a query for ${name} returns the matching posts`, async () => assert.deepEqual(await titles(question), expected))
  }

  it('a query for ids returns the matching posts', async () => {
    const wanted = ['Desk', 'News', 'Chair'].map((title) => ids.get(title) ?? 0)
    assert.deepEqual(await titles({ ids: wanted }), ['Chair', 'Desk', 'News'])
    assert.deepEqual(await titles({ ...products, ids: [...wanted, 999_999] }), ['Chair', 'Desk'])
  })

  const by = (what: PostOrder['by'], direction: 'asc' | 'desc'): PostOrder => ({ by: what, direction })
  const price = { meta: 'PRICE', as: 'number' } as const
  const orders: readonly (readonly [string, readonly PostOrder[], readonly string[]])[] = [
    ['nothing, so by id', [], ['Chair', 'apple', 'Banana', 'Desk', 'Éclair']],
    [
      'date, newest first, so the larger id first',
      [by('date', 'desc')],
      ['Éclair', 'Chair', 'Desk', 'Banana', 'apple'],
    ],
    ['date, oldest first', [by('date', 'asc')], ['apple', 'Banana', 'Desk', 'Chair', 'Éclair']],
    ['modified, newest first', [by('modified', 'desc')], ['Éclair', 'Chair', 'Desk', 'Banana', 'apple']],
    ['slug', [by('slug', 'asc')], ['apple', 'Banana', 'Chair', 'Desk', 'Éclair']],
    ['slug downwards', [by('slug', 'desc')], ['Éclair', 'Desk', 'Chair', 'Banana', 'apple']],
    ['id downwards', [by('id', 'desc')], ['Éclair', 'Desk', 'Banana', 'apple', 'Chair']],
    ['menu order', [by('menu_order', 'asc')], ['Éclair', 'apple', 'Chair', 'Banana', 'Desk']],
    [
      'menu order downwards, so the larger id first',
      [by('menu_order', 'desc')],
      ['Desk', 'Banana', 'Chair', 'apple', 'Éclair'],
    ],
    [
      'menu order, then date',
      [by('menu_order', 'desc'), by('date', 'desc')],
      ['Desk', 'Banana', 'Chair', 'apple', 'Éclair'],
    ],
    ['number, none being 0', [by(price, 'asc')], ['Éclair', 'Banana', 'apple', 'Chair', 'Desk']],
    ['number downwards', [by(price, 'desc')], ['Desk', 'Chair', 'apple', 'Banana', 'Éclair']],
    ['text, none first', [by({ meta: 'price', as: 'text' }, 'asc')], ['Banana', 'Éclair', 'Desk', 'Chair', 'apple']],
    [
      'unknown metadata, so by id',
      [by({ meta: 'nothing', as: 'number' }, 'desc')],
      ['Chair', 'apple', 'Banana', 'Desk', 'Éclair'],
    ],
  ]
  for (const [name, order, expected] of orders) {
    it(`posts are ordered by ${name}`, async () => assert.deepEqual(await titles({ ...products, order }), expected))
  }

  it('titles are ordered without regard to case', async () => {
    const order = [by('title', 'asc')]
    assert.deepEqual(await titles({ ...products, parent: 0, ids: [...ids.values()].slice(0, 4), order }), [
      'apple',
      'Banana',
      'Chair',
    ])
  })

  it('the order by metadata uses the number at the start of the oldest row', async () => {
    const { posts } = storage()
    await posts.meta.add(ids.get('Old') ?? 0, 'price', '1')
    assert.deepEqual(
      await titles({ statuses: ['draft', 'publish'], types: ['product', 'post'], order: [by(price, 'asc')] }),
      ['Éclair', 'Banana', 'apple', 'News', 'Old', 'Chair', 'Desk'],
    )
  })

  it('pages neither repeat nor omit a row', async () => {
    const order = [by('date', 'desc')]
    assert.deepEqual(await titles({ ...products, order, limit: 2, offset: 0 }), ['Éclair', 'Chair'])
    assert.deepEqual(await titles({ ...products, order, limit: 2, offset: 2 }), ['Desk', 'Banana'])
    assert.deepEqual(await titles({ ...products, order, limit: 2, offset: 4 }), ['apple'])
    for (const offset of [5, 1e9, Number.MAX_SAFE_INTEGER, 1e300, Number.POSITIVE_INFINITY]) {
      assert.deepEqual(await titles({ ...products, order, limit: 2, offset }), [], String(offset))
    }
    assert.deepEqual(await titles({ ...products, order, limit: 0 }), [])
    assert.equal((await titles({ ...products, order, limit: Number.POSITIVE_INFINITY, offset: 0 })).length, 5)
    assert.equal(await storage().posts.count({ ...products, order, limit: 1, offset: 3 }), 5)
  })

  it('posts are returned with their metadata', async () => {
    const rows = (await storage().posts.list({ ...products, order: [by('date', 'desc')], limit: 3, offset: 1 })).rows
    assert.deepEqual(
      rows.map(({ meta }) => meta),
      [[{ key: 'price', value: '12.50' }], [{ key: 'price', value: '100' }], []],
    )
  })
}
